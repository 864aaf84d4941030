-- version 1, a4f7744ff47a
-- Deletes the notices and choices of an account that goes to another customer or type: they were about the former one's records.
create or replace function forget_notices() returns trigger language plpgsql as $$
begin
  delete from notice where account_id = new.id;
  delete from notice_choice where account_id = new.id;
  return null;
end $$;
