-- version 1, c98e499feeba
-- Publishes created, changed and deleted operations to webhooks.
create or replace function publish_operations() returns trigger language plpgsql as $$
declare
  happened webhook_happening[];
begin
  if not any_webhook() then return null; end if;
  if tg_op = 'INSERT' then
    select array_agg(row(o.site_id, o.customer_id, 'operation.created', 'operation ' || o.id, jsonb_build_object('operation', o.id,
      'type', o.type, 'status', o.status, 'vehicle', o.vehicle_id, 'customer', o.customer_id))::webhook_happening order by o.id)
    into happened from added o;
  elsif tg_op = 'UPDATE' then
    select array_agg(row(o.site_id, o.customer_id, 'operation.' || case o.status when 'pending' then 'reopened' else o.status end,
      'operation ' || o.id, jsonb_build_object('operation', o.id, 'type', o.type, 'status', o.status, 'vehicle', o.vehicle_id,
      'customer', o.customer_id))::webhook_happening order by o.id)
    into happened from changed o join former f on f.site_id = o.site_id and f.id = o.id where f.status <> o.status;
  else
    select array_agg(row(o.site_id, o.customer_id, 'operation.deleted', 'operation ' || o.id, jsonb_build_object('operation', o.id,
      'type', o.type, 'status', o.status, 'vehicle', o.vehicle_id, 'customer', o.customer_id))::webhook_happening order by o.id)
    into happened from removed o;
  end if;
  if happened is not null then perform publish_happenings(happened); end if;
  return null;
end $$;
