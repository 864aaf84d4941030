/** The life of an operation, from the wizard to the rack (SPEC §4, §5; DESIGN §7). */
import { randomUUID } from 'node:crypto'
import { languages } from '#domain/account.ts'
import { daysBetween } from '#domain/date.ts'
import { deliveryDayRefusal, isDayFull, type TransportRules } from '#domain/delivery.ts'
import { Failure, type FailureCode } from '#domain/failure.ts'
import {
  allows,
  asksForDelivery,
  asksForParts,
  removableService,
  stepTo,
  type OperationStatus,
  type Step,
  periodMax,
  steps,
} from '#domain/operation.ts'
import { may, operationTypes, statusAfter, tyreStatuses, type OperationType, type Rim } from '#domain/tyre.ts'
import type { Input } from '#contract/call.ts'
import type { contract } from '#contract/index.ts'
import { actorOf } from '../audit/audit.ts'
import { customerOf } from '../customers/customers.ts'
import { Json, type Tx } from '../../db/database.ts'
import type { Context, Handlers, Site, Who } from '../handler.ts'
import { lockPutAway, putAsPlanned, putAway } from '../locations/locations.sql.ts'
import * as sql from './operations.sql.ts'
import { scannedAt } from '#domain/scan.ts'

/** What a rule asks of an operation, and what an edit may change in it. */
type Operation = {
  id: number
  customer: number
  type: OperationType
  status: OperationStatus
  transport: number | null
  deliveryDate: string | null
  remarks: string
  withRims: Rim | null
  withBolts: boolean
  withHubcaps: boolean
  tachometer: number | null
}
type Editable = Omit<Operation, 'id' | 'customer' | 'type' | 'status'>
type Asked = Input<(typeof contract)['operations']['update']>['operation']
type Circumstances = { tx: Tx; who: Who; site: Site; now: Date }
/** With the request, which says whose open screens an operation is on. */
type Heard = Circumstances & { request: Pick<Context<unknown, 'anyone'>['request'], 'notify'> }

/** What is written into a tyre's history when an operation of this type is confirmed. */
const eventAfter = {
  to_stock: 'received',
  to_customer: 'delivered',
  to_waste: 'scrapped',
  to_spare: 'spared',
} as const satisfies Record<OperationType, string>

