-- version 1, f79f678cb404
-- Has the vehicles of a configuration forecast again when its axles change.
create or replace function forecast_configuration() returns trigger language plpgsql as $$
begin
  insert into forecast_due (site_id, vehicle_id)
  select site_id, id from vehicle where site_id = new.site_id and config_id = new.id and removed_at is null;
  return null;
end $$;
