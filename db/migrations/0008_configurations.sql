-- Vehicle configurations that are changed and removed at the site: what vehicles have keeps its wheels.

-- Which vehicles have a configuration: it is counted, and asked before one is removed.
create index vehicle_configured on vehicle (site_id, config_id);

-- The wheels of each axle, left and right, from the front: what tyre positions are made of (domain/axle.ts).
create function wheels_of(axles jsonb) returns jsonb language sql immutable parallel safe as $$
  select jsonb_agg(jsonb_build_array(a -> 'left', a -> 'right') order by nth)
  from jsonb_array_elements(axles) with ordinality as axle (a, nth) where a ->> 'type' = 'axle'
$$;

-- A configuration is set once and never again (SPEC §4 "Vehicle configuration"): not by changing it under its vehicles either.
create function keep_wheels() returns trigger language plpgsql as $$
begin
  if wheels_of(new.axles) is distinct from wheels_of(old.axles)
    and exists (select from vehicle v where v.site_id = old.site_id and v.config_id = old.id) then
    raise exception 'vehicles have this configuration' using errcode = 'WH003';
  end if;
  return new;
end $$;
create trigger vehicle_config_keeps_its_wheels before update of axles on vehicle_config
  for each row execute function keep_wheels();
