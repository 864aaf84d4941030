-- version 1, 30f93a2cf105
-- Refuses to change a period in which a tyre was mounted once it is closed or withdrawn: a correction is another period.
create or replace function keep_mount() returns trigger language plpgsql as $$
begin
  if old.withdrawn is null and (new.until, new.until_source, new.until_change, new.until_former)
    is not distinct from (old.until, old.until_source, old.until_change, old.until_former) then
    return new;
  end if;
  raise exception 'a period on a vehicle is closed once' using errcode = '42501';
end $$;
