-- version 1, dcacbfaebce5
-- Publishes the history of tyres to webhooks, except the steps of wheels.
create or replace function publish_tyre_events() returns trigger language plpgsql as $$
declare
  happened webhook_happening[];
begin
  if not any_webhook() then return null; end if;
  select array_agg(row(e.site_id, e.customer_id, 'tyre.' || e.kind, 'tyre ' || e.tyre_id, jsonb_build_object('tyre', e.tyre_id,
    'status', e.status, 'location', e.location_id, 'operation', e.operation_id, 'vehicle', e.vehicle_id,
    'customer', e.customer_id))::webhook_happening order by e.id)
  into happened from added e where e.kind <> 'wheel';
  if happened is not null then perform publish_happenings(happened); end if;
  return null;
end $$;
