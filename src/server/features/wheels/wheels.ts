/** Steps with wheels in hand, jobs of clearing up, and orphans (docs/product/warehouse.md "Where a wheel is", "To clear up"). */
import { parseDimension } from '#domain/tyres/article.ts'
import { Failure } from '#domain/failure.ts'
import { handTarget, type HandStep, type WheelState } from '#domain/tyres/wheel.ts'
import type { Tx } from '../../db/database.ts'
import type { Context, Handlers } from '../handler.ts'
import { lockLocation, lockOperationsOf } from '../locations/locations.sql.ts'
import { take } from '../locations/stepping.ts'
import { takeBackScans } from '../operations/unscanning.sql.ts'
import { notifyOfScans } from '../changedRows.ts'
import * as sql from './wheels.sql.ts'

type At = Pick<Context<unknown, readonly ['admin']>, 'tx' | 'who' | 'site' | 'now' | 'request'>

export const wheels: Handlers['wheels'] = {
  async step(at) {
    const { input, tx, site, who, now, request } = at
    const tyres = await lockWheels(at, input.tyres)
    await take(tx, { site: site.id, step: input.step, to: handTarget[input.step], tyres })
    // a wheel that is being searched for is not here: its operation no longer counts it
    if (input.step === 'miss') {
      const taken = await tx.rows(takeBackScans, { site: site.id, tyres, actor: who.account, now })
      if (taken.length > 0) notifyOfScans(request, taken)
    }
    await ended(at, input.step, tyres)
    return { state: handTarget[input.step] }
  },

  async close(at) {
    const { tx, site, who, now } = at
    const { db_id, reason } = at.input
    const [tyre = 0] = await lockWheels(at, [db_id])
    const { status, location, state } = await tx.one(sql.wheelOf, { site: site.id, tyre })
    if (state !== 'missing') throw new Failure('wheel.step', { tyres: [tyre] })
    const to = status !== 'in_stock' ? 'with_customer' : location === null ? 'received' : 'at_place'
    await take(tx, {
      site: site.id,
      step: 'close',
      to,
      tyres: [tyre],
      ...(to === 'at_place' && location && { location }),
    })
    await tx.run(sql.closeSearches, { site: site.id, tyres: [tyre], actor: who.account, now, reason })
    await audit(at, 'close', [tyre], { reason })
    return { state: to as WheelState }
  },

  clearup: ({ tx, site, now }) => tx.single.json(sql.clearUp, { site: site.id, now }),

  tally: ({ tx, site, now }) => tx.single.json(sql.tallyJobs, { site: site.id, now }),

  async settle({ input: { kind, key, reason }, tx, site, who, now }) {
    await tx.run(sql.settleJob, { site: site.id, kind, key, reason, actor: who.account, now })
    return { key }
  },

  async orphan({ input: { location = null, depth = null, ...orphan }, tx, site, who, now }) {
    if (location !== null) await tx.one(lockLocation, { site: site.id, location })
    return tx.one(sql.addOrphan, {
      ...orphan,
      sizeKey: parseDimension(orphan.size)?.key ?? '',
      depth,
      location,
      site: site.id,
      actor: who.account,
      now,
    })
  },

  candidates: ({ input, tx, site, now }) =>
    tx.single.json(sql.candidatesOf, { site: site.id, orphan: input.orphan, withDepth: site.allowProfileDepth, now }),

  async identify(at) {
    const { tx, site, who, now } = at
    const { orphan, db_id } = at.input
    const tyres = await lockWheels(at, [db_id])
    await tx.one(sql.lockOrphan, { site: site.id, orphan })
    await take(tx, { site: site.id, step: 'identify', to: 'received', tyres })
    await tx.run(sql.closeSearches, { site: site.id, tyres, actor: who.account, now, reason: null })
    await tx.run(sql.endOrphan, { site: site.id, orphan, tyre: db_id, reason: null, actor: who.account, now })
    return { state: 'received' }
  },

  async dismiss({ input: { orphan, reason }, tx, site, who, now }) {
    await tx.one(sql.lockOrphan, { site: site.id, orphan })
    await tx.run(sql.endOrphan, { site: site.id, orphan, tyre: null, reason, actor: who.account, now })
    return { orphan }
  },
}

/** Locks tyres with their open operations, in that order, and notifies their customers. @throws Failure `record.missing` */
async function lockWheels({ tx, site, request }: At, ids: readonly number[]): Promise<number[]> {
  const tyres = [...new Set(ids)]
  await tx.run(lockOperationsOf, { site: site.id, tyres })
  const locked = await tx.rows(sql.lockWheels, { site: site.id, tyres })
  if (locked.length < tyres.length) throw new Failure('record.missing')
  for (const customer of new Set(locked.map(tyre => tyre.customer))) request.notify(customer)
  return tyres
}

/** Records a step in hand: closes the search for a wheel that was found. */
async function ended(at: At, step: HandStep, tyres: readonly number[]): Promise<void> {
  const { tx, site, who, now } = at
  if (step !== 'miss')
    await tx.run(sql.closeSearches, { site: site.id, tyres: [...tyres], actor: who.account, now, reason: null })
  await audit(at, step, tyres, {})
}

const audit = (
  { tx, site, who, now }: Pick<At, 'site' | 'who' | 'now'> & { tx: Tx },
  step: string,
  tyres: readonly number[],
  facts: Record<string, unknown>,
) =>
  tx.run(sql.auditWheels, {
    site: site.id,
    tyres: [...tyres],
    actor: who.account,
    now,
    action: `wheel.${step}`,
    facts: JSON.stringify(facts),
  })
