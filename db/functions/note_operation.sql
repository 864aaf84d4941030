-- version 1, f0c02e753d2c
-- Notes each step of an operation and each new day of its delivery, for notices; webhooks get the new day, too.
create or replace function note_operation() returns trigger language plpgsql as $$
declare
  facts constant jsonb := jsonb_build_object('type', new.type, 'tyres', new.tyre_count, 'to', new.delivery_date);
begin
  insert into happening (site_id, customer_id, kind, operation_id, vehicle_id, facts, account_id)
  values (new.site_id, new.customer_id,
    case new.status when 'pending' then 'withdrawn' when 'confirmed' then 'done' else new.status end,
    new.id, new.vehicle_id, facts, acting_account());
  if tg_op = 'UPDATE' and old.promised_date <> new.promised_date then
    insert into happening (site_id, customer_id, kind, operation_id, vehicle_id, facts, account_id)
    values (new.site_id, new.customer_id, 'dayChanged', new.id, new.vehicle_id,
      facts || jsonb_build_object('from', old.promised_date), acting_account());
    -- publish_operations.sql publishes the steps
    perform publish_happenings(array[row(new.site_id, new.customer_id, 'operation.rescheduled', 'operation ' || new.id,
      jsonb_build_object('operation', new.id, 'type', new.type, 'status', new.status, 'vehicle', new.vehicle_id,
        'customer', new.customer_id, 'from', old.promised_date, 'to', new.delivery_date))::webhook_happening]);
  end if;
  return null;
end $$;
