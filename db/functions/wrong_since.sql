-- version 1, 26890d5ebd86
-- Since when the periods of a unit of a document are none, as its stays are known now: the day before the first one on whose first day
-- nothing was there. Without a gap, periods of the next document follow from those before, and are none either. Null: all are right.
create or replace function wrong_since(of_site int, of_document int, of_unit int) returns date language plpgsql stable as $$
declare
  days datemultirange := unit_days(of_site, of_document, of_unit);
  begins date;
  ends date;
  length int;
  rule int;
  wrong date;
begin
  select min(since), max(until), max(period), max(rule_id) into begins, ends, length, rule from storage_ledger
  where site_id = of_site and document_id = of_document and unit = of_unit;
  select min(first)::date into wrong from generate_series(begins::timestamp, ends - 1, length * interval '1 day') first
  where not days @> first::date;
  if wrong = begins or exists (
    select from (
      select distinct before.document_id, before.unit from storage_ledger mine
        join storage_ledger before on before.site_id = mine.site_id and before.tyre_id = mine.tyre_id and before.until = mine.since
          and before.released_at is null and before.period = length and before.rule_id is not distinct from rule and before.season_rule_id is null
      where mine.site_id = of_site and mine.document_id = of_document and mine.unit = of_unit and mine.since = begins
        and before.unit is not null and before.document_id <> of_document) earlier
    where wrong_since(of_site, earlier.document_id, earlier.unit) is not null) then
    return begins;
  end if;
  return wrong;
end $$;
