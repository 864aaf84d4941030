-- version 1, 17dcd12169d5
-- version 1, 0
-- Begins what tyres are charged from `on_day` on, at the customer whose they are now, and notes the change with them and with the copies that
-- `hand_over_tyres` left.
create or replace function take_over_tyres(of_site int, tyres int[], copies int[], on_day date, moment timestamptz, by_account int)
returns void language plpgsql as $$
begin
  insert into stay (site_id, tyre_id, customer_id, vehicle_id, since)
  select site_id, id, customer_id, vehicle_id, on_day from tyre t
  where site_id = of_site and id = any (tyres) and status = 'in_stock'
    and not exists (select from stay s where s.site_id = of_site and s.tyre_id = t.id and s.until is null);
  insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, status, location_id, note)
  select site_id, id, customer_id, vehicle_id, 'transferred', moment, by_account, status, location_id, on_day::text from tyre
  where site_id = of_site and id = any (tyres || copies);
end $$;
