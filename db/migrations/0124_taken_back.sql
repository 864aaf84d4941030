-- A reading of a tread depth that was taken back. The history is only added to: a later event names the one that it takes back, and
-- the reading says what the tyre showed before it.
alter table tyre_event
  add column former jsonb,                     -- depth, day and odometer of the tyre before a reading became its own
  add column undoes bigint;                    -- the reading that this event takes back
create unique index tyre_event_undone on tyre_event (site_id, undoes) where undoes is not null;

do $$
begin
  execute (
    select format('alter table tyre_event drop constraint tyre_event_kind_check, add constraint tyre_event_kind_check check (kind in (%s))',
      string_agg(quote_literal(kind), ', ' order by kind))
    from (
      select kind[1] as kind from pg_constraint c, regexp_matches(pg_get_constraintdef(c.oid), '''(\w+)''', 'g') kind
      where c.conname = 'tyre_event_kind_check' and c.conrelid = 'tyre_event'::regclass
      union
      select 'unmeasured') known);
end $$;

-- Without a reading the wear is another one.
create or replace function forecast_events() returns trigger language plpgsql as $$
begin
  insert into forecast_due (site_id, vehicle_id)
  select distinct site_id, vehicle_id from added where kind in ('measured', 'unmeasured') or status is not null order by site_id, vehicle_id;
  return null;
end $$;
