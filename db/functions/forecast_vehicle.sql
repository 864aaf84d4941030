-- version 1, 59e8c4fb21b5
-- Has a vehicle forecast again when its type, configuration or yearly distance changes.
create or replace function forecast_vehicle() returns trigger language plpgsql as $$
begin
  insert into forecast_due (site_id, vehicle_id) values (new.site_id, new.id);
  return null;
end $$;
