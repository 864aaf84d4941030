/** The loading gate (docs/product/warehouse.md "The loading gate"): it checks wheels, lets loads leave and takes signatures for them. */
import { randomUUID } from 'node:crypto'
import type { Wire } from '#contract/call.ts'
import type { contract } from '#contract/index.ts'
import { countryOf } from '#domain/operations/closedDays.ts'
import { today } from '#domain/texts/date.ts'
import { Failure } from '#domain/failure.ts'
import {
  gateOutcome,
  isOverridable,
  leaveOverridable,
  leaveStop,
  loadedRecall,
  recallStopped,
} from '#domain/warehouse/gate.ts'
import type { TreadCase } from '#domain/tyres/tread.ts'
import { vehicleKind } from '#domain/vehicles/vehicle.ts'
import type { Load } from '#domain/warehouse/wave.ts'
import type { Row } from '../../db/statement.ts'
import type { Context, Handlers } from '../handler.ts'
import { lockOperationsOf } from '../locations/locations.sql.ts'
import { handle } from '../operations/handling.ts'
import { guard, lock } from '../operations/lock.ts'
import { mark } from '../operations/scanning.ts'
import { reencodeInTurn } from '../sites/images.ts'
import { lockTransport } from '../waves/waves.sql.ts'
import * as sql from './gate.sql.ts'

type View = Wire<typeof contract.gate.read>
type Answered = Wire<typeof contract.gate.load>
type At<I> = Context<I, readonly ['admin']>
type Judged = Pick<Row<typeof sql.wheelAtGate>, 'kind' | 'summer' | 'winter'>
type AnswerFacts = Partial<Omit<Answered, keyof View>> & Pick<Answered, 'outcome'>

export const gate: Handlers['gate'] = {
  read: ({ input, tx, site }) => tx.single.json(sql.gateView, { site: site.id, ...input }),

  async lane({ input, tx, site }) {
    return { load: loadOf(await tx.single.one(sql.loadOnLane, { site: site.id, location: input.location })) }
  },

  async load(at) {
    const { input, tx, site, who, now, request } = at
    const { transport, day, db_id: tyre, reason = null } = input
    requireMayOverride(who, reason)
    await tx.one(lockTransport, { site: site.id, transport })
    if (input.ticsId != null && input.ticsId !== site.id) return answerOf(at, { outcome: 'other_site' })
    await tx.run(lockOperationsOf, { site: site.id, tyres: [tyre] })
    const { operation, ...wheel } = await tx.one(sql.wheelAtGate, { site: site.id, tyre })
    const own = loadOf(wheel)
    const outcome =
      operation === null
        ? 'not_recalled'
        : gateOutcome({ ...wheel, load: own }, { transport, day }, site.allowProfileDepth ? judgedBy(at, wheel) : null)
    const overridden = reason !== null && isOverridable(outcome)
    const facts = {
      plate: wheel.plate,
      position: wheel.position,
      other: own,
      damages: wheel.damages,
      profile_depth: [site.allowProfileDepth ? wheel.depth : null] satisfies [number | null],
    }
    if (operation === null || (outcome !== 'loaded' && !overridden))
      return answerOf(at, { ...facts, outcome, overridable: isOverridable(outcome) })
    const { loading } = await tx.one(sql.openLoading, { site: site.id, transport, day, now })
    const passing = { site: site.id, loading, tyre, operation, actor: who.account, now }
    await tx.run(sql.keepPassed, { ...passing, reason: overridden ? reason : null })
    if (overridden) await audit(at, 'pass', [operation], { tyres: [tyre], reason })
    const scan = { tyre, id: randomUUID(), at: now }
    await mark({ tx, who, site, now, request }, [scan], 'to_customer', operation)
    return answerOf(at, { ...facts, outcome: 'loaded' })
  },

  async leave(at) {
    const { input, tx, site, who, now, request } = at
    const { transport, day, reason = null } = input
    requireMayOverride(who, reason)
    const load = { site: site.id, transport, day }
    await tx.one(lockTransport, { site: site.id, transport })
    const recalls = (await tx.rows(sql.recallsToLeave, load)).map(recall => ({
      ...recall,
      ...loadedRecall(recall.states, { confirmed: !recall.open }),
    }))
    const stop = leaveStop(recalls)
    const overridable = leaveOverridable.some(candidate => candidate === stop)
    if (stop && !(overridable && reason !== null))
      return answerOf(at, { outcome: stop, overridable, plate: recallStopped(stop, recalls)?.plate ?? '' })
    const leaving = recalls.filter(({ loaded }) => loaded > 0)
    const { loading } = await tx.one(sql.openLoading, { ...load, now })
    for (const { operation, missed } of leaving.filter(({ open }) => open)) {
      guard(await lock({ tx, who, site }, operation), 'confirm', who)
      await handle({ tx, who, site, now }, 'confirm', [operation], { missing: missed, unscanned: 0 })
    }
    const operations = leaving.map(({ operation }) => operation)
    const parameters = { site: site.id, loading, actor: who.account, now }
    await tx.run(sql.makeNotes, { ...parameters, operations, timeZone: site.timeZone })
    await tx.run(sql.closeLoading, parameters)
    await audit(at, 'leave', operations, { date: day, ...(stop && { reason }) })
    for (const customer of new Set(leaving.map(recall => recall.customer))) request.notify(customer)
    return answerOf(at, { outcome: 'left' })
  },

  async sign(at) {
    const { input, tx, site, who, now, request } = at
    const documents = [...new Set(input.documents)]
    const bytes = Buffer.from(input.signature, 'base64')
    const { content } = await reencodeInTurn('signature', bytes, { site: site.id, account: who.account })
    const notes = await tx.rows(sql.lockNotes, { site: site.id, documents })
    if (notes.length < documents.length) throw new Failure('record.missing')
    if (notes.some(({ signed }) => signed)) throw new Failure('gate.signed')
    const signed = { site: site.id, documents, name: input.name, signature: content, actor: who.account, now }
    await tx.run(sql.signNotes, signed)
    await audit(
      at,
      'sign',
      notes.map(({ operation }) => operation),
      {},
    )
    for (const customer of new Set(notes.map(note => note.customer))) request.notify(customer)
    return { signed: documents }
  },
}

