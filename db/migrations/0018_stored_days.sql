-- The ledger of stored days (docs/decisions/0028): each stored day of a tyre is owed, charged or waived, and never two of these.

-- The stays of tyres in the store. The stored days of a stay are those after `since`, up to and including `until`.
create table stay (
  site_id int not null references site,
  id bigint generated always as identity,
  tyre_id int not null,
  customer_id int not null,
  vehicle_id int not null,
  since date not null,
  until date,                                  -- the day on which it left; null while it is in the store
  settled boolean not null default false,      -- it left, and none of its days is owed
  prepaid boolean not null default false,      -- it left before the end of what was charged
  primary key (site_id, id),
  foreign key (site_id, tyre_id) references tyre on delete cascade,
  check (until >= since),
  check (until is not null or not (settled or prepaid))
);
create unique index stay_open on stay (site_id, tyre_id) where until is null;
create index stay_tyre on stay (site_id, tyre_id, since);
create index stay_left_owing on stay (site_id, customer_id) where until is not null and not settled;
create index stay_left_prepaid on stay (site_id, customer_id) where prepaid;

-- What documents charge becomes the ledger: the days after `since`, up to and including `until`, of a tyre.
alter table document_tyre rename to storage_ledger;
alter table storage_ledger drop constraint document_tyre_pkey;
alter table storage_ledger
  add column id bigint generated always as identity,
  add column state text not null default 'charged' check (state in ('charged', 'waived')),
  add column reason text not null default '' check (length(reason) <= 500),
  add column at timestamptz not null default now(),
  add column account_id int references account,
  add column released_by int references account,
  add column released_reason text check (length(released_reason) <= 500),
  add primary key (site_id, id),
  alter column document_id drop not null,
  -- charged without a document: invoiced elsewhere, and only marked
  add constraint waived_with_reason check (state = 'charged' or document_id is null and reason <> ''),
  -- no day of a tyre has two states
  add constraint one_state_a_day exclude using gist (
    int4range(site_id, site_id, '[]') with &&, int4range(tyre_id, tyre_id, '[]') with &&, daterange(since, until) with &&
  ) where (released_at is null);
drop index document_tyre_once;
alter index document_tyre_until rename to storage_ledger_until;
create index storage_ledger_document on storage_ledger (site_id, document_id);

-- An entry is written once; it can only be released.
revoke all on storage_ledger from wheelhouse_app;
grant select, insert, update (released_at, released_by, released_reason) on storage_ledger to wheelhouse_app;
grant select, insert, update on stay to wheelhouse_app;

-- Nodes of the version before work with what they know during a rolling upgrade.
create view document_tyre with (security_invoker = true) as
  select site_id, document_id, tyre_id, customer_id, since, until, released_at from storage_ledger where document_id is not null;
grant select, insert, update on document_tyre to wheelhouse_app;

-- The days after `first`, up to and including `last`, of a tyre that the ledger neither charges nor waives.
create function owed_days(site int, tyre int, first date, last date) returns datemultirange language sql stable as $$
  select datemultirange(daterange(first, greatest(first, last))) - coalesce((
    select range_agg(daterange(l.since, l.until)) from storage_ledger l
    where l.site_id = site and l.tyre_id = tyre and l.released_at is null), '{}')
$$;

-- The number of days.
create function day_count(days datemultirange) returns int language sql immutable parallel safe as $$
  select coalesce(sum(upper(span) - lower(span)), 0)::int from unnest(days) span
$$;

-- A tyre that comes into the store begins a stay, one that leaves ends it, whatever changed it.
create function keep_stay() returns trigger language plpgsql as $$
begin
  if new.status = 'in_stock' and new.removed_at is null then
    update stay set since = new.status_date where site_id = new.site_id and tyre_id = new.id and until is null;
    if not found then
      insert into stay (site_id, tyre_id, customer_id, vehicle_id, since)
      values (new.site_id, new.id, new.customer_id, new.vehicle_id, new.status_date);
    end if;
  else
    update stay set until = greatest(since, case when new.status = 'in_stock' then new.removed_at::date else new.status_date end)
    where site_id = new.site_id and tyre_id = new.id and until is null;
  end if;
  return null;
