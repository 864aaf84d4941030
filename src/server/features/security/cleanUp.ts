/**
 * Removes security events that are older than the operator wants to keep them (SECURITY_EVENTS_KEPT). The portal's own role can't remove
 * history, so this works as the owner of the tables, on a connection of its own.
 */
import pg from 'pg'
import { startWorker, type Worker } from '../../worker.ts'

/** Removes what is older than so many months. @returns how many events */
export async function deleteOldSecurityEvents(ownerUrl: string, months: number, now: Date): Promise<number> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'wheelhouse clean-up' })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`select set_config('app.scope', 'system', true)`)
    const older = 'at < $1::timestamptz - make_interval(months => $2)'
    await client.query(`delete from security_event_origin where ${older}`, [now, months])
    const { rowCount } = await client.query(`delete from security_event where ${older}`, [now, months])
    await client.query('commit')
    return rowCount ?? 0
  } finally {
    await client.end()
  }
}

const dayMs = 86_400_000

/** Does so once a day from now on. Several nodes may: the second one finds nothing. */
export function startSecurityCleanUp(
  ownerUrl: string,
  { months, removed, failed }: { months: number; removed: (events: number) => void; failed: (problem: string) => void },
): Worker {
  return startWorker({
    async next() {
      const events = await deleteOldSecurityEvents(ownerUrl, months, new Date())
      if (events > 0) removed(events)
      return false
    },
    onError: failed,
    idleMs: dayMs,
  })
}
