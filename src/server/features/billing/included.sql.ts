/** The statements of what documents and seasons include. */
import { z } from 'zod'
import { statement } from '../../db/statement.ts'
import { date, int, text } from '../../db/types.ts'

/** The sites that store tyres. */
export const sitesThatStore = statement({
  name: 'billing.sitesThatStore',
  row: { site: int, timeZone: text },
  sql: `select id as site, time_zone as "timeZone" from site where retired_at is null and mode <> 'fleetonly' order by id`,
})

/**
 * The customers of a site who may have days that cost nothing of their own: of stays that ended, where storage is charged by the season or
 * a document charges such a day for another wheel of the set; and beside what a document charges for a season that is not long past.
 */
export const customersWithIncluded = statement({
  name: 'billing.customersWithIncluded',
  parameters: { site: int, today: date },
  row: { customer: int },
  sql: `with season as materialized (
     select id, since, until from tariff_rule where site_id = :site and mode = 'per_season'
   ), gone as materialized (
     select customer_id, tyre_id, vehicle_id, tyre_set, since, until from stay_part where site_id = :site and gone and not settled
   )
   select distinct customer_id as customer from (
     select customer_id from gone where exists (select from season)
     union all
     select gone.customer_id from gone
       join stay_part s on s.site_id = :site and s.customer_id = gone.customer_id and s.vehicle_id = gone.vehicle_id and s.tyre_set = gone.tyre_set
         and s.tyre_id <> gone.tyre_id
       join storage_ledger l on l.site_id = s.site_id and l.tyre_id = s.tyre_id and l.since < gone.until and l.until > gone.since
         and l.document_id is not null and l.state = 'charged' and l.released_at is null
     union all
     select l.customer_id from season r join storage_ledger l on l.site_id = :site and l.season_rule_id = r.id
       and l.state = 'charged' and l.released_at is null
     where r.since <= :today::date and r.until >= :today::date - 31) found
   order by 1`,
})

/** Locks customers against documents that are made or withdrawn meanwhile. */
export const lockPayers = statement({
  name: 'billing.lockPayers',
  parameters: { site: int, customers: z.array(int) },
  row: { id: int },
  sql: `select id from customer where site_id = :site and id = any (:customers::int[]) order by id for no key update`,
})
