-- version 1, 2c577adf2f6e
-- Begins a stay when a tyre comes into the store, and ends it when the tyre leaves, whichever statement changes it.
create or replace function keep_stay() returns trigger language plpgsql as $$
begin
  if new.status = 'in_stock' and new.removed_at is null then
    update stay set since = new.status_date where site_id = new.site_id and tyre_id = new.id and until is null;
    if not found then
      insert into stay (site_id, tyre_id, customer_id, vehicle_id, since)
      values (new.site_id, new.id, new.customer_id, new.vehicle_id, new.status_date);
    end if;
  else
    update stay set until = greatest(since, case when new.status = 'in_stock' then new.removed_at::date else new.status_date end)
    where site_id = new.site_id and tyre_id = new.id and until is null;
  end if;
  return null;
end $$;
