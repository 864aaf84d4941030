-- version 1, a03fef822528
-- Notes that a tyre is on its vehicle, where a statement says so that knows nothing of periods, such as an import. Two tyres of one
-- position can't both be.
create or replace function begin_mount() returns trigger language plpgsql as $$
begin
  if exists (select from mount where site_id = new.site_id and tyre_id = new.id and until is null and withdrawn is null) then return null; end if;
  insert into mount (site_id, tyre_id, customer_id, vehicle_id, position, since, source, change, account_id)
  values (new.site_id, new.id, new.customer_id, new.vehicle_id, new.position, new.status_date, 'imported', nextval('mount_change'), acting_account())
  on conflict do nothing;
  return null;
end $$;
