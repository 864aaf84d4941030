-- version 1, ade29fe651c4
-- Counts how many tyres each place holds, when tyres move or leave. Places are updated in their order, so that two statements that
-- move tyres between the same places don't block each other.
create or replace function count_held() returns trigger language plpgsql as $$
declare
  moved record;
begin
  if tg_op = 'TRUNCATE' then
    update location set held = 0 where held > 0;
  elsif tg_op = 'INSERT' then
    for moved in select site_id, location_id, count(*)::int as tyres from put
      where location_id is not null and removed_at is null group by 1, 2 order by 1, 2
    loop
      update location set held = held + moved.tyres where site_id = moved.site_id and id = moved.location_id;
    end loop;
  elsif tg_op = 'DELETE' then
    for moved in select site_id, location_id, count(*)::int as tyres from taken
      where location_id is not null and removed_at is null group by 1, 2 order by 1, 2
    loop
      update location set held = held - moved.tyres where site_id = moved.site_id and id = moved.location_id;
    end loop;
  else
    for moved in select site_id, location_id, sum(tyre)::int as tyres from (
        select site_id, location_id, 1 as tyre from put where location_id is not null and removed_at is null
        union all
        select site_id, location_id, -1 from taken where location_id is not null and removed_at is null) both_sides
      group by 1, 2 having sum(tyre) <> 0 order by 1, 2
    loop
      update location set held = held + moved.tyres where site_id = moved.site_id and id = moved.location_id;
    end loop;
  end if;
  return null;
end $$;
