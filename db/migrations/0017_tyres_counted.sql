-- The tyres on each location were counted (0010) under row-level security, which binds an owner that is no superuser: it saw none,
-- and the first tyre to leave would have made the count negative. They are counted again.
alter table tyre no force row level security;
alter table location no force row level security;
update location l set held = counted.tyres from (
  select l.site_id, l.id, (
    select count(*) from tyre t where t.site_id = l.site_id and t.location_id = l.id and t.removed_at is null) as tyres
  from location l) counted
where counted.site_id = l.site_id and counted.id = l.id and counted.tyres <> l.held;
alter table tyre force row level security;
alter table location force row level security;
