-- version 1, b1a0b015572e
-- When a vehicle goes to another customer, reports of damage and their photos stay with the copy that the former one keeps. Damage
-- that has not ended is reported anew for the tyre itself, without note or photo.
create or replace function keep_reports() returns trigger language plpgsql as $$
begin
  update damage_report set tyre_id = new.id where site_id = new.site_id and tyre_id = new.copy_of;
  insert into damage_report (site_id, tyre_id, customer_id, code, at)
  select site_id, new.copy_of, customer_id, code, min(at) from damage_report
  where site_id = new.site_id and tyre_id = new.id and code is not null and ended is null
  group by site_id, customer_id, code;
  return null;
end $$;
