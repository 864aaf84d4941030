-- version 2, 778b32645fd6
-- Refuses a step that the table of steps lacks (src/domain/tyres/wheel.ts); the trigger's condition holds the table.
create or replace function refuse_step() returns trigger language plpgsql as $$
begin
  raise exception 'no step % leads a wheel from % to %', new.step, old.state, new.state using errcode = 'WH004';
end $$;
