/** The editable fields of an operation, and the result of an edit. */
import {
  arrivalRefusals,
  deliveryDayRefusal,
  isDayFull,
  selfDelivered,
  today,
  type Moment,
} from '#domain/operations/delivery.ts'
import { Failure } from '#domain/failure.ts'
import { asksForParts, mayHaveDay, offersArrival, removableService, type Step } from '#domain/operations/operation.ts'
import type { Input } from '#contract/call.ts'
import type { contract } from '#contract/index.ts'
import type { Row } from '../../db/statement.ts'
import { closedFrom, servicesFor, transportRules } from './changing.sql.ts'
import type { Circumstances, Operation } from './lock.ts'

type Editable = Omit<Operation, 'id' | 'customer' | 'type' | 'status' | 'updated'>
type Asked = Input<(typeof contract)['operations']['update']>['operation']

/**
 * Refuses a step back, or an edit, that expects the operation otherwise than it is: somebody has changed it since.
 * @throws Failure `record.changed`
 */
export async function refuseChanged(
  operation: Operation,
  expected: Asked['expected'],
  { tx, site }: Pick<Circumstances, 'tx' | 'site'>,
): Promise<void> {
  if (!expected) return
  const { updated, services, ...fields } = expected
  const differs = Object.entries(fields).some(
    ([field, value]) => value !== undefined && value !== operation[field as keyof typeof fields],
  )
  const { id, type } = operation
  const current = services
    ? (await tx.rows(servicesFor, { site: site.id, operation: id, type })).filter(service => service.held)
    : []
  const serves = !services || String(current.map(({ _id }) => _id)) === String(services)
  const isNewer = updated !== undefined && Date.parse(updated) !== operation.updated
  if (differs || !serves || isNewer) throw new Failure('record.changed')
}

/**
 * An operation after an edit, and the fields that it changes: clients send back whole operations, and only differences count as changes.
 * @throws Failure for a change that is not allowed
 */
export async function edited(
  operation: Operation,
  edit: Asked,
  step: Step,
  at: Circumstances,
): Promise<{ kept: Editable; services: number[] | null; changed: string[] }> {
  const kept: Editable = {
    transport: edit.transport === undefined ? operation.transport : edit.transport,
    deliveryDate: edit.deliveryDate === undefined ? operation.deliveryDate : edit.deliveryDate,
    remarks: edit.remarks ?? operation.remarks,
    withRims: edit.withRims === undefined ? operation.withRims : edit.withRims,
    withBolts: edit.withBolts ?? operation.withBolts,
    withHubcaps: edit.withHubcaps ?? operation.withHubcaps,
    tachometer: edit.tachometer === undefined ? operation.tachometer : edit.tachometer,
    wornTyres: edit.wornTyres === undefined ? operation.wornTyres : edit.wornTyres,
  }
  const differs = (...fields: (keyof Editable)[]): boolean => fields.some(field => kept[field] !== operation[field])

  if (differs('withRims', 'withBolts', 'withHubcaps') && !asksForParts(operation.type))
    throw new Failure('operation.parts_refused')
  if (differs('tachometer') && !(asksForParts(operation.type) && at.site.allowTachometer))
    throw new Failure('operation.tachometer_refused')
  const services = edit.services ? await chosenServices(operation, edit.services, at) : null
  if (mayHaveDay(operation.type)) kept.deliveryDate = await deliveryDay(operation, kept, step, at)
  else if (differs('transport', 'deliveryDate'))
    throw new Failure('request.invalid', { fields: ['operation.deliveryDate'] })
  const changed = (Object.keys(kept) as (keyof Editable)[]).filter(field => differs(field))
  return { kept, services, changed: services === null ? changed : [...changed, 'services'] }
}

/** The services that an operation is to have, `null` when it has exactly those. */
async function chosenServices(
  operation: Operation,
  requested: readonly number[],
  { tx, site }: Circumstances,
): Promise<number[] | null> {
  const wanted = [...new Set(requested)]
  const offered = await tx.rows(servicesFor, { site: site.id, operation: operation.id, type: operation.type })
  const current = offered.filter(service => service.held)
  const refused = wanted.filter(id => !offered.some(service => service._id === id))
  if (refused.length > 0) throw new Failure('operation.service_refused', { services: refused })
  const blocked = current.filter(
    service => !wanted.includes(service._id) && service.offered && !removableService(service),
  )
  if (blocked.length > 0)
    throw new Failure('operation.service_blocked', { services: blocked.map(service => service._id) })
  return wanted.length === current.length && current.every((service, nth) => service._id === wanted[nth])
    ? null
    : wanted
}

/**
 * The day that a recall or a storage keeps (docs/product/operations.md "Delivery days"). A day that is asked for has to suit its transport, and
 * again when the operation is submitted; the database then takes the place on the day. A day that does not suit a newly chosen
 * transport is given up. A storage needs none, unless it comes by a transport.
 */
async function deliveryDay(
  operation: Operation,
  { transport, deliveryDate }: Editable,
  step: Step,
  circumstances: Circumstances,
): Promise<string | null> {
  const [changed, moved] = [transport !== operation.transport, deliveryDate !== operation.deliveryDate]
  const submitted = step === 'submit'
  const arriving = offersArrival(operation.type)
  if (!submitted && !changed && !moved) return deliveryDate
  if (transport === null && needsNoTransport({ arriving, submitted, day: moved || arriving ? deliveryDate : null }))
    return null
  const at = { now: circumstances.now, timeZone: circumstances.site.timeZone }
  const rules = await rulesOf({ transport, deliveryDate, arriving }, circumstances)
  if (!rules) throw new Failure(changed && transport !== null ? 'record.missing' : 'delivery.transport_missing')
  if (!submitted && deliveryDate === null) return null
  const refusal = refusalOf(deliveryDate, rules, at)
  if (refusal && (submitted || moved)) throw new Failure(arriving ? arrivalRefusals[refusal] : refusal)
  return refusal ? null : deliveryDate
}

/** Whether neither transport nor day has to be there: of a storage without a day, and of a recall that is not submitted yet. */
const needsNoTransport = (request: { arriving: boolean; submitted: boolean; day: string | null }): boolean =>
  request.day === null && (request.arriving || !request.submitted)

type Rules = Row<typeof transportRules>

/** The rules of a transport, and what it has on the day. Without one: of tyres that their customer brings; none of a recall. */
async function rulesOf(
  { transport, deliveryDate: day, arriving }: Pick<Editable, 'transport' | 'deliveryDate'> & { arriving: boolean },
  { tx, site, now }: Circumstances,
): Promise<Rules | null> {
  const from = today({ now, timeZone: site.timeZone })
  if (transport !== null)
    return (await tx.maybe(transportRules, { site: site.id, transport, day, arriving, today: from })) ?? null
  if (!arriving) return null
  const closed = await tx.rows(closedFrom, { site: site.id, today: from })
  const operationDays = [...selfDelivered.operationDays]
  return {
    ...selfDelivered,
    operationDays,
    operations: 0,
    tyres: 0,
    closedDays: closed.map(closedDay => closedDay.day),
  }
}

/** The reason why a transport does not deliver on a day, with its bookings on that day; `null` when it does. */
function refusalOf(day: string | null, rules: Rules, at: Moment): ReturnType<typeof deliveryDayRefusal> {
  const booked = day !== null && isDayFull(rules, rules) ? [day] : []
  return deliveryDayRefusal(day, rules, booked, { ...at, closedDays: rules.closedDays })
}
