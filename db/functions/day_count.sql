-- version 1, 479e66738d81
-- The number of days in a set of ranges.
create or replace function day_count(days datemultirange) returns int language sql immutable parallel safe as $$
  select coalesce(sum(upper(span) - lower(span)), 0)::int from unnest(days) span
$$;