export const operations: Handlers['operations'] = {
  async new({ input: { operation: asked }, tx, who, site, now, request }) {
    const type = asked.operationType
    const made = await tx.single.one<{
      code: FailureCode | null
      refused: number[]
      customer: number | null
      json: string
    }>(sql.createOperation, [
      site.id,
      site.allowProfileDepth,
      who.customer,
      asked.flt_id,
      [...new Set(asked.tyres)],
      type,
      who.account,
      now,
      tyreStatuses.filter(tyre_status => may(type, { tyre_status })),
      actorOf(who),
    ])
    if (made.code) throw new Failure(made.code, made.code === 'operation.tyres_refused' ? { tyres: made.refused } : {})
    request.notify(made.customer)
    return new Json(made.json)
  },

  async update({ input: { operation: asked }, tx, who, site, now, request }) {
    const operation = await lock({ tx, who, site }, asked._id)
    request.notify(operation.customer)
    const step = stepTo(operation.status, asked.status ?? operation.status)
    if (!step) throw new Failure('operation.step', { status: operation.status })
    guard(operation, step, who)
    const { kept, services, changed } = await edited(operation, asked, step, { tx, who, site, now })
    const audited = step !== 'edit' || actorOf(who) !== null
    if (changed.length > 0) guard(operation, 'edit', who)
    if (changed.length > 0 || step !== 'edit')
      await tx.rows(sql.saveOperation, [
        site.id,
        operation.id,
        now,
        asked.status ?? operation.status,
        kept.transport,
        kept.deliveryDate,
        kept.remarks,
        kept.withRims,
        kept.withBolts,
        kept.withHubcaps,
        kept.tachometer,
        services,
        who.account,
        audited ? `operation.${step}` : '',
        JSON.stringify(changed.length > 0 ? { fields: changed } : {}),
      ])
    return answer({ tx, site }, operation.id)
  },

  async delete({ input, tx, who, site, now, request }) {
    const operation = await lock({ tx, who, site }, input.operation._id)
    request.notify(operation.customer)
    guard(operation, 'delete', who)
    await tx.rows(sql.deleteOperation, [site.id, operation.id, who.account, now])
    return { _id: operation.id }
  },

  async fetch({ input, tx, who, site, now }) {
    const customer = customerOf(who, input.seq_id)
    return customer === null
      ? tx.single.json(sql.operationsOfSite, [site.id, site.allowProfileDepth, now, site.timeZone])
      : tx.single.json(sql.operationsOfCustomer, [site.id, site.allowProfileDepth, customer, now, site.timeZone])
  },

  bookedtransportdays: ({ input, tx, site, now }) =>
    tx.single.json(sql.bookedDays, [site.id, input.transportMethod, now, site.timeZone]),

  async completedbydate({ input, tx, who, site }) {
    refuseLong(input)
    const customer = customerOf(who, input.seq_id)
    const period = [site.id, site.allowProfileDepth, input.startDate, input.endDate, site.timeZone]
    return customer === null
      ? tx.single.json(sql.handledAtSite, period)
      : tx.single.json(sql.handledForCustomer, [...period, customer])
  },

  admin: ({ input, tx, site }) =>
    tx.single.json(sql.operationsByStatus, [site.id, site.allowProfileDepth, input.status]),

  async adminopsbydate({ input, tx, site }) {
    refuseLong(input)
    return tx.single.json(sql.handledAtSite, [
      site.id,
      site.allowProfileDepth,
      input.startDate,
      input.endDate,
      site.timeZone,
    ])
  },

  adminopsbydate_light: ({ input, tx, site }) =>
    tx.single.json(sql.countsByCustomer, [site.id, input.startDate, input.endDate, site.timeZone]),

  async cancel({ input, tx, who, site, now, request }) {
    const operation = await lock({ tx, who, site }, input.operation._id)
    request.notify(operation.customer)
    guard(operation, 'cancel', who)
    await handle({ tx, who, site, now }, 'cancel', [operation.id])
    return answer({ tx, site }, operation.id)
  },

  async confirm({ input, tx, who, site, now, request }) {
    const operation = await lock({ tx, who, site }, input.operation._id)
    request.notify(operation.customer)
    guard(operation, 'confirm', who)
    const unscanned = (await tyresOf({ tx, site }, operation.id)).filter(tyre => !tyre.scanned)
    if (unscanned.length > 0 && !input.anyway)
      throw new Failure('operation.not_scanned', { tyres: unscanned.map(tyre => tyre.id) })
    await handle({ tx, who, site, now }, 'confirm', [operation.id], {
      unscanned: unscanned.length,
      ...(input.document === false && { document: false }),
    })
    return answer({ tx, site }, operation.id)
  },

  async markscan({ input, tx, who, site, now, request }) {
    const at = { tx, who, site, now, request }
    if (input.operation && !input.tyres) return markWhole(at, input.operation._id)
    if (input.operation) await lock({ tx, who, site }, input.operation._id)
    const scans = (input.tyres ?? [])
      // a label of another site is of no tyre here
      .filter(scan => scan.ticsId == null || scan.ticsId === site.id)
      .map(scan => ({
        tyre: scan.tyreId,
        // in the form in which PostgreSQL answers it
        id: scan.scanId?.toLowerCase() ?? randomUUID(),
        at: scannedAt(scan.timestamp, now),
      }))
    return mark(at, scans, input.type ?? null, input.operation?._id ?? null)
  },
}

function refuseLong({ startDate, endDate }: { startDate: string; endDate: string }): void {
  if (daysBetween(startDate, endDate) > periodMax) throw new Failure('operation.period_too_long', { days: periodMax })
}

/** The operation, locked: nobody else takes a step with it until this request is over. A foreign one is missing. */
const lock = ({ tx, who, site }: Omit<Circumstances, 'now'>, id: number): Promise<Operation> =>
  tx.one<Operation>(sql.lockOperation, [site.id, id, who.customer])

function guard(operation: Operation, step: Step, who: Who): void {
  if (allows(operation, step, who)) return
  // where it stands the step exists, but not for this account: no race, and trying again will not help
  if (operation.status === steps[step].from) throw new Failure('session.forbidden')
  throw new Failure('operation.step', { status: operation.status })
}

const answer = ({ tx, site }: Pick<Circumstances, 'tx' | 'site'>, id: number): Promise<Json> =>
  tx.json(sql.operationById, [site.id, site.allowProfileDepth, id])

// Editing ---------------------------------------------------------------------------------------------------------------

/**
 * What an operation is after a step with what was asked, and which of it is a change: clients send back whole operations,
 * and only what differs is one. Refuses what may not be changed so.
 */
