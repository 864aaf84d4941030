-- version 1, dd794993e922
-- Notes that a wheel of a recall was picked, for notices. Whether all of its wheels are picked is asked when the notice is written,
-- because two devices pick at the same time.
create or replace function note_pick() returns trigger language plpgsql as $$
begin
  insert into happening (site_id, customer_id, kind, operation_id, vehicle_id, facts, account_id)
  select o.site_id, o.customer_id, 'picked', o.id, o.vehicle_id,
    jsonb_build_object('type', o.type, 'tyres', o.tyre_count, 'to', o.delivery_date), acting_account()
  from operation_tyre held join operation o on o.site_id = held.site_id and o.id = held.operation_id
  where held.site_id = new.site_id and held.tyre_id = new.tyre_id and held.open and o.type = 'to_customer' and o.status = 'submitted';
  return null;
end $$;
