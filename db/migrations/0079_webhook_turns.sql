-- Which delivery is next is looked up for each endpoint, however many wait there or at another one.
create index webhook_delivery_next on webhook_delivery (site_id, endpoint_id, due_at, event_id)
  where delivered_at is null and given_up_at is null;
create index webhook_delivery_leased on webhook_delivery (site_id, endpoint_id)
  where leased_until is not null and delivered_at is null and given_up_at is null;
drop index webhook_delivery_due;