async function edited(
  operation: Operation,
  asked: Asked,
  step: Step,
  at: Circumstances,
): Promise<{ kept: Editable; services: number[] | null; changed: string[] }> {
  const kept: Editable = {
    transport: asked.transport === undefined ? operation.transport : asked.transport,
    deliveryDate: asked.deliveryDate === undefined ? operation.deliveryDate : asked.deliveryDate,
    remarks: asked.remarks ?? operation.remarks,
    withRims: asked.withRims === undefined ? operation.withRims : asked.withRims,
    withBolts: asked.withBolts ?? operation.withBolts,
    withHubcaps: asked.withHubcaps ?? operation.withHubcaps,
    tachometer: asked.tachometer === undefined ? operation.tachometer : asked.tachometer,
  }
  const differs = (...fields: (keyof Editable)[]): boolean => fields.some(field => kept[field] !== operation[field])

  if (differs('withRims', 'withBolts', 'withHubcaps') && !asksForParts(operation.type))
    throw new Failure('operation.parts_refused')
  if (differs('tachometer') && !(asksForParts(operation.type) && at.site.allowTachometer))
    throw new Failure('operation.tachometer_refused')
  const services = asked.services ? await chosenServices(operation, asked.services, at) : null
  kept.deliveryDate = await deliveryDay(operation, kept, step, at)
  const changed = (Object.keys(kept) as (keyof Editable)[]).filter(field => differs(field))
  return { kept, services, changed: services === null ? changed : [...changed, 'services'] }
}

/** The services that an operation is to have, `null` when it has just those. */
async function chosenServices(
  operation: Operation,
  asked: readonly number[],
  { tx, site }: Circumstances,
): Promise<number[] | null> {
  const wanted = [...new Set(asked)]
  const known = await tx.rows<{
    _id: number
    operation_type: OperationType
    offered: boolean
    blocked: boolean
    held: boolean
  }>(sql.servicesFor, [site.id, operation.id, operation.type])
  const held = known.filter(service => service.held)
  const refused = wanted.filter(id => !known.some(service => service._id === id))
  if (refused.length > 0) throw new Failure('operation.service_refused', { services: refused })
  const blocked = held.filter(service => !wanted.includes(service._id) && service.offered && !removableService(service))
  if (blocked.length > 0)
    throw new Failure('operation.service_blocked', { services: blocked.map(service => service._id) })
  return wanted.length === held.length && held.every((service, nth) => service._id === wanted[nth]) ? null : wanted
}

/**
 * The delivery day that a recall keeps (SPEC §5 "Delivery date"). A day that is asked for has to suit its transport, and has to
 * again when the recall is submitted; the place on the day is then taken by the database itself. A day that a newly
 * chosen transport does not suit is given up.
 */
async function deliveryDay(
  operation: Operation,
  { transport, deliveryDate }: Editable,
  step: Step,
  { tx, site, now }: Circumstances,
): Promise<string | null> {
  const [changed, moved] = [transport !== operation.transport, deliveryDate !== operation.deliveryDate]
  if (!asksForDelivery(operation.type)) {
    if (changed || moved) throw new Failure('request.invalid', { fields: ['operation.deliveryDate'] })
    return deliveryDate
  }
  if (step !== 'submit' && !changed && !moved) return deliveryDate
  const insisted = step === 'submit' || moved
  if (transport === null) {
    if (step === 'submit' || (moved && deliveryDate !== null)) throw new Failure('delivery.transport_missing')
    return null
  }
  const rules = await tx.maybe<TransportRules & { operations: number; tyres: number }>(sql.transportRules, [
    site.id,
    transport,
    deliveryDate,
  ])
  if (!rules) throw new Failure(changed ? 'record.missing' : 'delivery.transport_missing')
  if (step !== 'submit' && deliveryDate === null) return null
  const booked = deliveryDate !== null && isDayFull(rules, rules) ? [deliveryDate] : []
  const refusal = deliveryDayRefusal(deliveryDate, rules, booked, { now, timeZone: site.timeZone })
  if (refusal && insisted) throw new Failure(refusal)
  return refusal ? null : deliveryDate
}

// Handling --------------------------------------------------------------------------------------------------------------

type HeldTyre = { operation: number; type: OperationType; id: number; tyreSet: string | null }

const tyresOf = ({ tx, site }: Pick<Circumstances, 'tx' | 'site'>, id: number) =>
  tx.rows<{ id: number; scanned: boolean }>(sql.tyresOf, [site.id, id])

