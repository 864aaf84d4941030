-- version 1, 66292a1ee3c5
-- Has a vehicle forecast again when one of its tyres changes position, season or vehicle.
create or replace function forecast_tyre() returns trigger language plpgsql as $$
begin
  insert into forecast_due (site_id, vehicle_id) values (new.site_id, new.vehicle_id);
  return null;
end $$;
