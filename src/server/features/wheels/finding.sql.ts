/** Parts of statements about what a count found: whether it is still open, and whose wheel it is (docs/product/warehouse.md "Counting"). */

/** A difference is open until somebody solves it, its wheel takes a step, its place is counted again, or its wheel turns up elsewhere. */
export const openFinding = `f.solved is null and (f.tyre_id is null or w.since <= c.counted_at)
  and not exists (select from counted_place later
    where later.site_id = c.site_id and later.location_id = c.location_id and later.counted_at > c.counted_at)
  and (f.outcome <> 'missing' or not exists (
    select from count_finding other join counted_place there on there.site_id = other.site_id and there.id = other.counted_id
    where other.site_id = f.site_id and other.tyre_id = f.tyre_id and other.outcome in ('moved', 'twice')
      and (there.count_id = c.count_id or there.counted_at > c.counted_at)))`

/** The place `c` that a difference `f` was found on, its tyre `t`, and its wheel `w`. */
export const findingJoins = `
  join counted_place c on c.site_id = f.site_id and c.id = f.counted_id
  left join tyre t on t.site_id = f.site_id and t.id = f.tyre_id
  left join wheel w on w.site_id = f.site_id and w.tyre_id = f.tyre_id`

/** Whether the wheel of a difference may be put on a place: it is in stock, or its storage is submitted. */
export const placeable = `coalesce(t.removed_at is null and (t.status = 'in_stock' or exists (
  select from operation_tyre held join operation o on o.site_id = held.site_id and o.id = held.operation_id
  where held.site_id = t.site_id and held.tyre_id = t.id and held.open and o.type = 'to_stock' and o.status = 'submitted')), false)`