/** Confirms or cancels operations that the caller has locked and found allowed (DESIGN §7 "Operation effects"). */
async function handle(
  { tx, who, site, now }: Circumstances,
  step: 'confirm' | 'cancel',
  ids: readonly number[],
  facts: Record<string, unknown> = {},
): Promise<void> {
  await tx.rows(sql.lockDays, [site.id, ids])
  if (step === 'confirm') {
    const tyres = await tx.rows<HeldTyre>(sql.lockTyres, [site.id, ids])
    const stored = tyres.filter(tyre => statusAfter[tyre.type] === 'in_stock')
    // what leaves makes room, and counts as a change of what lies where, too
    if (tyres.length > 0) await tx.run(lockPutAway, { site: site.id })
    const asked = stored.map(tyre => tyre.id)
    const planned = asked.length > 0 ? await tx.rows(putAsPlanned, { site: site.id, tyres: asked }) : []
    const placed = new Set(planned.map(tyre => tyre.id))
    // a set lies together, whatever else comes in with it
    const sets = Map.groupBy(
      stored.filter(tyre => !placed.has(tyre.id)),
      tyre => `${tyre.operation} ${tyre.tyreSet ?? ''}`,
    )
    for (const set of sets.values()) await tx.run(putAway, { site: site.id, tyres: set.map(tyre => tyre.id) })
  }
  await tx.rows(sql.handleOperations, [
    site.id,
    ids,
    who.account,
    now,
    site.timeZone,
    operationTypes,
    operationTypes.map(type => statusAfter[type]),
    step === 'confirm' ? 'confirmed' : 'cancelled',
    operationTypes.map(type => eventAfter[type]),
    `operation.${step}`,
    JSON.stringify(facts),
  ])
  if (step === 'confirm' && site.doDocInsert && facts.document !== false)
    await tx.rows(sql.makeDocuments, [
      site.id,
      ids,
      who.account,
      now,
      site.timeZone,
      site.docInsertType,
      site.docInsertExceptions,
      languages[site.language],
    ])
}

// Scanning --------------------------------------------------------------------------------------------------------------

type Scan = { tyre: number; id: string; at: Date }

/**
 * Applies scans and answers their tyres, each once, in the order asked; confirms what is thereby complete where the site
 * wants it. A scan that was applied before, by a request whose reply was lost or by one at this very moment, is answered
 * with the tyre as part of the operation that it was for.
 */
async function mark(
  { tx, who, site, now, request }: Heard,
  scans: readonly Scan[],
  type: string | null,
  operation: number | null,
): Promise<Json> {
  // what a site confirms by itself is kept together with the scans that completed it; else what is left to do only reads
  const { rows } = site.autoProcessIntakeOnFullScan ? tx : tx.single
  const marked = await rows<{
    operation: number
    customer: number
    tyre: number
    scans: string[]
    json: string
  }>(sql.markScans, [
    site.id,
    site.allowProfileDepth,
    scans.map(scan => scan.tyre),
    scans.map(scan => scan.id),
    scans.map(scan => scan.at),
    type,
    operation,
    who.account,
  ])
  const done = new Map(marked.flatMap(({ scans: ids, ...tyre }) => ids.map(id => [id, tyre])))
  const left = scans.filter(scan => !done.has(scan.id)).map(scan => scan.id)
  const before =
    left.length > 0
      ? await tx.rows<{ id: string; operation: number; tyre: number }>(sql.appliedScans, [site.id, left])
      : []
  const touched = [...new Set(marked.map(tyre => tyre.operation))]
  const full =
    site.autoProcessIntakeOnFullScan && touched.length > 0
      ? await tx.rows<{ id: number }>(sql.fullyScanned, [site.id, touched])
      : []
  const confirmed = full.map(found => found.id)
  if (confirmed.length > 0)
    await handle({ tx, who, site, now }, 'confirm', confirmed, { unscanned: 0, automatic: true })
  // a scan that confirms nothing moves no tyre: fleets stay as they are
  const heard = confirmed.length > 0 ? {} : { answers: ['operations.fetch', 'operations.admin'] as const }
  for (const customer of new Set(marked.map(tyre => tyre.customer))) request.notify(customer, heard)
  if (confirmed.length === 0 && before.length === 0) {
    const answers = new Set(scans.flatMap(scan => done.get(scan.id)?.json ?? []))
    return new Json(`[${[...answers].join(',')}]`)
  }
  const earlier = new Map(before.map(({ id, ...tyre }) => [id, tyre]))
  const tyres = scans.flatMap(scan => done.get(scan.id) ?? earlier.get(scan.id) ?? [])
  return tx.json(sql.heldTyres, [
    site.id,
    site.allowProfileDepth,
    tyres.map(tyre => tyre.operation),
    tyres.map(tyre => tyre.tyre),
  ])
}

/** Marks what is left to scan of an operation, by hand; answers all its tyres. */
async function markWhole(at: Heard, id: number): Promise<Json> {
  const { tx, who, site, now } = at
  const operation = await lock({ tx, who, site }, id)
  guard(operation, 'scan', who)
  const tyres = await tyresOf(at, id)
  const scans = tyres.filter(tyre => !tyre.scanned).map(tyre => ({ tyre: tyre.id, id: randomUUID(), at: now }))
  if (scans.length > 0) await mark(at, scans, null, id)
  return tx.json(sql.heldTyres, [site.id, site.allowProfileDepth, tyres.map(() => id), tyres.map(tyre => tyre.id)])
}
