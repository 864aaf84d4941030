/** The calls of an operation's life, from the wizard to the rack (docs/product/operations.md "Operation states"). */
import { randomUUID } from 'node:crypto'
import { type IsoDate, periodProblem, today } from '#domain/texts/date.ts'
import { Failure } from '#domain/failure.ts'
import { maxPeriodDays, mayConfirmMissing, offersArrival, stepTo } from '#domain/operations/operation.ts'
import { scannedAt } from '#domain/warehouse/scan.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import { onItsWayOut } from '#domain/tyres/wheel.ts'
import { Json } from '../../db/database.ts'
import { actorOf } from '../audit/audited.sql.ts'
import { customerOf } from '../customers/customers.ts'
import { rowsAtDesks } from '../changedRows.ts'
import type { Handlers, Site } from '../handler.ts'
import { deleteOperation, hasBegun } from './changing.sql.ts'
import { create, idOf, save } from './creating.ts'
import { edited, refuseChanged } from './editing.ts'
import { handle } from './handling.ts'
import { closeMissing, missingTyres, tyresOf } from './handling.sql.ts'
import { answer, type Circumstances, guard, lock } from './lock.ts'
import * as sql from './operations.sql.ts'
import { mark, markAll } from './scanning.ts'
import { swapping } from './swapping.ts'
import { changeMounts } from '../mounts/mounts.ts'
import { noteNoShow } from '../tariff/events.sql.ts'
import { lockVehicle } from '../tyres/tyres.sql.ts'
import { trailOfCustomer, trailOfSite } from './trail.sql.ts'
import { unscan } from './unscanning.ts'

/** Takes the mounted tyres of a storage off their vehicle. @throws Failure `mount.date`, or with why it can't be stored */
async function takeOff(
  at: Circumstances,
  { vehicle, tyres, type }: { vehicle: number; tyres: readonly number[]; type: OfferedType },
  date: IsoDate,
): Promise<void> {
  if (type !== 'to_stock') throw new Failure('request.invalid', { fields: ['operation.takenOff'] })
  const { axles } = await at.tx.one(lockVehicle, { site: at.site.id, vehicle, customer: at.who.customer })
  await changeMounts(at, { id: vehicle, axles }, { date, off: [...new Set(tyres)] })
}

