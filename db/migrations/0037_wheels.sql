-- Where each wheel physically is (docs/decisions/0039). Triggers keep it true whatever changes the records, so that it is also true of
-- what nodes of the version before do during a rolling upgrade.

-- Carts and staging lanes are locations. Their capacity has a column of its own: put-away looks for room among places only, and
-- nodes of the version before, too.
alter table location drop constraint location_kind_check;
alter table location add constraint location_kind_check check (kind in ('site', 'zone', 'rack', 'shelf', 'place', 'cart', 'lane'));
alter table location add column carries int not null default 0 check (carries >= 0);
alter table location add constraint place_or_carrier check (case when kind in ('cart', 'lane') then capacity = 0 else carries = 0 end);

create table wheel (
  site_id int not null references site,
  tyre_id int not null,
  customer_id int not null,
  status text not null,                        -- the tyre's, kept by a trigger so that the constraint below sees it
  state text not null,
  location_id int,                             -- the place, cart or lane that it is on
  since timestamptz not null default now(),
  step text not null default '',               -- the last step that was taken (src/domain/tyres/wheel.ts)
  began text not null,                         -- the state without any step
  primary key (site_id, tyre_id),
  foreign key (site_id, customer_id, tyre_id) references tyre (site_id, customer_id, id) on update cascade on delete cascade,
  foreign key (site_id, location_id) references location,
  -- the two states of a wheel never contradict each other
  constraint wheel_agrees check (case status
    when 'in_stock' then state in ('received', 'on_cart', 'at_place', 'picked', 'staged', 'loaded', 'missing')
    when 'waste' then state = 'scrapped'
    else state in ('with_customer', 'expected', 'received', 'on_cart', 'at_place', 'missing') end),
  constraint wheel_on_location check ((state in ('at_place', 'on_cart', 'staged')) = (location_id is not null))
) with (fillfactor = 70);
create index wheel_location on wheel (site_id, location_id) where location_id is not null;
-- what somebody has to do with: few of all wheels
create index wheel_to_clear on wheel (site_id, state) where state in ('received', 'on_cart', 'missing');

alter table tyre_event drop constraint tyre_event_kind_check;
alter table tyre_event add constraint tyre_event_kind_check check (kind in ('added', 'received', 'moved', 'measured', 'scanned',
  'mounted', 'invoiced', 'scrapped', 'delivered', 'spared', 'changed', 'removed', 'transferred', 'missing', 'wheel'));
alter table tyre_event
  add column step text,                        -- the wheel's
  add column wheel text,                       -- the state of the wheel after the step
  add column device uuid;                      -- made by the device that did it

-- What the records alone say of each wheel: the state of those that were there before, and of rows that are loaded.
create view wheel_by_records with (security_invoker = true) as
select t.site_id, t.id as tyre_id, t.customer_id, t.status, told.state,
  case told.state when 'at_place' then case when t.status = 'in_stock' then t.location_id else held.planned_location end end as location_id,
  coalesce(held.scanned_at, t.status_date::timestamptz) as since
from tyre t
  left join lateral (
    select o.type, o.status, held.scanned_at, held.placed, held.planned_location
    from operation_tyre held join operation o on o.site_id = held.site_id and o.id = held.operation_id
    where held.site_id = t.site_id and held.tyre_id = t.id and held.open) held on true
  cross join lateral (
    select exists (select from operation_tyre missed where missed.site_id = t.site_id and missed.tyre_id = t.id
      and missed.missing_at is not null and missed.closed_at is null) as missed) search
  cross join lateral (
    select case
      when t.status = 'waste' then 'scrapped'
      when held.placed and held.planned_location is not null and held.status = 'submitted' and t.status <> 'in_stock' then 'at_place'
      when t.status = 'in_stock' and held.scanned_at is not null and held.status = 'submitted' then
        case held.type when 'to_waste' then 'picked' else 'loaded' end
      when held.scanned_at is not null and held.type = 'to_stock' and t.status <> 'in_stock' then 'received'
      when search.missed then 'missing'
      when t.status = 'in_stock' then case when t.location_id is null then 'received' else 'at_place' end
      when held.type = 'to_stock' and held.status = 'submitted' then 'expected'
      else 'with_customer' end as state) told;
