/** Backups by themselves: one a night into the folder of BACKUP_TO, by whichever node comes first (docs/decisions/0036). */
import { formatMoment } from '#domain/texts/date.ts'
import { forkInBackground } from '../childProcess.ts'
import type { Database } from '../db/database.ts'
import { startWorker, type Worker } from '../worker.ts'
import type { BucketAccess } from './bucket.ts'
import type { Order, Outcome } from './backup.process.ts'
import type { Passphrase } from './encryption.ts'
import * as sql from './nightly.sql.ts'

/** When a backup is due, in the time of the machine. */
const hour = 2
/** A good backup older than this is late, in hours. */
const lateAfter = 26
/** How often a node looks, in ms. */
const every = 60_000

export type Backups = {
  /** The database as the owner of its tables. */
  readonly url: string
  /** A path, or an address in a store that speaks S3. */
  readonly folder: string
  readonly access: BucketAccess | null
  readonly passphrase: Passphrase
  /** When this portal began to take backups: without any, the first one is late from then on. */
  readonly since: Date
  readonly sendsMail: boolean
  /** Says what failed. */
  readonly log: (problem: string) => void
  readonly run?: (order: Order, signal: AbortSignal) => Promise<Outcome>
}

const two = (part: number): string => String(part).padStart(2, '0')

/** The night, as a day, whose backup is due at a moment. */
export function nightOf(now: Date): string {
  const night = new Date(now.getTime() - hour * 3_600_000)
  return `${night.getFullYear()}-${two(night.getMonth() + 1)}-${two(night.getDate())}`
}

/** Whether the latest good backup is too old. */
export const isLate = (latest: Date, now: Date): boolean => now.getTime() - latest.getTime() > lateAfter * 3_600_000

/** Takes the backup that is due, if any is, and tells people of a late one. */
export async function backUpIfDue(
  database: Database,
  backups: Backups,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<void> {
  const { url, folder, access, passphrase, log, run = runChild } = backups
  const system = { system: true }
  const night = nightOf(now)
  const taken = await database.transaction(system, tx => tx.maybe(sql.takeNight, { night, now }))
  if (taken) {
    const alive = setInterval(() => {
      const heartbeat = database.transaction(system, tx => tx.run(sql.noteAlive, { night, now: new Date() }))
      heartbeat.catch(error => log(String(error)))
    }, every)
    const outcome = await run({ url, folder, access, passphrase, now: now.toISOString() }, signal).finally(() =>
      clearInterval(alive),
    )
    const { file, rows, bytes, problem } =
      'problem' in outcome ? { ...nothing, ...outcome } : { ...outcome, problem: '' }
    if (problem !== '') log(problem)
    const ended = new Date(Math.max(Date.now(), now.getTime()))
    await database.transaction(system, tx => tx.run(sql.endNight, { night, now: ended, file, rows, bytes, problem }))
  }
  await tellOfLate(database, backups, now)
}
const nothing = { file: '', rows: null, bytes: null }

async function tellOfLate(database: Database, { since, sendsMail, log }: Backups, now: Date): Promise<void> {
  await database.transaction({ system: true }, async tx => {
    const { at, problem } = await tx.one(sql.latestBackup, {})
    if (!isLate(at === null ? since : new Date(at), now)) return
    if ((await tx.count(sql.noteAlarm, { night: nightOf(now), now })) === 0) return
    const latest = `${formatMoment((at === null ? since : new Date(at)).toISOString(), 'UTC').slice(0, -3)} UTC`
    log(`no good backup since ${latest}: ${problem}`)
    if (sendsMail) await tx.run(sql.mailLate, { facts: JSON.stringify({ latest, problem }), now })
  })
}

/** Takes backups from now on. */
export const startBackups = (database: Database, backups: Backups): Worker =>
  startWorker({
    async next(signal) {
      await backUpIfDue(database, backups, { now: new Date(), signal })
      return false
    },
    onError: backups.log,
    idleMs: every,
  })

function runChild(order: Order, signal: AbortSignal): Promise<Outcome> {
  return new Promise(resolve => {
    const child = forkInBackground(new URL('backup.process.ts', import.meta.url), order, signal)
    let outcome: Outcome = { problem: 'the process of the backup ended' }
    child.on('message', message => (outcome = message as Outcome))
    child.on('error', error => (outcome = { problem: error.message }))
    child.once('close', () => resolve(outcome))
  })
}
