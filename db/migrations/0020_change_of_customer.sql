-- A vehicle goes to another customer with its tyres (docs/decisions/0029). The vehicle and the tyres keep their numbers, which are on
-- their labels. What happened before the day stays with a copy of them that the former customer keeps, removed from the fleet.

alter table tyre_event drop constraint tyre_event_kind_check;
alter table tyre_event add constraint tyre_event_kind_check check (kind in ('added', 'received', 'moved', 'measured', 'scanned',
  'mounted', 'invoiced', 'scrapped', 'delivered', 'spared', 'changed', 'removed', 'transferred'));

-- Of what a copy was made.
alter table vehicle add column copy_of int;
alter table tyre add column copy_of int;

-- The tyres of a vehicle are always its customer's.
alter table tyre drop constraint tyre_site_id_customer_id_vehicle_id_fkey;
alter table tyre add foreign key (site_id, customer_id, vehicle_id) references vehicle (site_id, customer_id, id) on update cascade;

-- Gives a vehicle to another customer. The stored days of its tyres up to and including the day are the former customer's; scrapped
-- tyres stay theirs. The caller holds the lock of the vehicle and has checked that no operation of it is open.
create function transfer_vehicle(of_site int, of_vehicle int, to_customer int, on_day date, moment timestamptz, by_account int)
returns void language plpgsql as $$
declare
  tyres int[] := array(
    select id from tyre where site_id = of_site and vehicle_id = of_vehicle and removed_at is null and status <> 'waste' order by id for update);
  -- the copies, which the former customer keeps
  copies int[] := array(select nextval(pg_get_serial_sequence('public.tyre', 'id')) from unnest(tyres));
  kept int;
begin
  insert into vehicle (site_id, customer_id, license_plate, number, chassis_number, brand, description, type, config_id,
    driver_name, driver_mobile, driver_telephone, driver_email, created_at, removed_at, copy_of)
  select site_id, customer_id, license_plate, number, chassis_number, brand, description, type, config_id,
    driver_name, driver_mobile, driver_telephone, driver_email, created_at, moment, id
  from vehicle where site_id = of_site and id = of_vehicle returning id into strict kept;
  insert into tyre (site_id, id, customer_id, vehicle_id, article_id, position, description, memo, tyre_set, status, status_date,
    profile_depth, profile_date, profile_tacho, rims, bolts, hubcaps, invoiced_on, unknown_article, season, removed_at, copy_of)
  select t.site_id, c.copy, t.customer_id, kept, t.article_id, t.position, t.description, t.memo, t.tyre_set,
    case t.status when 'in_stock' then 'at_customer' else t.status end, case t.status when 'in_stock' then on_day else t.status_date end,
    t.profile_depth, t.profile_date, t.profile_tacho, t.rims, t.bolts, t.hubcaps, t.invoiced_on, t.unknown_article, t.season, moment, t.id
  from unnest(tyres, copies) c (tyre, copy) join tyre t on t.site_id = of_site and t.id = c.tyre;
  update tyre set vehicle_id = kept where site_id = of_site and vehicle_id = of_vehicle and id <> all (tyres);

  -- what happened until now: the ledger first, since it settles the stays
  update storage_ledger x set tyre_id = c.copy from unnest(tyres, copies) c (tyre, copy) where x.site_id = of_site and x.tyre_id = c.tyre;
  update invoice_mark x set tyre_id = c.copy from unnest(tyres, copies) c (tyre, copy) where x.site_id = of_site and x.tyre_id = c.tyre;
  update stay x set tyre_id = c.copy, until = coalesce(x.until, greatest(x.since, on_day))
  from unnest(tyres, copies) c (tyre, copy) where x.site_id = of_site and x.tyre_id = c.tyre;
  update stay set vehicle_id = kept where site_id = of_site and vehicle_id = of_vehicle;
  update operation set vehicle_id = kept where site_id = of_site and vehicle_id = of_vehicle;
  update operation_tyre x set tyre_id = c.copy from unnest(tyres, copies) c (tyre, copy) where x.site_id = of_site and x.tyre_id = c.tyre;
  update scan x set tyre_id = c.copy from unnest(tyres, copies) c (tyre, copy) where x.site_id = of_site and x.tyre_id = c.tyre;
  update tyre_event x set tyre_id = c.copy from unnest(tyres, copies) c (tyre, copy) where x.site_id = of_site and x.tyre_id = c.tyre;
  update tyre_event set vehicle_id = kept where site_id = of_site and vehicle_id = of_vehicle;
  update document_line x set tyre_id = c.copy from unnest(tyres, copies) c (tyre, copy) where x.site_id = of_site and x.tyre_id = c.tyre;
  update document set vehicle_id = kept where site_id = of_site and vehicle_id = of_vehicle;

  -- number, driver and notes were the former customer's
  update vehicle set customer_id = to_customer, number = '', driver_name = '', driver_mobile = '', driver_telephone = '', driver_email = ''
  where site_id = of_site and id = of_vehicle;
  update tyre set invoiced_on = null, memo = '', status_date = case status when 'in_stock' then on_day else status_date end
  where site_id = of_site and id = any (tyres);
  insert into stay (site_id, tyre_id, customer_id, vehicle_id, since)
  select site_id, id, customer_id, vehicle_id, on_day from tyre t
  where site_id = of_site and id = any (tyres) and status = 'in_stock'
    and not exists (select from stay s where s.site_id = of_site and s.tyre_id = t.id and s.until is null);
  insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, status, location_id, note)
  select site_id, id, customer_id, vehicle_id, 'transferred', moment, by_account, status, location_id, on_day::text from tyre
  where site_id = of_site and id = any (tyres || copies);
end $$;

-- Records that can only be added to may go from a tyre to its copy, and nowhere else.
create function keep_record() returns trigger language plpgsql as $$
begin
  if new.tyre_id is distinct from old.tyre_id and not exists (
    select from tyre where site_id = old.site_id and id = new.tyre_id and copy_of = old.tyre_id) then
    raise exception 'a record stays with its tyre' using errcode = '42501';
  end if;
  return new;
end $$;
do $$
declare
  t text;
begin
  foreach t in array array['tyre_event', 'scan', 'storage_ledger', 'invoice_mark'] loop
    execute format('create trigger record_keeps_its_tyre before update of tyre_id on %I for each row execute function keep_record()', t);
    execute format('grant update (tyre_id) on %I to wheelhouse_app', t);
  end loop;
end $$;
create function keep_event() returns trigger language plpgsql as $$
begin
  if new.vehicle_id is distinct from old.vehicle_id and not exists (
    select from vehicle where site_id = old.site_id and id = new.vehicle_id and copy_of = old.vehicle_id) then
    raise exception 'an event stays with its vehicle' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger event_keeps_its_vehicle before update of vehicle_id on tyre_event for each row execute function keep_event();
grant update (vehicle_id) on tyre_event to wheelhouse_app;
