-- How many tyres lie on a location, kept with it: whoever looks for room must not count the whole stock (docs/decisions/0018).
alter table location add column held int not null default 0 check (held >= 0);
update location l set held = (
  select count(*) from tyre t where t.site_id = l.site_id and t.location_id = l.id and t.removed_at is null);
-- What still has room, in the order of the walk.
create index location_room on location (site_id, walk, id) where held < capacity;

-- Counted by the statement that moves tyres, one location after the other in one order, so that two of them do not block each other.
create function count_held() returns trigger language plpgsql as $$
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
create trigger tyre_is_put after insert on tyre referencing new table as put for each statement execute function count_held();
create trigger tyre_is_taken after delete on tyre referencing old table as taken for each statement execute function count_held();
create trigger tyre_is_moved after update on tyre referencing old table as taken new table as put
  for each statement execute function count_held();
create trigger tyres_are_emptied after truncate on tyre for each statement execute function count_held();

-- Where a tyre of a storage is to lie once it is confirmed: scanned at intake, or reserved when it was suggested.
alter table operation_tyre add column planned_location int;
alter table operation_tyre add foreign key (site_id, planned_location) references location on delete set null (planned_location);
create index operation_tyre_planned on operation_tyre (site_id, planned_location) where planned_location is not null;
-- One that also serves the foreign key: without it the removal of a rack reads all tyres for every place.
drop index tyre_location;
create index tyre_location on tyre (site_id, location_id) where location_id is not null;

-- A scanned location carries an id made by the client and is applied once, for ever, as the scan of a tyre is.
create table location_scan (
  site_id int not null references site,
  id uuid not null,
  location_id int not null,
  account_id int references account,
  scanned_at timestamptz not null,            -- by the device's clock
  received_at timestamptz not null default now(),
  primary key (site_id, id)
);
alter table location_scan enable row level security;
alter table location_scan force row level security;
create policy site_rows on location_scan using (site_id = (select nullif(current_setting('app.site', true), '')::int));
grant select, insert on location_scan to wheelhouse_app;
