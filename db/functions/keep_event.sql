-- version 1, f7ec4ee74033
-- Refuses to move a record to another vehicle, except to the copy that a former customer keeps.
create or replace function keep_event() returns trigger language plpgsql as $$
begin
  if new.vehicle_id is distinct from old.vehicle_id and not exists (
    select from vehicle where site_id = old.site_id and id = new.vehicle_id and copy_of = old.vehicle_id) then
    raise exception 'an event stays with its vehicle' using errcode = '42501';
  end if;
  return new;
end $$;
