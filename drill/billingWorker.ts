/**
 * The worker of billing runs in a process of its own, which can be killed: `node drill/billingWorker.ts URL NOW`. It ends when nothing
 * is left to do.
 */
import { openDatabase } from '../src/server/db/database.ts'
import { workNext } from '../src/server/features/billing/work.ts'

/** It says how much memory it has after so many turns, and at its end. */
const turnsBetween = 10

async function work(url: string, now: Date): Promise<void> {
  const database = openDatabase(url)
  process.once('disconnect', () => process.exit(0))
  for (let turns = 1; await workNext(database, { clock: () => now }); turns++)
    if (turns % turnsBetween === 0) process.send?.(process.memoryUsage().rss)
  process.send?.(process.memoryUsage().rss)
  await database.close()
  process.disconnect()
}

if (import.meta.main) await work(process.argv[2] ?? '', new Date(process.argv[3] ?? ''))
