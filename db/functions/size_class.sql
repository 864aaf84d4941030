-- version 1, bab1d2bd52da
-- The size class of a tyre by its rim in inches; rims of trucks have half inches. Null: the rim is unknown.
create or replace function size_class(rim numeric) returns text language sql immutable parallel safe as $$
  select case when rim is null then null when rim >= 17 and rim % 1 = 0.5 then 'truck' when rim < 17 then 'small' when rim < 19 then 'medium' else 'large' end
$$;
