-- A file brings 50,000 tyres, 2,000 in a statement: what follows from a new tyre is written once for each statement, not for each
-- tyre or place (docs/promises.md "Imports").

-- A new tyre has no stay yet, so nothing has to be looked up.
create function begin_stays() returns trigger language plpgsql as $$
begin
  insert into stay (site_id, tyre_id, customer_id, vehicle_id, since)
  select site_id, id, customer_id, vehicle_id, status_date from put where status = 'in_stock' and removed_at is null;
  return null;
end $$;
drop trigger tyre_comes on tyre;
create trigger tyre_comes after insert on tyre referencing new table as put for each statement execute function begin_stays();

-- Places are locked in their order, so that two who fill the same ones wait for each other and none for both.
-- The plan is kept with the connection: one that was made for a file would read all places for a single tyre.
create function count_put() returns trigger language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
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
drop trigger tyre_is_put on tyre;
create trigger tyre_is_put after insert on tyre referencing new table as put for each statement execute function count_put();
