-- Vehicles are noted in their order, so that the same events leave the same rows.
create or replace function forecast_events() returns trigger language plpgsql as $$
begin
  insert into forecast_due (site_id, vehicle_id)
  select distinct site_id, vehicle_id from added where kind = 'measured' or status is not null order by site_id, vehicle_id;
  return null;
end $$;
