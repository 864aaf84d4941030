/** The change of tyres of many vehicles (docs/product/season.md "Season change"): a plan for all, and a swap for each. */
import { today } from '#domain/texts/date.ts'
import { Failure } from '#domain/failure.ts'
import type { WheelParts, WornDecision } from '#domain/operations/operation.ts'
import { daysWithRoom, spread, withArrivals } from '#domain/season/spreader.ts'
import { Json } from '../../db/database.ts'
import { rowsAtDesks } from '../changedRows.ts'
import type { Handlers } from '../handler.ts'
import { linkSwap, takenDays, transportRules } from './changing.sql.ts'
import { create, idOf, save } from './creating.ts'
import { edited } from './editing.ts'
import { answer, type Circumstances, guard, lock } from './lock.ts'

type Details = { transport: number; deliveryDate: string; wornTyres?: WornDecision | undefined } & {
  [part in keyof WheelParts]?: WheelParts[part] | undefined
}

/** Submits a pending operation as any other, with these details. @throws Failure with why it can't be */
async function submit(at: Circumstances, id: number, details: Details) {
  const operation = await lock(at, id)
  guard(operation, 'submit', at.who)
  const wanted = await edited(operation, { _id: id, ...details }, 'submit', at)
  await save(at, id, wanted, { status: 'submitted', action: 'operation.submit' })
}

export const swapping: Pick<Handlers['operations'], 'plan' | 'swap'> = {
  async plan({ input: { transport, from, until, counts, returns }, tx, site, now }) {
    const at = { now, timeZone: site.timeZone }
    const rules = await tx.maybe(transportRules, {
      site: site.id,
      transport,
      day: null,
      arriving: false,
      today: today(at),
    })
    if (!rules) throw new Failure('record.missing')
    const taken = await tx.rows(takenDays, { site: site.id, transport, from, until })
    const filled = returns.length > 0 ? taken.map(withArrivals) : taken
    const rooms = daysWithRoom(rules, filled, { ...at, closedDays: rules.closedDays }, { from, until })
    const plan = spread(
      counts.map((count, id) => ({ id, tyres: Math.max(count, returns[id] ?? 0) })),
      rooms,
      rules.tyresPerDay,
    )
    return { days: counts.map((_, id) => plan.get(id) ?? null), open: rooms.map(({ day }) => day) }
  },

  async swap({ input, tx, who, site, now, request }) {
    const {
      flt_id: vehicle,
      recall,
      store,
      transport,
      deliveryDate,
      wornTyres,
      withRims,
      withBolts,
      withHubcaps,
    } = input
    const at = { tx, who, site, now }
    const recalled = await create(tx, at, { vehicle, tyres: recall, type: 'to_customer' })
    const stored = store.length > 0 ? await create(tx, at, { vehicle, tyres: store, type: 'to_stock' }) : null
    if (stored) await tx.run(linkSwap, { site: site.id, recall: idOf(recalled), storage: idOf(stored) })
    await submit(at, idOf(recalled), { transport, deliveryDate, wornTyres })
    // what comes back arrives with the delivery
    if (stored) await submit(at, idOf(stored), { transport, deliveryDate, withRims, withBolts, withHubcaps })
    request.notify(recalled.customer, rowsAtDesks(idOf(recalled), stored && idOf(stored)))
    const storage = stored && (await answer(at, idOf(stored))).text
    return new Json(`{"recall":${(await answer(at, idOf(recalled))).text},"storage":${storage ?? 'null'}}`)
  },
}
