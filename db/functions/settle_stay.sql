-- version 1, e451bad713ba
-- Says of a stay that ended whether all its days are settled, and whether days after it are prepaid. Included days were not paid
-- for, so they prepay nothing.
create or replace function settle_stay() returns trigger language plpgsql as $$
begin
  new.settled := owed_days(new.site_id, new.tyre_id, new.since, new.until) = '{}';
  new.prepaid := exists (
    select from storage_ledger l where l.site_id = new.site_id and l.tyre_id = new.tyre_id and l.released_at is null
      and l.document_id is not null and l.state = 'charged' and l.until > new.until
      and datemultirange(daterange(greatest(l.since, new.until), l.until)) - coalesce((
        select range_agg(daterange(s.since, s.until)) from stay s
        where s.site_id = new.site_id and s.tyre_id = new.tyre_id and s.id <> new.id and s.since >= new.until), '{}') <> '{}');
  return new;
end $$;
