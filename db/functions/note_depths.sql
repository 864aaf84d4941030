-- version 1, 352dda8c973b
-- Notes a depth reading, for notices. Whether a tyre is worn is decided by the portal's rules.
create or replace function note_depths() returns trigger language plpgsql as $$
begin
  insert into happening (site_id, customer_id, kind, vehicle_id, account_id)
  select e.site_id, e.customer_id, 'measured', e.vehicle_id, acting_account()
  from added e where e.kind = 'measured' group by e.site_id, e.customer_id, e.vehicle_id;
  return null;
end $$;
