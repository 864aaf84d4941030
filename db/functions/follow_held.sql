-- version 1, 14f36a088727
-- Moves a wheel when its operation places it, gives it up as missing, ends its search or lets go of it.
create or replace function follow_held() returns trigger language plpgsql as $$
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
