-- Customers have webhook endpoints of their own, which are told what happens to what is theirs (docs/decisions/0058).
alter table webhook_endpoint
  add column customer_id int,                 -- none: the site's, which is told of all customers
  add column account_id int references account on delete set null,  -- who added it, of a customer
  add foreign key (site_id, customer_id) references customer;
create index webhook_endpoint_customer on webhook_endpoint (site_id, customer_id) where customer_id is not null;
create index webhook_endpoint_account on webhook_endpoint (account_id) where account_id is not null;
create policy customer_rows on webhook_endpoint as restrictive using (
  (select coalesce(current_setting('app.customer', true), '') = '')
  or customer_id = (select nullif(current_setting('app.customer', true), '')::int));

-- Whatever a customer does is told to the site, whose endpoints the customer can't see: while these functions look for endpoints, the
-- session is nobody's. A `set` clause would say so shorter, and only a superuser may write one for a parameter of our own.
create function any_webhook() returns boolean language plpgsql as $$
declare
  before constant text := current_setting('app.customer', true);
  found boolean;
begin
  perform set_config('app.customer', '', true);
  found := exists (select from webhook_endpoint where enabled);
  perform set_config('app.customer', coalesce(before, ''), true);
  return found;
end $$;

do $$
declare
  publishes regproc;
begin
  foreach publishes in array array['publish_operations', 'publish_tyre_events', 'publish_documents']::regproc[] loop
    execute replace(pg_get_functiondef(publishes), 'not exists (select from webhook_endpoint where enabled)', 'not any_webhook()');
  end loop;
end $$;

drop function publish_happenings;
create function publish_happenings(happened webhook_happening[]) returns void language plpgsql as $$
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

-- What somebody added for their company is off once they no longer belong to it, until a colleague switches it on.
create function switch_off_webhooks() returns trigger language plpgsql as $$
begin
  update webhook_endpoint set enabled = false where account_id = new.id and enabled;
  return null;
end $$;
create trigger account_webhooks_end after update of type, customer_id, disabled_at on account for each row
  when (new.type is distinct from old.type or new.customer_id is distinct from old.customer_id
    or new.disabled_at is not null and old.disabled_at is null)
  execute function switch_off_webhooks();
