/**
 * Idempotent calls: a client that got no answer repeats the call with the same `Idempotency-Key` and gets the first answer
 * (docs/decisions/0012). The key is saved in the transaction of its call, so neither exists without the other.
 */
import { createHash } from 'node:crypto'
import { Failure } from '#domain/failure.ts'
import { Json, type Database, type Scope, type Tx } from '../db/database.ts'
import { statement } from '../db/statement.ts'
import { bool, bytes, instant, int, text, uuid } from '../db/types.ts'
import { depthFields } from '../features/tyres/tyreColumns.sql.ts'

/** The idempotency key of a call, with its owner and a hash of its input. */
export type IdempotentCall = {
  readonly site: number
  readonly account: number
  readonly customer: number | null
  readonly key: string
  readonly digest: Buffer
  readonly now: Date
  /** Whether the site shows tread depth; a saved answer may be from a time when it did. */
  readonly withDepth: boolean
}

/** How long a repeated call gets its first answer, in days: longer than a device is off over a weekend. */
const expiryDays = 7

const saveKey = statement({
  name: 'idempotency.save',
  parameters: {
    site: int,
    account: int,
    key: uuid,
    customer: int.nullable(),
    digest: bytes,
    answer: text,
    now: instant,
  },
  sql: `
    insert into request_key (site_id, account_id, key, customer_id, digest, answer, at)
    values (:site, :account, :key, :customer, :digest, :answer, :now)
    on conflict do nothing`,
})
const firstAnswer = statement({
  name: 'idempotency.first',
  parameters: { site: int, account: int, key: uuid },
  row: { digest: bytes, answer: text },
  sql: 'select digest, answer from request_key where site_id = :site and account_id = :account and key = :key',
})
const deleteExpired = statement({
  name: 'idempotency.sweep',
  parameters: { now: instant },
  sql: `delete from request_key where at < :now::timestamptz - make_interval(days => ${expiryDays})`,
})

/** Two calls are the same when they have the same digest: of the call's name and its body. */
export const digestOf = (call: string, body: unknown): Buffer =>
  createHash('sha256')
    .update(`${call}\n${JSON.stringify(body ?? null)}`)
    .digest()

/** An answer without its tread depths (docs/product/tyres.md "Tread depth"). */
const withoutDepth = (answer: string): string =>
  JSON.stringify(
    JSON.parse(answer, (field, value: unknown) =>
      (depthFields as readonly string[]).includes(field) ? [null] : value,
    ),
  )

const hasWritten = statement({
  name: 'idempotency.written',
  parameters: {},
  row: { written: bool },
  sql: 'select pg_current_xact_id_if_assigned() is not null as written',
})

/** Lets go of the connection while nothing is written. After that the call is one transaction. */
const release = async (tx: Tx): Promise<void> => {
  const { written } = await tx.one(hasWritten, {})
  if (written) throw new Error('an idempotent call is one transaction: it has no commit of its own')
  await tx.commit()
}

/** The same key was saved by another request while this one ran; this one is rolled back. */
class SavedMeanwhile extends Error {}

/**
 * Runs `work` in one transaction and saves its answer with the key. When the call was made before, `work` fails on what it finds
 * done, or the key is already saved: the transaction is rolled back, and the first answer is given again.
 * @throws Failure `request.key_reused` when the key belongs to another call
 */
export async function runOnce(
  database: Database,
  scope: Scope,
  { site, account, customer, key, digest, now, withDepth }: IdempotentCall,
  work: (tx: Tx) => Promise<unknown>,
): Promise<unknown> {
  try {
    return await database.transaction(scope, async tx => {
      // a `single` statement would commit before the key is saved
      const result = await work({ ...tx, single: tx, commit: () => release(tx) })
      const answer = result instanceof Json ? result.text : JSON.stringify(result)
      const saved = await tx.count(saveKey, { site, account, key, customer, digest, answer, now })
      if (saved === 0) throw new SavedMeanwhile()
      return new Json(answer)
    })
  } catch (error) {
    const first = await database.transaction(scope, tx => tx.maybe(firstAnswer, { site, account, key }))
    if (!first) throw error
    if (!first.digest.equals(digest)) throw new Failure('request.key_reused')
    return new Json(withDepth ? first.answer : withoutDepth(first.answer))
  }
}

/** Deletes expired keys. Returns their number. */
export const deleteExpiredKeys = (database: Database, now: Date): Promise<number> =>
  database.transaction({ system: true }, tx => tx.count(deleteExpired, { now }))
