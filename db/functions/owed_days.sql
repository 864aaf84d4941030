-- version 1, 4b4b0ce2d491
-- The days after `first` up to and including `last` that the ledger neither charges nor waives for a tyre.
create or replace function owed_days(site int, tyre int, first date, last date) returns datemultirange language sql stable as $$
  select datemultirange(daterange(first, greatest(first, last))) - coalesce((
    select range_agg(daterange(l.since, l.until)) from storage_ledger l
    where l.site_id = site and l.tyre_id = tyre and l.released_at is null), '{}')
$$;
