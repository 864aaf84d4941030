-- version 1, ec2031fd7210
-- Records each step of a wheel in the history of its tyre. Scans record their own in one statement with the rest.
create or replace function record_step() returns trigger language plpgsql as $$
begin
  insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, account_id, location_id, step, wheel, device)
  select new.site_id, new.tyre_id, t.customer_id, t.vehicle_id, 'wheel', nullif(current_setting('app.account', true), '')::int,
    new.location_id, new.step, new.state, nullif(current_setting('app.device', true), '')::uuid
  from tyre t where t.site_id = new.site_id and t.id = new.tyre_id;
  return null;
end $$;
