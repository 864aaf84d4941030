-- version 1, 475b03e72668
-- The days on which what a document charges as one was in the store, as it is known now: the stays of its wheels, also of those whose days
-- were credited; of a set those for its vehicle. An arrival that was corrected is later than the first day charged.
create or replace function unit_days(of_site int, of_document int, of_unit int) returns datemultirange language sql stable as $$
  with one as materialized (
    select tyre_id, since, coalesce(of_set, false) as of_set from storage_ledger
    where site_id = of_site and document_id = of_document and unit = of_unit
  ), family as materialized (
    select p.vehicle_id from one join stay_part p on p.site_id = of_site and p.tyre_id = one.tyre_id and coalesce(p.until, 'infinity') > one.since
    where one.of_set order by p.since <= one.since desc, one.since, p.since limit 1
  )
  select coalesce(range_agg(daterange(p.since, p.until)), '{}')
  from (select distinct tyre_id from one) wheel join stay_part p on p.site_id = of_site and p.tyre_id = wheel.tyre_id
  where not exists (select from family) or p.vehicle_id = (select vehicle_id from family)
$$;
