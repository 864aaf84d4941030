-- version 1, 94237646d673
-- Refuses to end a report of damage twice.
create or replace function keep_ending() returns trigger language plpgsql as $$
begin
  raise exception 'a report of damage ends once' using errcode = '42501';
end $$;
