-- version 1, c9ecbb46e65d
-- Publishes documents that are created and withdrawn to webhooks.
create or replace function publish_documents() returns trigger language plpgsql as $$
declare
  happened webhook_happening[];
begin
  if not any_webhook() then return null; end if;
  if tg_op = 'INSERT' then
    select array_agg(row(d.site_id, d.customer_id, 'document.created', 'document ' || d.id, jsonb_build_object('document', d.id,
      'type', d.type, 'reason', d.reason, 'year', d.year, 'number', d.number, 'operation', d.operation_id, 'vehicle', d.vehicle_id,
      'customer', d.customer_id))::webhook_happening order by d.id)
    into happened from added d;
  else
    select array_agg(row(d.site_id, d.customer_id, 'document.withdrawn', 'document ' || d.id, jsonb_build_object('document', d.id,
      'type', d.type, 'reason', d.reason, 'year', d.year, 'number', d.number, 'operation', d.operation_id, 'vehicle', d.vehicle_id,
      'customer', d.customer_id))::webhook_happening order by d.id)
    into happened from changed d join former f on f.site_id = d.site_id and f.id = d.id
    where d.withdrawn_at is not null and f.withdrawn_at is null;
  end if;
  if happened is not null then perform publish_happenings(happened); end if;
  return null;
end $$;
