/**
 * Billing runs and reminders in a process of their own (docs/decisions/0054): what a document takes of a processor would hold up a scan that comes
 * meanwhile. The process is there while there is a run to work on, and a little longer, since a preview is often followed by its documents.
 */
import { forkInBackground } from '../../childProcess.ts'
import type { Access, Database } from '../../db/database.ts'
import { startWorker, type Worker } from '../../worker.ts'
import type { Order, TurnMessage } from './background.process.ts'
import type { BillingOptions } from '../billing/work.ts'
import * as sql from './runs.sql.ts'

type Options = Required<Pick<BillingOptions, 'inTurn' | 'changed' | 'failed'>> & {
  /** How the process opens the database. */
  readonly access: Access
  /** How long it waits for more once nothing is left to do, in ms. */
  readonly linger?: number
  /** Whether there is a mail server: without one letters are printed. */
  readonly sendsMail: boolean
}

/** How long a process waits for more, in ms. */
const defaultLinger = 30_000

/** Works on the runs of all sites from now on. */
export const startRuns = (database: Database, options: Options): Worker =>
  startWorker({
    async next(signal) {
      const { waiting } = await database.transaction({ system: true }, tx => tx.single.one(sql.isWaiting, {}))
      if (waiting) await workInBackground(options, signal)
      return waiting
    },
    onError: options.failed,
  })

/** Lets a process work until nothing is left to do. It may be killed at any moment: the next one goes on with what it left. */
async function workInBackground(
  { access, inTurn, changed, failed, sendsMail, linger = defaultLinger }: Options,
  signal: AbortSignal,
): Promise<void> {
  const child = forkInBackground(
    new URL('background.process.ts', import.meta.url),
    { access, linger, sendsMail } satisfies Order,
    signal,
  )
  let endTurn: (() => void) | undefined
  /** Lets the process take its turn. It may have ended while it waited for that. */
  const turn = (): Promise<void> =>
    new Promise(resolve => {
      endTurn = resolve
      if (child.connected) child.send('go', () => {})
      else resolve()
    })
  child.on('message', (message: TurnMessage) => {
    if ('turn' in message)
      void inTurn(message.turn, turn).catch((error: Error) => {
        failed(error.message)
        child.kill()
      })
    else if ('over' in message) endTurn?.()
    else if ('changed' in message) changed(message.changed)
    else failed(message.failed)
  })
  // it is said by how the process ends
  child.on('error', () => {})
  const code = await new Promise<number | null>(resolve => child.once('close', resolve))
  endTurn?.()
  if (code !== 0 && !signal.aborted) throw new Error(`the process of runs ended with ${code}`)
}
