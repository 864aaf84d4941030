-- version 1, cfb66e244e7f
-- Moves a wheel to another state when it is in one of the wanted states; otherwise it stays as it is.
create or replace function take_step(of_site int, of_tyre int, what text, wanted text[], target text, place int) returns void language sql as $$
  update wheel set state = target, location_id = place, step = what, since = now()
  where site_id = of_site and tyre_id = of_tyre and state = any (wanted) and (state, location_id) is distinct from (target, place)
$$;
