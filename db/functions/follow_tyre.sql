-- version 1, 4437707ac6cb
-- Moves a wheel when its tyre changes status or place.
create or replace function follow_tyre() returns trigger language plpgsql as $$
declare
  known record;
  target text;
  place int;
  what text;
begin
  select state, location_id, step into known from wheel where site_id = new.site_id and tyre_id = new.id for no key update;
  target := known.state;
  place := known.location_id;
  what := case when old.status = 'waste' then 'correct' when old.status <> 'in_stock' then 'store' end;
  if new.status = 'waste' then
    target := 'scrapped';
    place := null;
    what := 'scrap';
  elsif new.status <> 'in_stock' then
    if old.status in ('in_stock', 'waste') then
      target := 'with_customer';
      place := null;
      what := coalesce(what, 'deliver');
    end if;
  elsif old.status <> 'in_stock' and known.state = 'on_cart' then
    null; -- stored, and still on its way
  elsif new.location_id is not null then
    target := 'at_place';
    place := new.location_id;
    what := coalesce(what, 'place');
  elsif old.status <> 'in_stock' or known.state = 'at_place' then
    target := 'received';
    place := null;
    what := coalesce(what, 'displace');
  end if;
  if (target, place) is distinct from (known.state, known.location_id) then
    update wheel set status = new.status, state = target, location_id = place, step = what, since = now()
    where site_id = new.site_id and tyre_id = new.id;
  elsif old.status <> new.status then
    update wheel set status = new.status where site_id = new.site_id and tyre_id = new.id;
  end if;
  return null;
end $$;
