/** Side channels that somebody outside could measure: which statements an answer takes, and how many passwords are hashed for it. */
import { createHook } from 'node:async_hooks'
import type { Database, Tx } from '../db/database.ts'
import type { Statement } from '../db/statement.ts'

const asking = ['rows', 'maybe', 'one', 'json', 'count', 'run'] as const
type Asking = Pick<Tx, (typeof asking)[number]>

/** A database that writes the names of its statements into `names`, in the order in which they are run. */
export function recordStatements(database: Database, names: string[]): Database {
  const noting = <T extends Asking>(handler: T): T => {
    const noted = { ...handler }
    for (const way of asking) {
      const run = handler[way] as (statement: Statement, parameters: unknown) => Promise<unknown>
      noted[way] = ((statement: Statement, parameters: unknown) => {
        names.push(statement.name)
        return run(statement, parameters)
      }) as never
    }
    return noted
  }
  return {
    ...database,
    transaction: (scope, work) => database.transaction(scope, tx => work({ ...noting(tx), single: noting(tx.single) })),
  }
}

/** How many passwords and codes are hashed during some work, and at most how many at once. */
export async function countHashes(work: () => Promise<unknown>): Promise<{ all: number; atOnce: number }> {
  const underWay = new Set<number>()
  const counted = { all: 0, atOnce: 0 }
  const hook = createHook({
    init(id, type) {
      if (type !== 'ARGON2REQUEST') return
      underWay.add(id)
      counted.all++
      counted.atOnce = Math.max(counted.atOnce, underWay.size)
    },
    before: id => void underWay.delete(id),
  }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return counted
}
