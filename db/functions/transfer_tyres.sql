-- version 2, bf2067fba537
-- Gives tyres of one vehicle to a vehicle of another customer, on the positions of `places` and into the set `of_set`. Days up to and including
-- `on_day` are the former customer's, who keeps copies with all that happened to them. The caller has locked both vehicles and the tyres.
create or replace function transfer_tyres(of_site int, tyres int[], places text[], to_vehicle int, of_set text, on_day date, moment timestamptz, by_account int)
returns void language plpgsql as $$
declare
  former constant int := (select vehicle_id from tyre where site_id = of_site and id = tyres[1]);
  owner constant int := (select customer_id from vehicle where site_id = of_site and id = to_vehicle);
  copies int[];
begin
  update mount x set until = greatest(x.since, on_day), until_source = 'confirmed', until_change = nextval('mount_change')
  where x.site_id = of_site and x.tyre_id = any (tyres) and x.until is null and x.withdrawn is null;
  copies := hand_over_tyres(of_site, tyres, former, on_day, moment);
  update tyre t set customer_id = owner, vehicle_id = to_vehicle, position = p.place, tyre_set = of_set, invoiced_on = null, memo = '',
    status = case t.status when 'on_vehicle' then 'at_customer' else t.status end,
    status_date = case when t.status in ('in_stock', 'on_vehicle') then on_day else t.status_date end
  from unnest(tyres, places) p (tyre, place) where t.site_id = of_site and t.id = p.tyre;
  perform take_over_tyres(of_site, tyres, copies, on_day, moment, by_account);
end $$;
