-- When tyres will be worn (docs/decisions/0069): computed by the rule of the portal after what it goes by has changed, and kept in days of
-- use, so that no day makes it stale.
create table tyre_forecast (
  site_id int not null references site,
  tyre_id int not null,
  customer_id int not null,
  limit_mm numeric(4, 2) not null,             -- one row for each limit that holds at some time of the year
  read_on date not null,                       -- the newest reading: days of use count from it
  low int not null,                            -- by so many days of use 5, 50 and 95 of 100 such tyres are at the limit
  middle int not null,
  high int not null,
  turns boolean not null,                      -- it takes turns with another tyre
  paused int not null check (paused >= 0),     -- days in store since then, of times in store that have ended
  paused_since date,                           -- in store since then; null: it is not
  primary key (site_id, tyre_id, limit_mm),
  foreign key (site_id, customer_id, tyre_id) references tyre (site_id, customer_id, id) on update cascade on delete cascade,
  check (low <= middle and middle <= high)
);

-- Vehicles whose tyres have to be forecast again. None: all of the site.
create table forecast_due (
  site_id int not null references site,
  id bigint generated always as identity,
  vehicle_id int,
  primary key (site_id, id)
);

-- What was read until now; the owner of a table is bound by its policies, too, unless that is a superuser.
alter table tyre_event no force row level security;
insert into forecast_due (site_id, vehicle_id) select distinct site_id, vehicle_id from tyre_event where kind = 'measured' order by 1, 2;
alter table tyre_event force row level security;

do $$
declare
  at_site constant text := 'site_id = (select nullif(current_setting(''app.site'', true), '''')::int)';
begin
  alter table tyre_forecast enable row level security;
  alter table tyre_forecast force row level security;
  alter table forecast_due enable row level security;
  alter table forecast_due force row level security;
  execute format('create policy site_rows on tyre_forecast using (%s)', at_site);
  create policy customer_rows on tyre_forecast as restrictive using (
    (select coalesce(current_setting('app.customer', true), '') = '')
    or customer_id = (select nullif(current_setting('app.customer', true), '')::int));
  -- the worker looks for sites that have any
  execute format('create policy site_rows on forecast_due using (%s or (select current_setting(''app.scope'', true) = ''system''))', at_site);
end $$;
grant select, insert, update, delete on tyre_forecast to wheelhouse_app;
grant select, insert, delete on forecast_due to wheelhouse_app;

-- A reading, and a tyre that comes into the store or leaves it, whatever way it was written.
create function forecast_events() returns trigger language plpgsql as $$
begin
  insert into forecast_due (site_id, vehicle_id)
  select distinct site_id, vehicle_id from added where kind = 'measured' or status is not null;
  return null;
end $$;
create trigger event_is_forecast after insert on tyre_event referencing new table as added
  for each statement execute function forecast_events();

create function forecast_tyre() returns trigger language plpgsql as $$
begin
  insert into forecast_due (site_id, vehicle_id) values (new.site_id, new.vehicle_id);
  return null;
end $$;
create trigger tyre_is_forecast after update of position, season, vehicle_id on tyre for each row
  when ((old.position, old.season, old.vehicle_id) is distinct from (new.position, new.season, new.vehicle_id))
  execute function forecast_tyre();

create function forecast_vehicle() returns trigger language plpgsql as $$
begin
  insert into forecast_due (site_id, vehicle_id) values (new.site_id, new.id);
  return null;
end $$;
create trigger vehicle_is_forecast after update of type, config_id on vehicle for each row
  when ((old.type, old.config_id) is distinct from (new.type, new.config_id))
  execute function forecast_vehicle();

create function forecast_configuration() returns trigger language plpgsql as $$
begin
  insert into forecast_due (site_id, vehicle_id)
  select site_id, id from vehicle where site_id = new.site_id and config_id = new.id and removed_at is null;
  return null;
end $$;
create trigger configuration_is_forecast after update of axles on vehicle_config for each row
  when (old.axles is distinct from new.axles) execute function forecast_configuration();

-- Limits of a customer and of the site: which depth a tyre is forecast down to.
create function forecast_customer() returns trigger language plpgsql as $$
begin
  insert into forecast_due (site_id, vehicle_id)
  select site_id, id from vehicle where site_id = new.site_id and customer_id = new.id and removed_at is null;
  return null;
end $$;
create trigger customer_is_forecast after update of min_tread_summer, min_tread_winter on customer for each row
  when ((old.min_tread_summer, old.min_tread_winter) is distinct from (new.min_tread_summer, new.min_tread_winter))
  execute function forecast_customer();

create function forecast_site() returns trigger language plpgsql as $$
begin
  insert into forecast_due (site_id) values (new.id);
  return null;
end $$;
create trigger site_is_forecast after update of time_zone, min_tread_summer, min_tread_winter, min_tread_truck_summer,
  min_tread_truck_winter on site for each row
  when ((old.time_zone, old.min_tread_summer, old.min_tread_winter, old.min_tread_truck_summer, old.min_tread_truck_winter)
    is distinct from (new.time_zone, new.min_tread_summer, new.min_tread_winter, new.min_tread_truck_summer, new.min_tread_truck_winter))
  execute function forecast_site();
