/** The change of tyres of many vehicles (docs/product.md "Season change"): a plan for all, and a swap for each. */
import { today } from '#domain/date.ts'
import { Failure } from '#domain/failure.ts'
import { daysWithRoom, spread } from '#domain/spreader.ts'
import { may, type OfferedType, tyreStatuses } from '#domain/tyre.ts'
import { Json } from '../../db/database.ts'
import { actorOf } from '../audit/audited.sql.ts'
import type { Handlers } from '../handler.ts'
import { createOperation, saveOperation, takenDays, transportRules } from './changing.sql.ts'
import { edited } from './editing.ts'
import { answer, type Circumstances, guard, lock } from './lock.ts'

type Wanted = { vehicle: number; tyres: readonly number[]; type: OfferedType }

/** Creates an operation. Answers its id and its customer. @throws Failure with why it can't be */
async function create({ tx, who, site, now }: Circumstances, { vehicle, tyres, type }: Wanted) {
  const made = await tx.one(createOperation, {
    site: site.id,
    withDepth: site.allowProfileDepth,
    customer: who.customer,
    vehicle,
    tyres: [...new Set(tyres)],
    type,
    account: who.account,
    now,
    states: tyreStatuses.filter(tyre_status => may(type, { tyre_status })),
    actor: actorOf(who),
  })
  if (made.code) throw new Failure(made.code, made.code === 'operation.tyres_refused' ? { tyres: made.refused } : {})
  const { _id } = JSON.parse(made.json ?? '') as { _id: number }
  return { id: _id, customer: made.customer }
}

/** Submits a pending operation as any other, with these details. @throws Failure with why it can't be */
async function submit(at: Circumstances, id: number, details: { transport?: number; deliveryDate?: string }) {
  const { tx, who, site, now } = at
  const operation = await lock(at, id)
  guard(operation, 'submit', who)
  const { kept, services, changed } = await edited(operation, { _id: id, ...details }, 'submit', at)
  await tx.run(saveOperation, {
    ...kept,
    site: site.id,
    operation: id,
    now,
    status: 'submitted',
    services,
    actor: who.account,
    action: 'operation.submit',
    facts: JSON.stringify(changed.length > 0 ? { fields: changed } : {}),
  })
}

export const swapping: Pick<Handlers['operations'], 'plan' | 'swap'> = {
  async plan({ input: { transport, from, until, counts }, tx, site, now }) {
    const at = { now, timeZone: site.timeZone }
    const rules = await tx.maybe(transportRules, { site: site.id, transport, day: null, today: today(at) })
    if (!rules) throw new Failure('record.missing')
    const taken = await tx.rows(takenDays, { site: site.id, transport, from, until })
    const rooms = daysWithRoom(rules, taken, { ...at, closedDays: rules.closedDays }, { from, until })
    const plan = spread(
      counts.map((count, id) => ({ id, tyres: count })),
      rooms,
      rules.tyresPerDay,
    )
    return { days: counts.map((_, id) => plan.get(id) ?? null), open: rooms.map(({ day }) => day) }
  },

  async swap({ input: { flt_id: vehicle, recall, store, transport, deliveryDate }, tx, who, site, now, request }) {
    const at = { tx, who, site, now }
    const recalled = await create(at, { vehicle, tyres: recall, type: 'to_customer' })
    const stored = store.length > 0 ? await create(at, { vehicle, tyres: store, type: 'to_stock' }) : null
    await submit(at, recalled.id, { transport, deliveryDate })
    if (stored) await submit(at, stored.id, {})
    request.notify(recalled.customer)
    const storage = stored && (await answer(at, stored.id)).text
    return new Json(`{"recall":${(await answer(at, recalled.id)).text},"storage":${storage ?? 'null'}}`)
  },
}