grant select on wheel_by_records to wheelhouse_app;

alter table wheel enable row level security;
create policy site_rows on wheel using (site_id = (select nullif(current_setting('app.site', true), '')::int));
create policy customer_rows on wheel as restrictive using (
  (select nullif(current_setting('app.customer', true), '')::int) is null
  or customer_id = (select nullif(current_setting('app.customer', true), '')::int));
grant select, insert, update on wheel to wheelhouse_app;

-- Row-level security binds an owner that is no superuser, too.
alter table tyre no force row level security;
alter table operation no force row level security;
alter table operation_tyre no force row level security;
insert into wheel (site_id, tyre_id, customer_id, status, state, location_id, since, began)
select site_id, tyre_id, customer_id, status, state, location_id, since, state from wheel_by_records;
alter table tyre force row level security;
alter table operation force row level security;
alter table operation_tyre force row level security;
alter table wheel force row level security;

-- The steps ---------------------------------------------------------------------------------------------------------------

create function refuse_step() returns trigger language plpgsql as $$
begin
  raise exception 'no step % leads a wheel from % to %', new.step, old.state, new.state using errcode = 'WH004';
end $$;
-- The table of src/domain/tyres/wheel.ts, written out: a condition costs a scan nothing.
create trigger wheel_takes_a_step before update on wheel for each row
  when (old.state <> new.state and new.step || ': ' || old.state || ' > ' || new.state <> all (array[
    'submit: with_customer > expected', 'undo: expected > with_customer', 'scan_in: with_customer > received',
    'scan_in: expected > received', 'scan_in: missing > received', 'scan_out: received > loaded', 'scan_out: on_cart > loaded',
    'scan_out: at_place > loaded', 'scan_out: picked > loaded', 'scan_out: staged > loaded', 'scan_out: missing > loaded',
    'scan_off: received > picked', 'scan_off: on_cart > picked', 'scan_off: at_place > picked', 'scan_off: staged > picked',
    'scan_off: loaded > picked', 'scan_off: missing > picked', 'place: with_customer > at_place', 'place: expected > at_place',
    'place: received > at_place', 'place: on_cart > at_place', 'place: picked > at_place', 'place: staged > at_place',
    'place: loaded > at_place', 'place: missing > at_place', 'cart: with_customer > on_cart', 'cart: expected > on_cart', 'cart: received > on_cart',
    'cart: at_place > on_cart', 'cart: picked > on_cart', 'cart: staged > on_cart', 'cart: loaded > on_cart', 'cart: missing > on_cart',
    'stage: received > staged', 'stage: on_cart > staged', 'stage: at_place > staged', 'stage: picked > staged',
    'stage: loaded > staged', 'stage: missing > staged', 'pick: received > picked', 'pick: on_cart > picked', 'pick: at_place > picked',
    'pick: staged > picked', 'pick: missing > picked', 'displace: at_place > received', 'store: with_customer > at_place',
    'store: expected > at_place', 'store: received > at_place', 'store: missing > at_place', 'store: with_customer > received',
    'store: expected > received', 'store: missing > received', 'store: at_place > received', 'deliver: received > with_customer',
    'deliver: on_cart > with_customer', 'deliver: at_place > with_customer', 'deliver: picked > with_customer',
    'deliver: staged > with_customer', 'deliver: loaded > with_customer', 'deliver: missing > with_customer',
    'scrap: with_customer > scrapped', 'scrap: expected > scrapped', 'scrap: received > scrapped', 'scrap: on_cart > scrapped',
    'scrap: at_place > scrapped', 'scrap: picked > scrapped', 'scrap: staged > scrapped', 'scrap: loaded > scrapped',
    'scrap: missing > scrapped', 'cancel: expected > with_customer', 'cancel: at_place > received', 'cancel: picked > received',
    'cancel: staged > received', 'cancel: loaded > received', 'unscan: received > expected',
    'unscan: on_cart > expected', 'unscan: at_place > expected', 'unscan: picked > at_place', 'unscan: loaded > at_place',
    'unscan: picked > received', 'unscan: loaded > received', 'miss: with_customer > missing', 'miss: expected > missing',
    'miss: received > missing', 'miss: on_cart > missing', 'miss: at_place > missing', 'miss: picked > missing',
    'miss: staged > missing', 'miss: loaded > missing', 'find: missing > received', 'close: missing > with_customer',
    'close: missing > at_place', 'close: missing > received', 'hand_back: received > with_customer',
    'hand_back: on_cart > with_customer', 'identify: with_customer > received', 'identify: expected > received',
    'identify: missing > received', 'correct: scrapped > with_customer', 'correct: scrapped > received', 'correct: scrapped > at_place'
  ]))
  execute function refuse_step();

