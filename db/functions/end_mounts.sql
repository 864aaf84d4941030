-- version 1, ae6e5d75d835
-- Takes a tyre off its vehicle when it is stored, scrapped, made a spare, removed, or belongs to another vehicle, whichever statement does it;
-- at the end of the transaction, when the tyre has the day of what happened.
create or replace function end_mounts() returns trigger language plpgsql as $$
declare
  zone constant text := (select time_zone from site where id = new.site_id);
  day date;
begin
  select case when t.removed_at is not null then (t.removed_at at time zone zone)::date
    when new.status <> old.status then t.status_date else (now() at time zone zone)::date end
  into day from tyre t
  where t.site_id = new.site_id and t.id = new.id
    -- whatever else the transaction did, it may be on its vehicle after all
    and (t.removed_at is not null or t.status in ('in_stock', 'waste', 'on_spare') or t.status <> 'on_vehicle' and old.status = 'on_vehicle'
      or t.vehicle_id <> old.vehicle_id);
  if day is null then return null; end if;
  with ended as (
    update mount set until = greatest(since, day), until_source = 'presumed', until_change = nextval('mount_change')
    where site_id = new.site_id and tyre_id = new.id and until is null and withdrawn is null
      and (vehicle_id <> new.vehicle_id or old.vehicle_id = new.vehicle_id)
    returning tyre_id, customer_id, vehicle_id, position, until)
  insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, note)
  select new.site_id, tyre_id, customer_id, vehicle_id, 'dismounted', (until + time '12:00') at time zone zone, acting_account(), position from ended;
  return null;
end $$;
