-- version 1, 234edd94ceeb
-- Writes events and their deliveries for the endpoints that want them, without the customer's scope (see any_webhook.sql).
create or replace function publish_happenings(happened webhook_happening[]) returns void language plpgsql as $$
declare
  before constant text := current_setting('app.customer', true);
begin
  perform set_config('app.customer', '', true);
  with written as (
    insert into webhook_event (site_id, customer_id, kind, object, data)
    select h.site_id, h.customer_id, h.kind, h.object, h.data from unnest(happened) with ordinality h
    where exists (
      select from webhook_endpoint e where e.site_id = h.site_id and e.enabled and h.kind = any (e.kinds)
        and (e.customer_id is null or e.customer_id = h.customer_id))
    order by h.ordinality
    returning site_id, id, customer_id, kind, object)
  insert into webhook_delivery (site_id, endpoint_id, event_id, customer_id, object)
  select w.site_id, e.id, w.id, w.customer_id, w.object
  from written w join webhook_endpoint e on e.site_id = w.site_id and e.enabled and w.kind = any (e.kinds)
    and (e.customer_id is null or e.customer_id = w.customer_id)
  order by w.id, e.id;
  perform set_config('app.customer', coalesce(before, ''), true);
end $$;
