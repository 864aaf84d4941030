-- version 1, c9a708b2f439
-- Refuses to change the configuration of a vehicle, which is set once.
create or replace function keep_vehicle_config() returns trigger language plpgsql as $$
begin
  if old.config_id is not null and new.config_id is distinct from old.config_id then
    raise exception 'the configuration of a vehicle is set once' using errcode = 'WH002';
  end if;
  return new;
end $$;
