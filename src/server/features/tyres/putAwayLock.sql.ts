/** The lock on what lies where in a warehouse. */
import { statement } from '../../db/statement.ts'
import { int, text } from '../../db/types.ts'

/** Lets one transaction of a site at a time change what lies where: two that look for room at once would take the same. */
export const lockPutAway = statement({
  name: 'locations.lockPutAway',
  parameters: { site: int },
  row: { pg_advisory_xact_lock: text },
  sql: `select pg_advisory_xact_lock(${0x7075_7461}, :site)`,
})
