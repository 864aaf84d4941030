/** Works on billing runs and reminders in a process of its own (background.ts): its first message says how, and it tells what comes of it. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, type Access } from '../../db/database.ts'
import { workNext } from '../billing/work.ts'
import { remindNext } from '../reminders/reminding.ts'

export type Order = {
  readonly access: Access
  /** How long it waits for more once nothing is left to do, in ms. */
  readonly linger: number
  /** Whether there is a mail server: without one letters are printed. */
  readonly sendsMail: boolean
}
/** The site whose turn it wants to take, and that the turn is over; the site of a run whose state has changed; what failed. */
export type TurnMessage =
  | { readonly turn: number }
  | { readonly over: true }
  | { readonly changed: number }
  | { readonly failed: string }

/** How often it looks for more, in ms. */
const every = 500

const tell = (message: TurnMessage): void => void process.send?.(message)

async function inTurn<T>(site: number, work: () => Promise<T>): Promise<T> {
  tell({ turn: site })
  await once(process, 'message')
  const began = performance.now()
  const answer = await work().finally(() => tell({ over: true }))
  // leaves half of the processor to the requests
  await sleep(performance.now() - began)
  return answer
}

process.once('disconnect', () => process.exit())
process.once('message', async ({ access, linger, sendsMail }: Order) => {
  // one transaction after the other
  const database = openDatabase(access.url, { ...access, size: 1 })
  const options = {
    inTurn,
    changed: (site: number) => tell({ changed: site }),
    failed: (problem: string) => tell({ failed: problem }),
  }
  let worked = performance.now()
  try {
    while (performance.now() - worked < linger) {
      const hasWorked =
        (await workNext(database, options)) || (await remindNext(database, { ...options, mails: sendsMail }))
      if (hasWorked) worked = performance.now()
      else await sleep(every)
    }
    await database.close()
  } catch (error) {
    tell({ failed: (error as Error).message })
    process.exitCode = 1
  }
  process.disconnect()
})
