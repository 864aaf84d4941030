-- version 2, 5cc10ada5be3
-- Says of a stay that ended whether all its days are settled, and of each whether days after it are prepaid, or days before an arrival
-- that was corrected. Included days were not paid for, so they prepay nothing.
create or replace function settle_stay() returns trigger language plpgsql as $$
begin
  new.settled := new.until is not null and owed_days(new.site_id, new.tyre_id, new.since, new.until) = '{}';
  new.prepaid := exists (
    select from storage_ledger l where l.site_id = new.site_id and l.tyre_id = new.tyre_id and l.released_at is null
      and l.document_id is not null and l.state = 'charged' and (l.until > new.until or l.since < new.since)
      and datemultirange(daterange(l.since, l.until)) - datemultirange(daterange(new.since, new.until)) - coalesce((
        select range_agg(daterange(s.since, s.until)) from stay s
        where s.site_id = new.site_id and s.tyre_id = new.tyre_id and s.id <> new.id), '{}') <> '{}');
  return new;
end $$;