create function keep_status() returns trigger language plpgsql as $$
begin
  if new.status is distinct from (select t.status from tyre t where t.site_id = new.site_id and t.id = new.tyre_id) then
    raise exception 'a wheel has the status of its tyre' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger wheel_keeps_status before update on wheel for each row when (old.status <> new.status) execute function keep_status();

-- Every step is an event. A scan writes its own, in one statement with everything else that it does.
create function record_step() returns trigger language plpgsql as $$
begin
  insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, account_id, location_id, step, wheel, device)
  select new.site_id, new.tyre_id, t.customer_id, t.vehicle_id, 'wheel', nullif(current_setting('app.account', true), '')::int,
    new.location_id, new.step, new.state, nullif(current_setting('app.device', true), '')::uuid
  from tyre t where t.site_id = new.site_id and t.id = new.tyre_id;
  return null;
end $$;
create trigger wheel_step_is_recorded after update on wheel for each row
  when ((old.state, old.location_id) is distinct from (new.state, new.location_id) and new.step not in ('scan_in', 'scan_out', 'scan_off'))
  execute function record_step();

-- Takes a step where its table has it; a wheel in another state stays as it is.
create function take_step(of_site int, of_tyre int, what text, wanted text[], target text, place int) returns void language sql as $$
  update wheel set state = target, location_id = place, step = what, since = now()
  where site_id = of_site and tyre_id = of_tyre and state = any (wanted) and (state, location_id) is distinct from (target, place)
$$;

-- What the records say becomes the state of the wheel ---------------------------------------------------------------------

create function begin_wheels() returns trigger language plpgsql as $$
begin
  insert into wheel (site_id, tyre_id, customer_id, status, state, location_id, began)
  select site_id, id, customer_id, status, state, case state when 'at_place' then location_id end, state
  from (select *, case when status = 'waste' then 'scrapped' when status <> 'in_stock' then 'with_customer'
    when location_id is null then 'received' else 'at_place' end as state from put) told;
  return null;
end $$;
create trigger tyre_has_a_wheel after insert on tyre referencing new table as put for each statement execute function begin_wheels();

create function follow_tyre() returns trigger language plpgsql as $$
declare
  known record;
  target text;
  place int;
  what text;
begin
  select state, location_id, step into known from wheel where site_id = new.site_id and tyre_id = new.id for no key update;
  target := known.state;
  place := known.location_id;
  what := case when old.status = 'waste' then 'correct' when old.status <> 'in_stock' then 'store' end;
  if new.status = 'waste' then
    target := 'scrapped';
    place := null;
    what := 'scrap';
  elsif new.status <> 'in_stock' then
    if old.status in ('in_stock', 'waste') then
      target := 'with_customer';
      place := null;
      what := coalesce(what, 'deliver');
    end if;
  elsif old.status <> 'in_stock' and known.state = 'on_cart' then
    null; -- stored, and still on its way
  elsif new.location_id is not null then
    target := 'at_place';
    place := new.location_id;
    what := coalesce(what, 'place');
  elsif old.status <> 'in_stock' or known.state = 'at_place' then
    target := 'received';
    place := null;
    what := coalesce(what, 'displace');
  end if;
  if (target, place) is distinct from (known.state, known.location_id) then
    update wheel set status = new.status, state = target, location_id = place, step = what, since = now()
    where site_id = new.site_id and tyre_id = new.id;
  elsif old.status <> new.status then
    update wheel set status = new.status where site_id = new.site_id and tyre_id = new.id;
  end if;
  return null;
