-- version 1, 001c890348f4
-- Has a vehicle forecast again when a tyre is mounted or taken off: its kilometres are others.
create or replace function forecast_mount() returns trigger language plpgsql as $$
begin
  insert into forecast_due (site_id, vehicle_id) values (new.site_id, new.vehicle_id);
  return null;
end $$;
