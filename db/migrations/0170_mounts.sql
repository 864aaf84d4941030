-- Where a tyre sits on the road: on which position of which vehicle, from which day to which. A period is opened and closed once; a
-- correction withdraws it and opens another. A day on which one tyre gives way to another belongs to the one that comes.
create sequence mount_change;
grant select, usage on sequence mount_change to wheelhouse_app;

create table mount (
  site_id int not null references site,
  id bigint generated always as identity,
  tyre_id int not null,
  customer_id int not null,
  vehicle_id int not null,
  position text not null check (position ~ '^[1-9][0-9]?[A-G]$'),
  since date not null,
  until date check (until >= since),           -- null: it is on the vehicle
  source text not null check (source in ('confirmed', 'presumed', 'imported')),
  until_source text check (until_source in ('confirmed', 'presumed', 'imported')),
  change bigint not null,                      -- what opened, closed and withdrew it: changes are taken back whole
  until_change bigint,
  withdrawn_change bigint,
  former jsonb,                                -- status and its day of the tyre before it was mounted, and before it was taken off
  until_former jsonb,
  withdrawn text check (withdrawn in ('confirmed', 'other_day', 'not_mounted', 'undone')), -- why it holds no longer; null: it does
  account_id int references account,
  entered_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  primary key (site_id, id),
  foreign key (site_id, customer_id, tyre_id) references tyre (site_id, customer_id, id),
  foreign key (site_id, customer_id, vehicle_id) references vehicle (site_id, customer_id, id),
  check ((until is null) = (until_source is null) and (until is null) = (until_change is null)),
  check ((withdrawn is null) = (withdrawn_change is null)),
  -- without btree_gist, which not every server has: ranges of one number stand for equality
  constraint mount_tyre_once exclude using gist (int4range(site_id, site_id, '[]') with &&, int4range(tyre_id, tyre_id, '[]') with &&,
    daterange(since, until) with &&) where (withdrawn is null),
  constraint mount_position_once exclude using gist (int4range(site_id, site_id, '[]') with &&, int4range(vehicle_id, vehicle_id, '[]') with &&,
    int4range(left(position, -1)::int * 100 + ascii(right(position, 1)), left(position, -1)::int * 100 + ascii(right(position, 1)), '[]') with &&,
    daterange(since, until) with &&) where (withdrawn is null)
);
create index mount_vehicle on mount (site_id, vehicle_id, since);
create index mount_of_tyre on mount (site_id, tyre_id, since);
create index mount_change_of on mount (site_id, change);
create index mount_open on mount (site_id, customer_id, vehicle_id) where until is null and withdrawn is null;
create index mount_changed on mount (site_id, changed_at, id);

-- How far a vehicle had run, by day.
create table odometer (
  site_id int not null references site,
  id bigint generated always as identity,
  vehicle_id int not null,
  customer_id int not null,
  day date not null,
  km int not null check (km between 1 and 9999999),
  source text not null check (source in ('storage', 'depth', 'typed', 'import', 'api')),
  change bigint,                               -- the change of mounts that it came with
  account_id int references account,
  entered_at timestamptz not null default now(),
  withdrawn_at timestamptz,                    -- it was taken back; null: it holds
  changed_at timestamptz not null default now(),
  primary key (site_id, id),
  foreign key (site_id, customer_id, vehicle_id) references vehicle (site_id, customer_id, id)
);
create index odometer_vehicle on odometer (site_id, vehicle_id, day);
create index odometer_changed on odometer (site_id, changed_at, id);

alter table site add column presume_mounts boolean not null default false;
alter table customer add column presume_mounts boolean;  -- null: as the site does

do $$
declare
  named text;
