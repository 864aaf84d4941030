-- version 5, 6d66d6362a43
-- Gives a vehicle to another customer. Days up to and including `on_day` are the former customer's, who keeps a copy of the vehicle and its
-- tyres with all that happened to them; scrapped tyres stay with it. The caller has locked the vehicle and checked that no operation of it is open.
create or replace function transfer_vehicle(of_site int, of_vehicle int, to_customer int, on_day date, moment timestamptz, by_account int)
returns void language plpgsql as $$
declare
  tyres int[] := array(
    select id from tyre where site_id = of_site and vehicle_id = of_vehicle and removed_at is null and status <> 'waste' order by id for update);
  -- the copies, which the former customer keeps
  copies int[];
  kept int;
  -- where tyres are mounted: the former customer's until the day, the new one's from it on
  mounted bigint[];
  transfer constant bigint := nextval('mount_change');
begin
  insert into vehicle (site_id, customer_id, license_plate, number, chassis_number, brand, description, type, config_id,
    driver_name, driver_mobile, driver_telephone, driver_email, cost_centre, yearly_distance, left_on, contract_end, former_plates, created_at,
    removed_at, copy_of)
  select site_id, customer_id, license_plate, number, chassis_number, brand, description, type, config_id,
    driver_name, driver_mobile, driver_telephone, driver_email, cost_centre, yearly_distance, left_on, contract_end, former_plates, created_at,
    moment, id
  from vehicle where site_id = of_site and id = of_vehicle returning id into strict kept;
  update tyre set vehicle_id = kept where site_id = of_site and vehicle_id = of_vehicle and id <> all (tyres);

  with ended as (
    update mount x set until = greatest(x.since, on_day), until_source = x.source, until_change = transfer
    where x.site_id = of_site and x.tyre_id = any (tyres) and x.vehicle_id = of_vehicle and x.until is null and x.withdrawn is null
    returning x.id)
  select coalesce(array_agg(id), '{}') into mounted from ended;
  copies := hand_over_tyres(of_site, tyres, kept, on_day, moment);
  update stay set vehicle_id = kept where site_id = of_site and vehicle_id = of_vehicle;
  update stay set moved_from = array_replace(moved_from, of_vehicle, kept) where site_id = of_site and moved_on <> '{}' and of_vehicle = any (moved_from);
  update operation set vehicle_id = kept where site_id = of_site and vehicle_id = of_vehicle;
  update tyre_event set vehicle_id = kept where site_id = of_site and vehicle_id = of_vehicle;
  update document set vehicle_id = kept where site_id = of_site and vehicle_id = of_vehicle;
  update mount set vehicle_id = kept where site_id = of_site and vehicle_id = of_vehicle;
  update odometer set vehicle_id = kept where site_id = of_site and vehicle_id = of_vehicle;

  -- number, driver, group, distance and notes were the former customer's
  update vehicle set customer_id = to_customer, number = '', driver_name = '', driver_mobile = '', driver_telephone = '', driver_email = '',
    cost_centre = '', yearly_distance = null, left_on = null, contract_end = null
  where site_id = of_site and id = of_vehicle;
  update tyre set invoiced_on = null, memo = '', status_date = case status when 'in_stock' then on_day else status_date end
  where site_id = of_site and id = any (tyres);
  insert into mount (site_id, tyre_id, customer_id, vehicle_id, position, since, source, change, account_id, entered_at)
  select of_site, c.tyre, to_customer, of_vehicle, m.position, m.until, m.source, transfer, by_account, moment
  from mount m join unnest(tyres, copies) c (tyre, copy) on c.copy = m.tyre_id where m.site_id = of_site and m.id = any (mounted);
  perform take_over_tyres(of_site, tyres, copies, on_day, moment, by_account);
end $$;
