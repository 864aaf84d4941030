-- version 1, fdf4ce51cc7e
-- Has vehicles forecast again after a depth reading, one that is taken back, or a tyre that comes into the store or leaves it. Vehicles
-- are noted in their order, so that the same events leave the same rows.
create or replace function forecast_events() returns trigger language plpgsql as $$
begin
  insert into forecast_due (site_id, vehicle_id)
  select distinct site_id, vehicle_id from added where kind in ('measured', 'unmeasured') or status is not null order by site_id, vehicle_id;
  return null;
end $$;