export const operations: Handlers['operations'] = {
  ...swapping,

  async new({ input: { operation: input }, tx, who, site, now, request }) {
    const wanted = { vehicle: input.flt_id, tyres: input.tyres, type: input.operationType }
    if (input.takenOff !== undefined) await takeOff({ tx, who, site, now }, wanted, input.takenOff)
    const operation = await create(input.takenOff === undefined ? tx.single : tx, { who, site, now }, wanted)
    request.notify(operation.customer, rowsAtDesks(idOf(operation)))
    return new Json(operation.json)
  },

  async update({ input: { operation: input }, tx, who, site, now, request }) {
    const operation = await lock({ tx, who, site }, input._id)
    request.notify(operation.customer, rowsAtDesks(operation.id))
    const step = stepTo(operation.status, input.status ?? operation.status)
    if (!step) throw new Failure('operation.step', { status: operation.status })
    guard(operation, step, who)
    const at = { tx, who, site, now }
    await refuseChanged(operation, input.expected, at)
    // an administrator may undo a submission at any time; who takes back their own does so before anybody has begun with it
    if (step === 'undo' && input.expected) await refuseBegun(at, operation.id)
    const wanted = await edited(operation, input, step, at)
    const changes = wanted.changed.length > 0
    if (changes) guard(operation, 'edit', who)
    if (changes || step !== 'edit') {
      const audited = step !== 'edit' || actorOf(who) !== null
      const status = input.status ?? operation.status
      await save(at, operation.id, wanted, { status, action: audited ? `operation.${step}` : '' })
    }
    return answer({ tx, site }, operation.id)
  },

  async delete({ input, tx, who, site, now, request }) {
    const operation = await lock({ tx, who, site }, input.operation._id)
    guard(operation, 'delete', who)
    const parameters = { site: site.id, operation: operation.id, actor: who.account, now }
    const { swap } = await tx.one(deleteOperation, parameters)
    // the other half is linked to nothing any more
    request.notify(operation.customer, rowsAtDesks(operation.id, swap))
    return { _id: operation.id }
  },

  async fetch({ input, tx, who, site, now }) {
    const customer = customerOf(who, input.seq_id)
    const listed = { ...shown(site), now, timeZone: site.timeZone }
    return customer === null
      ? tx.single.list(sql.operationsOfSite, listed)
      : tx.single.list(sql.operationsOfCustomer, { ...listed, customer })
  },

  bookedtransportdays: ({ input, tx, site, now }) =>
    tx.single.json(sql.bookedDays, {
      site: site.id,
      transport: input.transportMethod,
      arriving: offersArrival(input.type),
      now,
      timeZone: site.timeZone,
    }),

  async completedbydate({ input, tx, who, site }) {
    refuseLong(input)
    const customer = customerOf(who, input.seq_id)
    return customer === null
      ? tx.single.list(sql.handledAtSite, { ...shown(site), ...periodOf(input, site) })
      : tx.single.list(sql.handledForCustomer, { ...shown(site), ...periodOf(input, site), customer })
  },

  admin: ({ input, tx, site }) => tx.single.list(sql.operationsByStatus, { ...shown(site), status: input.status }),

  async adminopsbydate({ input, tx, site }) {
    refuseLong(input)
    return tx.single.list(sql.handledAtSite, { ...shown(site), ...periodOf(input, site) })
  },

  adminopsbydate_light: ({ input, tx, site }) =>
    tx.single.json(sql.countsByCustomer, { site: site.id, ...periodOf(input, site) }),

  async cancel({ input, tx, who, site, now, request }) {
    const operation = await lock({ tx, who, site }, input.operation._id)
    request.notify(operation.customer, rowsAtDesks(operation.id))
    guard(operation, 'cancel', who)
    await handle({ tx, who, site, now }, 'cancel', [operation.id])
    return answer({ tx, site }, operation.id)
  },

  async reschedule({ input: { operation: input }, tx, who, site, now, request }) {
    const at = { tx, who, site, now }
    const operation = await lock(at, input._id)
    request.notify(operation.customer, rowsAtDesks(operation.id))
    guard(operation, 'undo', who)
    await refuseChanged(operation, input.expected, at)
    await refuseBegun(at, operation.id)
    // its own place on a day is free for it; and it takes one anew, which the database refuses where others were faster
    await save(at, operation.id, { kept: operation, services: null, changed: [] }, { status: 'pending', action: '' })
    const wanted = await edited(operation, input, 'submit', at)
    await save(at, operation.id, wanted, { status: 'submitted', action: 'operation.reschedule' })
    return answer(at, operation.id)
  },

  async withdraw({ input, tx, who, site, now, request }) {
    const at = { tx, who, site, now }
    const operation = await lock(at, input.operation._id)
    request.notify(operation.customer, rowsAtDesks(operation.id))
    guard(operation, 'withdraw', who)
    await refuseChanged(operation, input.operation.expected, at)
    await refuseBegun(at, operation.id)
    const unchanged = { kept: operation, services: null, changed: [] }
    await save(at, operation.id, unchanged, { status: 'pending', action: 'operation.withdraw' })
    return answer(at, operation.id)
  },

  async confirm({ input, tx, who, site, now, request }) {
    const operation = await lock({ tx, who, site }, input.operation._id)
    request.notify(operation.customer, rowsAtDesks(operation.id))
    guard(operation, 'confirm', who)
    const tyres = await tx.rows(tyresOf, { site: site.id, operation: operation.id })
    const unscanned = tyres.filter(tyre => !tyre.scanned)
    const here = new Set(input.here === 'all' ? unscanned.map(tyre => tyre.id) : input.here)
    for (const tyre of [...here, ...(input.missing ?? [])])
      if (!tyres.some(({ id }) => id === tyre)) throw new Failure('record.missing')
    const missing = unscanned.map(tyre => tyre.id).filter(tyre => !here.has(tyre))
    const saysMissing = input.anyway === true || input.missing !== undefined
    if (missing.length > 0 && saysMissing && !mayConfirmMissing(who, site))
      throw new Failure('operation.missing_by_desk', { tyres: missing })
    // a client that names none means all of them; the warehouse names each
    const named = new Set(input.missing ?? (input.anyway && !who.warehouse ? missing : []))
    const unsaid = missing.filter(tyre => !named.has(tyre))
    if (unsaid.length > 0) throw new Failure('operation.not_scanned', { tyres: unsaid })
    if (missing.length === tyres.length) throw new Failure('operation.all_missing')
    await handle({ tx, who, site, now }, 'confirm', [operation.id], {
      missing,
      unscanned: unscanned.length - missing.length,
      ...(input.document === false && { document: false }),
    })
    return answer({ tx, site }, operation.id)
  },

  missing: ({ tx, site }) => tx.single.json(missingTyres, { site: site.id }),

  async closemissing({ input: { operation: id, db_id: tyre, reason }, tx, who, site, now, request }) {
    const operation = await lock({ tx, who, site }, id)
    const tyres = await tx.rows(tyresOf, { site: site.id, operation: id })
    if (!tyres.some(entry => entry.label === tyre)) throw new Failure('record.missing')
    const closed = await tx.count(closeMissing, { site: site.id, operation: id, tyre, reason, actor: who.account, now })
    if (closed === 0) throw new Failure('operation.not_missing')
    request.notify(operation.customer)
    return { db_id: tyre }
  },

  async noshow({ input: { operation: id }, tx, who, site, now }) {
    const operation = await lock({ tx, who, site }, id)
    guard(operation, 'scan', who)
    const thisDay = today({ now, timeZone: site.timeZone })
    const day = operation.deliveryDate ?? thisDay
    if (day > thisDay) throw new Failure('operation.not_due')
    const noted = await tx.maybe(noteNoShow, { site: site.id, operation: id, day, actor: who.account, now })
    if (!noted) throw new Failure('operation.no_show')
    return { operation: id, day, charged: noted.charged > 0 }
  },

  async markscan({ input, tx, who, site, now, request }) {
    const at = { tx, who, site, now, request }
    if (input.operation && !input.tyres) return markAll(at, input.operation._id)
    if (input.operation) await lock({ tx, who, site }, input.operation._id)
    // a label of another site is of no tyre here
    const given = input.tyres ?? []
    const scans = given
      .filter(scan => scan.ticsId == null || scan.ticsId === site.id)
      .map(scan => ({
        tyre: scan.tyreId,
        // in the form in which PostgreSQL answers it
        id: scan.scanId?.toLowerCase() ?? randomUUID(),
        at: scannedAt(scan.timestamp, now),
      }))
    const { answer, used } = await mark(at, scans, input.type ?? null, input.operation?._id ?? null)
    request.unused([...new Set(given.map(scan => scan.tyreId))].filter(tyre => !used.has(tyre)))
    return answer
  },

  async trail({ input, tx, who, site, now }) {
    const customer = customerOf(who, input.seq_id)
    const parameters = { site: site.id, now, timeZone: site.timeZone }
    return customer === null
      ? tx.single.json(trailOfSite, parameters)
      : tx.single.json(trailOfCustomer, { ...parameters, customer })
  },

  async unscan({ input, tx, who, site, now, request }) {
    return { unscanned: await unscan({ tx, who, site, now, request }, [...new Set(input.tyres)]) }
  },
}

/** @throws Failure `operation.begun` where the warehouse has begun with an operation */
async function refuseBegun({ tx, site }: Pick<Circumstances, 'tx' | 'site'>, operation: number): Promise<void> {
  const { begun } = await tx.one(hasBegun, { site: site.id, operation, onItsWayOut: [...onItsWayOut] })
  if (begun) throw new Failure('operation.begun')
}

const shown = (site: Site) => ({ site: site.id, withDepth: site.allowProfileDepth })

type Period = { readonly startDate: string; readonly endDate: string }
const periodOf = ({ startDate, endDate }: Period, { timeZone }: Site) => ({ from: startDate, until: endDate, timeZone })

/** @throws Failure `operation.period_too_long` */
function refuseLong({ startDate, endDate }: Period): void {
  if (periodProblem({ from: startDate, to: endDate }, maxPeriodDays) === 'too_long')
    throw new Failure('operation.period_too_long', { days: maxPeriodDays })
}
