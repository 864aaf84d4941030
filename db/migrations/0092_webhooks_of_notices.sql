-- Webhooks hear of worn and of long stored tyres, too: what they heard last of a vehicle or a customer is not said again.
create index webhook_event_said on webhook_event (site_id, object, id) where kind in ('vehicle.worn', 'customer.long_stored');
