-- version 1, 54ea0a927048
-- Notes that a wave takes a recall, for notices and webhooks.
create or replace function note_wave() returns trigger language plpgsql as $$
begin
  insert into happening (site_id, customer_id, kind, operation_id, vehicle_id, facts, account_id)
  select o.site_id, o.customer_id, 'planned', o.id, o.vehicle_id,
    jsonb_build_object('type', o.type, 'tyres', o.tyre_count, 'to', o.delivery_date), acting_account()
  from (select distinct site_id, operation_id from added) a
    join operation o on o.site_id = a.site_id and o.id = a.operation_id
  where o.status = 'submitted';
  perform publish_happenings(array_agg(row(o.site_id, o.customer_id, 'operation.planned', 'operation ' || o.id,
    jsonb_build_object('operation', o.id, 'type', o.type, 'status', o.status, 'vehicle', o.vehicle_id,
      'customer', o.customer_id))::webhook_happening order by o.id))
  from (select distinct site_id, operation_id from added) a
    join operation o on o.site_id = a.site_id and o.id = a.operation_id
  where o.status = 'submitted';
  return null;
end $$;