end $$;
create trigger wheel_follows after update of status, location_id on tyre for each row
  when ((old.status, old.location_id) is distinct from (new.status, new.location_id)) execute function follow_tyre();

create function follow_held() returns trigger language plpgsql as $$
declare
  tyre_status text := (select status from wheel where site_id = old.site_id and tyre_id = old.tyre_id);
  booked int;
begin
  if tg_op = 'DELETE' then
    if tyre_status = 'in_stock' then
      perform take_step(old.site_id, old.tyre_id, 'cancel', '{picked,staged,loaded}', 'received', null);
    else
      perform take_step(old.site_id, old.tyre_id, 'displace', '{at_place}', 'received', null);
    end if;
    return null;
  end if;
  if new.missing_at is not null and old.missing_at is null then
    perform take_step(new.site_id, new.tyre_id, 'miss',
      '{with_customer,expected,received,on_cart,at_place,picked,staged,loaded}', 'missing', null);
  elsif new.closed_at is not null and old.closed_at is null and new.closed_reason is not null then
    booked := (select t.location_id from tyre t where t.site_id = new.site_id and t.id = new.tyre_id);
    perform take_step(new.site_id, new.tyre_id, 'close', '{missing}', case when tyre_status <> 'in_stock' then 'with_customer'
      when booked is null then 'received' else 'at_place' end, case when tyre_status = 'in_stock' then booked end);
  elsif tyre_status <> 'in_stock' and new.open and new.placed and new.planned_location is not null then
    perform take_step(new.site_id, new.tyre_id, 'place',
      '{with_customer,expected,received,on_cart,at_place,missing}', 'at_place', new.planned_location);
  elsif tyre_status <> 'in_stock' and old.placed and old.planned_location is not null then
    perform take_step(new.site_id, new.tyre_id, 'displace', '{at_place}', 'received', null);
  end if;
  return null;
end $$;
-- not by a scan: it changes none of these
create trigger wheel_follows after update on operation_tyre for each row
  when ((old.placed, old.planned_location, old.missing_at, old.closed_at) is distinct from
    (new.placed, new.planned_location, new.missing_at, new.closed_at))
  execute function follow_held();
create trigger wheel_is_let_go after delete on operation_tyre for each row when (old.open) execute function follow_held();

create function follow_operation() returns trigger language plpgsql as $$
declare
  tyre int;
begin
  for tyre in select tyre_id from operation_tyre where site_id = new.site_id and operation_id = new.id order by tyre_id loop
    if new.status = 'submitted' and new.type = 'to_stock' then
      perform take_step(new.site_id, tyre, 'submit', '{with_customer}', 'expected', null);
    elsif new.status = 'pending' then
      perform take_step(new.site_id, tyre, 'undo', '{expected}', 'with_customer', null);
    elsif new.status = 'cancelled' and new.type = 'to_stock' then
      perform take_step(new.site_id, tyre, 'cancel', '{expected}', 'with_customer', null);
      perform take_step(new.site_id, tyre, 'cancel', '{at_place}', 'received', null);
    elsif new.status = 'cancelled' then
      perform take_step(new.site_id, tyre, 'cancel', '{picked,staged,loaded}', 'received', null);
    end if;
  end loop;
  return null;
end $$;
create trigger wheel_follows after update of status on operation for each row
  when (old.status <> new.status and new.status <> 'confirmed') execute function follow_operation();