/** @throws Failure `session.forbidden` for an account of the warehouse: it asks an administrator */
function requireMayOverride({ warehouse }: At<unknown>['who'], reason: string | null): void {
  if (warehouse && reason !== null) throw new Failure('session.forbidden')
}

/** How the tread of a wheel is judged today. */
const judgedBy = ({ site, now }: Pick<At<unknown>, 'site' | 'now'>, wheel: Judged): TreadCase => ({
  country: countryOf(site.timeZone),
  kind: vehicleKind(wheel.kind),
  date: today({ now, timeZone: site.timeZone }),
  site,
  customer: { summer: wheel.summer, winter: wheel.winter },
})

/** The load of a recall; null unless both its transport and its day are known. */
const loadOf = ({ transport, day }: { transport: number | null; day: string | null }): Load | null =>
  transport === null || day === null ? null : { transport, day }

/** The load as it is now, with what the gate says. */
async function answerOf({ tx, site, input }: At<Load>, facts: AnswerFacts): Promise<Answered> {
  const { json } = await tx.one(sql.gateView, { site: site.id, transport: input.transport, day: input.day })
  const view = JSON.parse(json ?? '') as View
  return {
    ...view,
    overridable: false,
    plate: '',
    position: '',
    profile_depth: [null],
    other: null,
    damages: [],
    ...facts,
  }
}

const audit = (
  { tx, site, who, now }: Pick<At<unknown>, 'tx' | 'site' | 'who' | 'now'>,
  step: 'pass' | 'leave' | 'sign',
  operations: readonly number[],
  facts: Record<string, unknown>,
) =>
  tx.run(sql.auditRecalls, {
    site: site.id,
    operations: [...operations],
    actor: who.account,
    now,
    action: `gate.${step}`,
    facts: JSON.stringify(facts),
  })
