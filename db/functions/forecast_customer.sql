-- version 1, 6dd174e7307f
-- Has all vehicles of a customer forecast again when the depth changes down to which their tyres may be used.
create or replace function forecast_customer() returns trigger language plpgsql as $$
begin
  insert into forecast_due (site_id, vehicle_id)
  select site_id, id from vehicle where site_id = new.site_id and customer_id = new.id and removed_at is null;
  return null;
end $$;
