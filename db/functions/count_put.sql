-- version 1, 5329412e193d
-- Counts how many tyres each place holds, when tyres are added. Places are locked in their order, so that two statements that fill
-- the same ones wait for each other instead of deadlocking. The settings of the planner stay with it: a connection keeps the plan, and one that
-- was made for an import would read all places for a single tyre.
create or replace function count_put() returns trigger language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  perform from location l
  where (l.site_id, l.id) in (select site_id, location_id from put where location_id is not null and removed_at is null)
  order by l.site_id, l.id for no key update;
  update location l set held = held + moved.tyres
  from (
    select site_id, location_id, count(*)::int as tyres from put where location_id is not null and removed_at is null group by 1, 2) moved
  where l.site_id = moved.site_id and l.id = moved.location_id;
  return null;
end $$;
