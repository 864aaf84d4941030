-- What was waived is listed, newest first, and can be taken back (docs/product.md "Stored days").
create index storage_ledger_waived on storage_ledger (site_id, at) where state = 'waived';

-- A stay that ended is prepaid when a document charges days after it on which the tyre was not in the store: also a document that
-- charges no day of the stay, since a vehicle can go to another customer on an earlier day.
create or replace function settle_stay() returns trigger language plpgsql as $$
begin
  new.settled := owed_days(new.site_id, new.tyre_id, new.since, new.until) = '{}';
  new.prepaid := exists (
    select from storage_ledger l where l.site_id = new.site_id and l.tyre_id = new.tyre_id and l.released_at is null
      and l.document_id is not null and l.until > new.until
      and datemultirange(daterange(greatest(l.since, new.until), l.until)) - coalesce((
        select range_agg(daterange(s.since, s.until)) from stay s
        where s.site_id = new.site_id and s.tyre_id = new.tyre_id and s.id <> new.id and s.since >= new.until), '{}') <> '{}');
  return new;
end $$;

-- Row-level security binds an owner that is no superuser, too.
alter table stay no force row level security;
alter table storage_ledger no force row level security;
update stay s set until = s.until where s.until is not null and not s.prepaid and exists (
  select from storage_ledger l where l.site_id = s.site_id and l.tyre_id = s.tyre_id and l.released_at is null
    and l.document_id is not null and l.since >= s.until);
alter table stay force row level security;
alter table storage_ledger force row level security;
