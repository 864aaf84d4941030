-- version 1, 3a973f998ed6
-- A day as eight digits, as lists send it.
create or replace function yyyymmdd(day date) returns text
  language sql immutable parallel safe strict
  return (extract(year from day) * 10000 + extract(month from day) * 100 + extract(day from day))::int::text;
