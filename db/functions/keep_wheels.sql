-- version 1, 372a99b3f452
-- Refuses to change the wheels of a configuration that vehicles have.
create or replace function keep_wheels() returns trigger language plpgsql as $$
begin
  if wheels_of(new.axles) is distinct from wheels_of(old.axles)
    and exists (select from vehicle v where v.site_id = old.site_id and v.config_id = old.id) then
    raise exception 'vehicles have this configuration' using errcode = 'WH003';
  end if;
  return new;
end $$;
