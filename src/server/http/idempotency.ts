/**
 * Calls that may be made again: a client that heard no answer repeats the call under the same `Idempotency-Key` and gets the
 * first answer (QUALITY 13; docs/decisions/0012). The key is kept by the transaction that it stands for, so neither can be
 * there without the other.
 */
import { createHash } from 'node:crypto'
import { Failure } from '#domain/failure.ts'
import { Json, statement, type Database, type Scope, type Tx } from '../db/database.ts'
import { depthFields } from '../features/tyres/tyreColumns.sql.ts'

/** A call under a key: whose it is and what was asked. */
export type Keyed = {
  readonly site: number
  readonly account: number
  readonly customer: number | null
  readonly key: string
  readonly digest: Buffer
  readonly now: Date
  /** Whether the site shows profile depth: an answer may be from a time when it did. */
  readonly withDepth: boolean
}

/** For so long a repeated call gets its first answer: a device that was off over the weekend may come back. */
const keptDays = 7

const keep = statement(
  'repeats.keep',
  `insert into request_key (site_id, account_id, key, customer_id, digest, answer, at) values ($1, $2, $3, $4, $5, $6, $7)
   on conflict do nothing`,
)
const answered = statement(
  'repeats.answered',
  `select digest, answer from request_key where site_id = $1 and account_id = $2 and key = $3`,
)
const forget = statement(
  'repeats.sweep',
  `delete from request_key where at < $1::timestamptz - make_interval(days => ${keptDays})`,
)

/** What makes two calls the same: which call it is, and its body. */
export const digestOf = (call: string, body: unknown): Buffer =>
  createHash('sha256')
    .update(`${call}\n${JSON.stringify(body ?? null)}`)
    .digest()

/** An answer without the depths that it holds (SPEC §6 "Profile depth"). */
const withoutDepth = (text: string): string =>
  JSON.stringify(
    JSON.parse(text, (field, value: unknown) => ((depthFields as readonly string[]).includes(field) ? [null] : value)),
  )

/** Somebody else made this call under this key while we did; what we did is undone. */
class MadeMeanwhile extends Error {}

/**
 * Runs `work` in one transaction and keeps its answer under the key. Where the call was made before, its own work runs into
 * what is already done; that, or the kept key, is found out, undone, and the first answer given.
 * @throws Failure `request.key_reused` when the key stands for another call.
 */
export async function runOnce(
  database: Database,
  scope: Scope,
  { site, account, customer, key, digest, now, withDepth }: Keyed,
  work: (tx: Tx) => Promise<unknown>,
): Promise<unknown> {
  try {
    return await database.transaction(scope, async tx => {
      // nothing of it is kept before the key is
      const answer = await work({ ...tx, single: tx })
      const text = answer instanceof Json ? answer.text : JSON.stringify(answer)
      if ((await tx.count(keep, [site, account, key, customer, digest, text, now])) === 0) throw new MadeMeanwhile()
      return new Json(text)
    })
  } catch (error) {
    const first = await database.transaction(scope, tx =>
      tx.maybe<{ digest: Buffer; answer: string }>(answered, [site, account, key]),
    )
    if (!first) throw error
    if (!first.digest.equals(digest)) throw new Failure('request.key_reused')
    return new Json(withDepth ? first.answer : withoutDepth(first.answer))
  }
}

/** Throws away keys whose time is over. */
export const deleteExpiredKeys = (database: Database, now: Date): Promise<number> =>
  database.transaction({ system: true }, tx => tx.count(forget, [now]))
