-- A wheel that is fitted to another vehicle or set while it is stored: its days up to then stay those of the former one.
alter table stay
  add column moved_on date[] not null default '{}',      -- the last day of each former vehicle and set
  add column moved_from int[] not null default '{}',     -- the vehicle until then
  add column moved_sets text[] not null default '{}',    -- the set until then; null: none
  add check (cardinality(moved_on) = cardinality(moved_from) and cardinality(moved_on) = cardinality(moved_sets)),
  -- days before an arrival that is corrected to a later one are prepaid, too
  drop constraint stay_check1,
  add check (until is not null or not settled);
create index stay_vehicle on stay (site_id, vehicle_id);
create index stay_moved on stay (site_id, customer_id) where moved_on <> '{}';

-- The stays by vehicle and set: of most there is one part. `came` and `gone`: of the whole stay.
create view stay_part with (security_invoker = true) as
  select site_id, id as stay_id, tyre_id, customer_id, vehicle_id, tyre_set, size_class, with_rim, since, until, since as came,
    until is not null as gone, settled
  from stay where moved_on = '{}'
  union all
  select s.site_id, s.id, s.tyre_id, s.customer_id, part.vehicle_id, part.tyre_set, s.size_class, s.with_rim,
    greatest(s.since, part.since), least(s.until, part.until), s.since, s.until is not null, s.settled
  from stay s cross join lateral (
    select vehicle_id, tyre_set, lag(moved_on) over (order by nth) as since, moved_on as until
    from unnest(s.moved_on || null::date, s.moved_from || s.vehicle_id, s.moved_sets || s.tyre_set)
      with ordinality as former(moved_on, vehicle_id, tyre_set, nth)) part
  where s.moved_on <> '{}' and greatest(s.since, part.since) < coalesce(least(s.until, part.until), 'infinity');
grant select on stay_part to wheelhouse_app;

-- A stay whose arrival is corrected while the wheel is there.
create trigger stay_is_corrected before update on stay for each row
  when (new.until is null and (new.since > old.since or old.prepaid)) execute function settle_stay();
