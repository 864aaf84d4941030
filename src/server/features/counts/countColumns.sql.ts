/** Parts of the statements of stock counts: a count with its sums, and a difference (docs/product/warehouse.md "Counting"). */
import { differences } from '#domain/warehouse/count.ts'
import { findingJoins, openFinding, placeable } from '../wheels/finding.sql.ts'

/** The location `id` and everything below it, as `branch`. */
export const branchBelow = (id: string): string => `
  branch as (
    select l.* from location l where l.site_id = :site and l.id = ${id}
    union all
    select l.* from branch b join location l on l.site_id = :site and l.parent_id = b.id)`

/** The columns of a count `s`. */
export const headColumns = `s.id as _id, s.place, s.day, s.started_at as started, s.ended_at as ended,
  coalesce((select coalesce(nullif(a.fullname, ''), a.username) from account a where a.id = s.started_by), '') as by`

/** A difference `f` in wire form, with `findingJoins`. */
export const differenceColumns = `f.id as finding, f.outcome, c.counted_at, c.location_id as location, c.zone, c.place as stock_rack,
  f.tyre_id as db_id, t.vehicle_id as flt_id,
  coalesce((select coalesce(nullif(cu.company, ''), cu.name) from customer cu where cu.site_id = t.site_id and cu.id = t.customer_id), '') as companyname,
  coalesce((select v.license_plate from vehicle v where v.site_id = t.site_id and v.id = t.vehicle_id), '') as license_plate,
  coalesce(t.position, '') as position, coalesce(t.description, '') as description, f.label_site, f.label_tyre,
  f.belongs_id as belongs, f.belongs as belongs_rack,
  case when f.outcome in ('missing', 'twice') then coalesce((
    select there.place from counted_place there
    where there.site_id = c.site_id and there.count_id = c.count_id and there.id <> c.id and there.location_id is distinct from c.location_id
      and f.tyre_id = any (there.tyres) order by there.counted_at desc, there.id desc limit 1), '') else '' end as seen_rack,
  ${openFinding} as open, ${placeable} as placeable, f.solved, f.reason`

const summed = (name: string): string => `coalesce(sum(told."${name}"), 0)::int as ${name}_count`

/**
 * The sums of the places that `where` selects, each as counted last, grouped by `by`. A wheel that turned out to be there counts as found.
 */
export const sumsOf = (where: string, by = ''): string => `
  select ${by === '' ? '' : `${by}, `}count(*)::int as counted, count(*) filter (where wrong = 0)::int as clean,
    coalesce(sum(agreeing + again), 0)::int as found_count, ${differences.map(summed).join(', ')}
  from (
    select distinct on (c.count_id, coalesce(c.location_id, -c.id)) c.*
    from counted_place c where c.site_id = :site and ${where}
    order by c.count_id, coalesce(c.location_id, -c.id), c.counted_at desc, c.id desc) place
    cross join lateral (
      select count(*) filter (where f.solved is not distinct from 'again') as again,
        count(*) filter (where f.solved is distinct from 'again') as wrong,
        ${differences.map(outcome => `count(*) filter (where f.outcome = '${outcome}' and f.solved is distinct from 'again') as "${outcome}"`).join(', ')}
      from count_finding f where f.site_id = :site and f.counted_id = place.id) told
  ${by === '' ? '' : `group by ${by}`}`

/** A count `s` with its sums, in wire form: what follows `select`. */
export const summaryColumns = `${headColumns}, sums.*,
  case when s.day is null then (with recursive ${branchBelow('s.location_id')} select count(*)::int from branch where capacity > 0) end as place_count,
  (select count(*)::int from count_finding f ${findingJoins} where f.site_id = :site and c.count_id = s.id and ${openFinding}) as open
  from stock_count s cross join lateral (${sumsOf('c.count_id = s.id')}) sums`
