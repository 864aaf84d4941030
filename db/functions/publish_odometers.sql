-- version 1, 77295c84971d
-- Publishes readings of odometers to webhooks, without the distance: an event says little.
create or replace function publish_odometers() returns trigger language plpgsql as $$
declare
  happened webhook_happening[];
begin
  if not any_webhook() then return null; end if;
  select array_agg(row(a.site_id, a.customer_id, 'odometer.read', 'vehicle ' || a.vehicle_id, jsonb_build_object('vehicle', a.vehicle_id,
    'day', a.day, 'source', a.source, 'customer', a.customer_id))::webhook_happening order by a.id)
  into happened from added a;
  if happened is not null then perform publish_happenings(happened); end if;
  return null;
end $$;
