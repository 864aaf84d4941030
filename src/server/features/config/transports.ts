/** Removal of transport methods: their open operations move to another one (docs/product/operations.md "Transport methods"). */
import { deliveryDayRefusal, today } from '#domain/operations/delivery.ts'
import { Failure } from '#domain/failure.ts'
import type { AdminConfig } from '#contract/config.ts'
import type { Tx } from '../../db/database.ts'
import type { Handlers, Who } from '../handler.ts'
import { enterSite, publishSiteChange } from './siteScope.ts'
import { lists, lockSite } from './config.sql.ts'
import { readVersion, refuseUsed } from './lists.ts'
import * as sql from './transports.sql.ts'
import { recordAudit } from '../audit/record.ts'

type Transport = AdminConfig['transportMethods'][number]
type At = { tx: Tx; who: Who; site: number; now: Date }

export const transports: Handlers['transports'] = {
  async usage({ input, tx, who }) {
    const site = await enterSite(tx, who, input.id)
    find(await readVersion(tx, site), input.transport)
    const [used] = await tx.rows(sql.openRecalls, { site, transports: [input.transport] })
    return { recall_count: used?.recalls ?? 0 }
  },

  async remove({ input, tx, who, now, request }) {
    const site = await enterSite(tx, who, input.id)
    const { code } = await tx.one(lockSite, { site })
    const before = await readVersion(tx, site, input.version)
    const gone = find(before, input.transport)
    const next = input.by === undefined ? null : find(before, input.by)
    if (next === gone) throw new Failure('request.invalid', { fields: ['by'] })
    const moved = next ? await move({ tx, who, site, now }, before, gone, next) : 0
    await refuseUsed(tx, site, [gone])
    await tx.run(lists.transportMethods.remove, { site, ids: [gone._id], now })
    const inherits = next && gone.default ? [{ _id: next._id, name: next.name, default: [false, true] }] : []
    if (next && gone.default) await tx.run(sql.makeDefault, { site, transport: next._id })
    const facts = {
      transportMethods: { added: [], changed: inherits, removed: [{ _id: gone._id, name: gone.name }] },
      ...(next && moved > 0 && { transport: [gone.name, next.name], moved }),
    }
    await tx.run(sql.countEdit, { site })
    await recordAudit({ tx, site: { id: site }, who, now }, 'config.edit', code, facts)
    publishSiteChange(request, site)
    return { config: await readVersion(tx, site), moved_count: moved }
  },
}

function find({ transportMethods }: AdminConfig, id: number): Transport {
  const method = transportMethods.find(({ _id }) => _id === id)
  if (!method) throw new Failure('record.missing')
  return method
}

/**
 * Moves the open recalls and storages of a transport method to another one and returns their number. A submitted one keeps its
 * day, which is agreed with the customer; a pending one loses a day that is not possible, as when another transport is
 * chosen.
 */
async function move(
  { tx, who, site, now }: At,
  config: AdminConfig,
  gone: Transport,
  next: Transport,
): Promise<number> {
  const recalls = await tx.rows(sql.lockRecalls, { site, transport: gone._id })
  if (recalls.length === 0) return 0
  const days = [...new Set(recalls.flatMap(({ submitted, day }) => (submitted && day !== null ? [day] : [])))]
  await tx.rows(sql.lockDays, { site, transports: [gone._id, next._id], days })
  const at = { now, timeZone: config.time_zone, closedDays: config.closedDays.map(({ day }) => day) }
  const full = await tx.rows(sql.bookedDays, { site, transport: next._id, today: today(at) })
  const booked = (direction: 'recalls' | 'storages') => full.flatMap(row => (row[direction] ? row.day : []))
  const [deliveries, arrivals] = [booked('recalls'), booked('storages')]
  const suits = (day: string | null, arriving: boolean) =>
    deliveryDayRefusal(day, next, arriving ? arrivals : deliveries, at) === null
  await tx.run(sql.moveRecalls, {
    site,
    transport: next._id,
    recalls: JSON.stringify(
      recalls.map(({ id, arriving, submitted, day }) => ({ id, day: submitted || suits(day, arriving) ? day : null })),
    ),
    actor: who.account,
    now,
  })
  return recalls.length
}
