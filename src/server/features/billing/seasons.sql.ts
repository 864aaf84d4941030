/** The statements of what seasons include. */
import { statement } from '../../db/statement.ts'
import { date, int, text } from '../../db/types.ts'

/** The sites where storage is charged by the season. */
export const sitesWithSeasons = statement({
  name: 'billing.sitesWithSeasons',
  row: { site: int, timeZone: text },
  sql: `select s.id as site, s.time_zone as "timeZone" from site s
   where s.retired_at is null and exists (select from tariff_rule r where r.site_id = s.id and r.mode = 'per_season') order by s.id`,
})

/** The customers of a site who may have days that a season includes: of stays that ended, or beside what a document charges for a season that is not long past. */
export const customersInSeason = statement({
  name: 'billing.customersInSeason',
  parameters: { site: int, today: date },
  row: { customer: int },
  sql: `select distinct customer_id as customer from (
     select customer_id from stay where site_id = :site and until is not null and not settled
     union all
     select l.customer_id from tariff_rule r join storage_ledger l on l.site_id = r.site_id and l.season_rule_id = r.id
       and l.state = 'charged' and l.released_at is null
     where r.site_id = :site and r.mode = 'per_season' and r.since <= :today::date and r.until >= :today::date - 31) found
   order by 1`,
})
