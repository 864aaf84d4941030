/** The state of the automatic backups. */
import { isLate } from '../../backup/nightly.ts'
import { latestBackup } from '../../backup/nightly.sql.ts'
import type { Handlers } from '../handler.ts'

export const backups: Handlers['backups'] = {
  async latest({ tx, who, now, request: { backupsSince } }) {
    if (backupsSince === null) return { on: false, latest: null, late: false, problem: '' }
    const { at, problem } = await tx.one(latestBackup, {})
    const latest = at === null ? null : new Date(at)
    return {
      on: true,
      latest: latest?.toISOString() ?? null,
      late: isLate(latest ?? backupsSince, now),
      problem: who.type === 'superuser' ? problem : '',
    }
  },
}
