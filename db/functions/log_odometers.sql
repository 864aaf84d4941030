-- version 1, f536516eb9ab
-- Logs the odometer that came with a depth reading or a storage, once for all wheels of a vehicle, and takes it back with the last
-- reading that had it.
create or replace function log_odometers() returns trigger language plpgsql as $$
begin
  insert into odometer (site_id, vehicle_id, customer_id, day, km, source, account_id)
  select distinct on (r.site_id, r.vehicle_id, r.day, r.km) r.site_id, r.vehicle_id, r.customer_id, r.day, r.km, r.source, r.account_id
  from (
    select e.site_id, e.vehicle_id, e.customer_id, (e.at at time zone s.time_zone)::date as day, e.odometer as km,
      case e.kind when 'received' then 'storage' else 'depth' end as source, e.account_id
    from added e join site s on s.id = e.site_id
    where e.odometer between 1 and 9999999 and e.kind in ('measured', 'received')) r
  where not exists (
    select from odometer o where o.site_id = r.site_id and o.vehicle_id = r.vehicle_id and o.day = r.day and o.km = r.km and o.withdrawn_at is null)
  order by r.site_id, r.vehicle_id, r.day, r.km;
  update odometer o set withdrawn_at = now()
  from added back
    join tyre_event e on e.site_id = back.site_id and e.id = back.undoes
    join site s on s.id = e.site_id
  where back.kind = 'unmeasured' and o.site_id = e.site_id and o.vehicle_id = e.vehicle_id and o.source = 'depth' and o.withdrawn_at is null
    and o.km = e.odometer and o.day = (e.at at time zone s.time_zone)::date
    and not exists (
      select from tyre_event other where other.site_id = e.site_id and other.vehicle_id = e.vehicle_id and other.kind = 'measured'
        and other.odometer = e.odometer and (other.at at time zone s.time_zone)::date = o.day
        and not exists (select from tyre_event taken where taken.site_id = other.site_id and taken.undoes = other.id));
  return null;
end $$;
