-- version 1, da825cb97c2d
-- Keeps the plate that a vehicle had before, each once: it is found by it.
create or replace function keep_plate() returns trigger language plpgsql as $$
begin
  new.former_plates := array_to_string(
    array_append(array_remove(array_remove(string_to_array(old.former_plates, ' '), old.license_plate), new.license_plate), old.license_plate), ' ');
  return new;
end $$;
