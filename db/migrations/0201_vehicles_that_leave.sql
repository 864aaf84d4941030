-- A vehicle leaves the fleet, and tyres may stay with it: for another vehicle, a recall or a disposal. Its plate is free then.
alter table vehicle
  add column left_on date,                          -- null: it is in the fleet
  add column contract_end date,                     -- when it goes back; null: nobody says
  add column former_plates text not null default ''; -- with blanks between them, the last one last
create unique index vehicle_plate_of_fleet on vehicle (site_id, license_plate, customer_id, type) where removed_at is null and left_on is null;
drop index vehicle_plate;
alter index vehicle_plate_of_fleet rename to vehicle_plate;
create index vehicle_left on vehicle (site_id, customer_id) where removed_at is null and left_on is not null;
create index vehicle_renamed on vehicle (site_id) where removed_at is null and former_plates <> '';
create trigger plate_is_kept before update of license_plate on vehicle for each row
  when (old.license_plate <> new.license_plate) execute function keep_plate();

-- The plates that the audit names vehicles by.
do $$
declare
  place int;
begin
  perform set_config('app.scope', 'system', true);
  for place in select id from site order by id loop
    perform set_config('app.site', place::text, true);
    update vehicle v set former_plates = former.plates
    from (
      select vehicle_id, string_agg(plate, ' ' order by last) as plates
      from (
        select substr(subject, 9)::int as vehicle_id, facts ->> 'plate' as plate, max(id) as last from audit
        where site_id = place and subject ~ '^vehicle \d{1,9}$' and facts ->> 'plate' ~ '^[^[:space:][:punct:]]+$'
        group by 1, 2) entry
      where plate <> (select license_plate from vehicle where site_id = place and id = vehicle_id)
      group by vehicle_id) former
    where v.site_id = place and v.id = former.vehicle_id;
  end loop;
  perform set_config('app.scope', '', true), set_config('app.site', '', true);
end $$;

alter table vehicle alter column words set expression as (folded(license_plate || ' ' || number || ' ' || brand || ' ' || description || ' '
  || driver_name || ' ' || former_plates));
