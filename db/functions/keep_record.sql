-- version 1, b2badd052879
-- Refuses to move a record to another tyre, except to the copy that a former customer keeps.
create or replace function keep_record() returns trigger language plpgsql as $$
begin
  if new.tyre_id is distinct from old.tyre_id and not exists (
    select from tyre where site_id = old.site_id and id = new.tyre_id and copy_of = old.tyre_id) then
    raise exception 'a record stays with its tyre' using errcode = '42501';
  end if;
  return new;
end $$;