begin
  foreach named in array array['mount', 'odometer'] loop
    execute format('alter table %I enable row level security', named);
    execute format('alter table %I force row level security', named);
    execute format('create policy site_rows on %I using (site_id = (select nullif(current_setting(''app.site'', true), '''')::int))', named);
    execute format('create policy customer_rows on %I as restrictive using (
      (select nullif(current_setting(''app.customer'', true), '''')::int) is null
      or customer_id = (select nullif(current_setting(''app.customer'', true), '''')::int))', named);
  end loop;
end $$;
grant select, insert on mount, odometer to wheelhouse_app;
grant update (until, until_source, until_change, until_former, withdrawn, withdrawn_change, tyre_id, vehicle_id) on mount to wheelhouse_app;
grant update (withdrawn_at, vehicle_id) on odometer to wheelhouse_app;

create trigger mount_ends_once before update of until, until_source, until_change, until_former, withdrawn, withdrawn_change on mount
  for each row when (old.withdrawn is not null or old.until is not null and (new.until, new.until_source, new.until_change, new.until_former)
    is distinct from (old.until, old.until_source, old.until_change, old.until_former))
  execute function keep_mount();
create trigger record_keeps_its_tyre before update of tyre_id on mount for each row execute function keep_record();
create trigger record_keeps_its_vehicle before update of vehicle_id on mount for each row execute function keep_event();
create trigger record_keeps_its_vehicle before update of vehicle_id on odometer for each row execute function keep_event();
create trigger change_is_stamped before insert or update on mount for each row execute function stamp_change();
create trigger change_is_stamped before insert or update on odometer for each row execute function stamp_change();
create trigger mount_is_forecast after insert or update on mount for each row execute function forecast_mount();
create trigger odometer_is_told after insert on odometer referencing new table as added for each statement execute function publish_odometers();
-- put-away stores a tyre before the operation gives it its day
create constraint trigger tyre_is_dismounted after update of status, vehicle_id, removed_at on tyre deferrable initially deferred for each row
  when (old.status <> new.status and (old.status = 'on_vehicle' or new.status in ('in_stock', 'waste', 'on_spare'))
    or old.vehicle_id <> new.vehicle_id or old.removed_at is null and new.removed_at is not null)
  execute function end_mounts();
create trigger tyre_is_mounted after update of status on tyre for each row
  when (old.status <> new.status and new.status = 'on_vehicle' and new.removed_at is null)
  execute function begin_mount();
create trigger tyre_comes_mounted after insert on tyre for each row
  when (new.status = 'on_vehicle' and new.removed_at is null and new.copy_of is null)
  execute function begin_mount();
create trigger event_is_logged after insert on tyre_event referencing new table as added for each statement execute function log_odometers();

do $$
begin
  execute (
    select format('alter table tyre_event drop constraint tyre_event_kind_check, add constraint tyre_event_kind_check check (kind in (%s))',
      string_agg(quote_literal(kind), ', ' order by kind))
    from (
      select kind[1] as kind from pg_constraint c, regexp_matches(pg_get_constraintdef(c.oid), '''(\w+)''', 'g') kind
      where c.conname = 'tyre_event_kind_check' and c.conrelid = 'tyre_event'::regclass
      union
      select 'dismounted') kinds);
end $$;

-- The log begins with what was read until now: depth readings that stand, storages, and imported tyres whose reading has no history.
do $$
declare
  place record;
begin
  perform set_config('app.scope', 'system', true);
  for place in select id, time_zone from site order by id loop
    perform set_config('app.site', place.id::text, true);
    insert into odometer (site_id, vehicle_id, customer_id, day, km, source)
    select v.site_id, v.id, v.customer_id, r.day, r.km, r.source
    from (
      select vehicle_id, (at at time zone place.time_zone)::date as day, odometer as km,
        case kind when 'received' then 'storage' when 'measured' then 'depth' else 'import' end as source
      from tyre_event e
      where site_id = place.id and odometer between 1 and 9999999 and kind in ('measured', 'received', 'mounted')
        and not exists (select from tyre_event back where back.site_id = place.id and back.undoes = e.id)
      union
      select vehicle_id, profile_date, profile_tacho, 'import' from tyre t
      where site_id = place.id and removed_at is null and profile_date is not null and profile_tacho between 1 and 9999999
        and not exists (select from tyre_event e where e.site_id = place.id and e.tyre_id = t.id and e.odometer = t.profile_tacho)
      union
      select vehicle_id, (handled_at at time zone place.time_zone)::date, tachometer, 'storage' from operation o
      where site_id = place.id and status = 'confirmed' and handled_at is not null and tachometer between 1 and 9999999
        and not exists (select from tyre_event e where e.site_id = place.id and e.operation_id = o.id and e.odometer = o.tachometer)) r
      join vehicle v on v.site_id = place.id and v.id = r.vehicle_id
    order by r.day, r.km;
    -- of two on one position the one that came first
    insert into mount (site_id, tyre_id, customer_id, vehicle_id, position, since, source, change)
    select site_id, id, customer_id, vehicle_id, position, status_date, 'imported', nextval('mount_change') from tyre
    where site_id = place.id and status = 'on_vehicle' and removed_at is null
    order by vehicle_id, status_date, id
    on conflict do nothing;
  end loop;
  perform set_config('app.scope', '', true), set_config('app.site', '', true);
end $$;