end $$;
create trigger tyre_comes after insert on tyre for each row when (new.status = 'in_stock') execute function keep_stay();
create trigger tyre_comes_or_leaves after update of status, status_date, removed_at on tyre for each row
  when ((old.status = 'in_stock' or new.status = 'in_stock')
    and (old.status, old.status_date, old.removed_at) is distinct from (new.status, new.status_date, new.removed_at))
  execute function keep_stay();

-- Says of stays that ended whether they are settled, and whether more was charged than was stored.
create function settle_stay() returns trigger language plpgsql as $$
begin
  new.settled := owed_days(new.site_id, new.tyre_id, new.since, new.until) = '{}';
  new.prepaid := exists (
    select from storage_ledger l where l.site_id = new.site_id and l.tyre_id = new.tyre_id and l.released_at is null
      and l.document_id is not null and l.since < new.until and l.until > new.until);
  return new;
end $$;
create trigger stay_ends before insert or update on stay for each row when (new.until is not null)
  execute function settle_stay();

create function settle_stays() returns trigger language plpgsql as $$
begin
  update stay s set until = s.until from (select distinct site_id, tyre_id from entered) e
  where s.site_id = e.site_id and s.tyre_id = e.tyre_id and s.until is not null;
  return null;
end $$;
create trigger ledger_grows after insert on storage_ledger referencing new table as entered
  for each statement execute function settle_stays();
create trigger ledger_is_released after update on storage_ledger referencing new table as entered
  for each statement execute function settle_stays();

-- The last invoice dates that were set, for "Undo last marking".
create table invoice_mark (
  site_id int not null references site,
  id bigint generated always as identity,
  tyre_id int not null,
  customer_id int not null,
  date date,                                   -- null: it was cleared
  before date,                                 -- what was there before
  at timestamptz not null,
  account_id int references account,
  undone_at timestamptz,
  primary key (site_id, id),
  foreign key (site_id, tyre_id) references tyre on delete cascade
);
create index invoice_mark_last on invoice_mark (site_id, tyre_id, id) where undone_at is null;
grant select, insert, update (undone_at) on invoice_mark to wheelhouse_app;

alter table document
  add column withdrawn_at timestamptz,
  add column withdrawn_by int references account,
  add column withdrawn_reason text check (length(withdrawn_reason) between 1 and 500),
  add constraint withdrawn_with_reason check ((withdrawn_at is null) = (withdrawn_reason is null));

do $$
declare
  t text;
  at_site constant text := 'site_id = (select nullif(current_setting(''app.site'', true), '''')::int)';
  for_customer constant text := '(select nullif(current_setting(''app.customer'', true), '''')::int)';
begin
  foreach t in array array['stay', 'invoice_mark'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy site_rows on %I using (%s)', t, at_site);
    execute format('create policy customer_rows on %I as restrictive using (%s is null or customer_id = %s)', t, for_customer, for_customer);
  end loop;
end $$;

-- The stays of the tyres that are in the store now. A date that was only marked settles the days up to it. Row-level security binds
-- an owner that is no superuser, too.
alter table tyre no force row level security;
alter table storage_ledger no force row level security;
insert into stay (site_id, tyre_id, customer_id, vehicle_id, since)
select site_id, id, customer_id, vehicle_id, status_date from tyre where status = 'in_stock' and removed_at is null;
insert into storage_ledger (site_id, tyre_id, customer_id, since, until)
select t.site_id, t.id, t.customer_id, lower(span), upper(span)
from tyre t cross join lateral unnest(owed_days(t.site_id, t.id, t.status_date, t.invoiced_on)) span
where t.status = 'in_stock' and t.removed_at is null and t.invoiced_on > t.status_date;
alter table tyre force row level security;
alter table storage_ledger force row level security;
alter table stay force row level security;
alter table invoice_mark force row level security;
