-- version 2, 2794c6abc039
-- The wheels of each axle, left and right, from the front: what tyre positions are made of (src/domain/vehicles/axle.ts).
create or replace function wheels_of(axles jsonb) returns jsonb language sql immutable parallel safe as $$
  select jsonb_agg(jsonb_build_array(a -> 'left', a -> 'right') order by nth)
  from jsonb_array_elements(axles) with ordinality as axle (a, nth) where a ->> 'type' = 'axle'
$$;
