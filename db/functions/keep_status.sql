-- version 1, 94f940bbf9f1
-- Refuses a wheel with another status than its tyre's.
create or replace function keep_status() returns trigger language plpgsql as $$
begin
  if new.status is distinct from (select t.status from tyre t where t.site_id = new.site_id and t.id = new.tyre_id) then
    raise exception 'a wheel has the status of its tyre' using errcode = '42501';
  end if;
  return new;
end $$;
