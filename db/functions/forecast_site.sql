-- version 1, cde3d7456c68
-- Has all vehicles of a site forecast again when its limits or its time zone change.
create or replace function forecast_site() returns trigger language plpgsql as $$
begin
  insert into forecast_due (site_id) values (new.id);
  return null;
end $$;
