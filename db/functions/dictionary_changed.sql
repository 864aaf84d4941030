-- version 1, 7462c450069a
-- Raises the dictionary's version in the transaction that changes a text, so that neither is seen without the other.
create or replace function dictionary_changed() returns trigger language plpgsql as $$
begin
  update dictionary set version = version + 1;
  return null;
end $$;
