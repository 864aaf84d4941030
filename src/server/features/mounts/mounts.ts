/** Mounted tyres: since when, and for how many kilometres (docs/product/vehicles.md "Mounted tyres"). */
import { Failure } from '#domain/failure.ts'
import { today } from '#domain/texts/date.ts'
import {
  isOpen,
  mayMount,
  type MountPlan,
  type MountRefusal,
  planDenial,
  planMounts,
  planUndo,
  rotatedPosition,
  rotationsOf,
  summerBegan,
} from '#domain/tyres/mount.ts'
import { type Axle, positionsOf } from '#domain/vehicles/axle.ts'
import { agreeingReadings, contradictedReading, kilometresOf } from '#domain/vehicles/odometer.ts'
import type { Input } from '#contract/call.ts'
import type { mounts as calls } from '#contract/mounts.ts'
import type { Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import { actorOf } from '../audit/audited.sql.ts'
import { customerOf } from '../customers/customers.ts'
import type { Context, Handlers, Site } from '../handler.ts'
import { busyTyres, lockTyres, lockVehicle, vehicleExists } from '../tyres/tyres.sql.ts'
import { odometersOf, recordOdometers } from '../odometers/odometers.sql.ts'
import * as sql from './mounts.sql.ts'

type Period = Row<typeof sql.mountsOfVehicle>
type Changing = Pick<Context<unknown, readonly ['user', 'admin']>, 'tx' | 'who' | 'site' | 'now'>
type Note = {
  tyre: number
  kind: 'mounted' | 'dismounted'
  position: string
  day: string
  status: string | null
  statusDate: string | null
}

/** The logs of the vehicles on which the periods were; none where the site asks for no odometer. */
async function logsOf(tx: Tx, site: Site, vehicles: readonly number[]) {
  const rows = site.allowTachometer
    ? await tx.rows(odometersOf, {
        site: site.id,
        vehicles: [...new Set(vehicles)],
        withDepth: site.allowProfileDepth,
      })
    : []
  return Map.groupBy(rows, ({ vehicle }) => vehicle)
}

/** A vehicle with its periods, kilometres and log. */
async function answer({ tx, site }: Pick<Changing, 'tx' | 'site'>, vehicle: number) {
  const periods = await tx.rows(sql.mountsOfVehicle, { site: site.id, vehicle })
  const logs = await logsOf(tx, site, [vehicle, ...periods.map(period => period.vehicle)])
  const withLog = (period: Period) => ({ ...period, readings: logs.get(period.vehicle) ?? [] })
  const own = logs.get(vehicle) ?? []
  const agreeing = new Set(agreeingReadings(own).map(({ id }) => id))
  const ofTyres = [...Map.groupBy(periods, ({ tyre }) => tyre)].map(([tyre, its]) => ({
    tyre,
    ...kilometresOf(its.map(withLog)),
  }))
  return {
    flt_id: vehicle,
    mounts: periods.map(period => {
      const { km, complete } = kilometresOf([withLog(period)])
      return {
        tyre: period.tyre,
        position: period.position,
        description: period.description,
        tyre_set: period.set,
        license_plate: period.vehicle === vehicle ? null : period.plate,
        since: period.since,
        until: period.until,
        source: period.source,
        until_source: period.untilSource,
        km: complete || km > 0 ? km : null,
      }
    }),
    tyres: ofTyres.filter(({ km, complete }) => complete || km > 0).toSorted((a, b) => a.tyre - b.tyre),
    readings: own
      .toReversed()
      .map(({ id, day, km, source }) => ({ _id: id, date: day, km, source, agrees: agreeing.has(id) })),
  }
}

function refuse(plan: MountPlan | MountRefusal | null): MountPlan {
  if (plan === null) throw new Failure('record.changed')
  if (!('code' in plan)) return plan
  const { code, ...facts } = plan
  throw new Failure(code, facts)
}

type Applying = { readonly vehicle: number; readonly plan: MountPlan; readonly change: number; readonly day: string }

async function apply(
  { tx, who, site, now }: Changing,
  { vehicle, plan, change, day }: Applying,
  entered: readonly object[],
) {
  const at = { site: site.id, change }
  if (plan.withdraw.length > 0)
    await tx.run(sql.withdrawMounts, {
      ...at,
      mounts: plan.withdraw.map(({ id }) => id),
      reasons: plan.withdraw.map(({ why }) => why),
    })
  if (plan.close.length > 0) await tx.run(sql.closeMounts, { ...at, mounts: [...plan.close], day })
  if (entered.length > 0)
    await tx.run(sql.openMounts, { ...at, vehicle, mounts: JSON.stringify(entered), account: who.account, now })
}

const note = (
  { tx, who, site, now }: Changing,
  rows: readonly Note[],
  action: 'tyre.mount' | 'tyre.unmount' | 'tyre.remount',
) =>
  tx.run(sql.noteMounts, {
    site: site.id,
    rows: JSON.stringify(rows),
    now,
    today: today({ now, timeZone: site.timeZone }),
    timeZone: site.timeZone,
    account: who.account,
    actor: actorOf(who),
    action,
  })

/** Adds what the odometer showed on the day of a change. @throws Failure `odometer.order` where it contradicts another reading */
async function record(
  { tx, who, site, now }: Changing,
  {
    vehicle,
    day,
    km,
    change,
    unordered,
  }: { vehicle: number; day: string; km: number; change: number; unordered: boolean },
): Promise<void> {
  const readings = (await logsOf(tx, site, [vehicle])).get(vehicle) ?? []
  const contradicted = contradictedReading(readings, { day, km })
  if (contradicted && !unordered) throw new Failure('odometer.order', { date: contradicted.day, km: contradicted.km })
  if (readings.some(reading => reading.day === day && reading.km === km)) return
  await tx.rows(recordOdometers, {
    site: site.id,
    readings: JSON.stringify([{ nth: 0, vehicle, day, km }]),
    source: 'typed',
    change,
    account: who.account,
    now,
    actor: actorOf(who),
  })
}

/** The tyres, locked: all of the vehicle. @throws Failure `operation.tyres_mixed` */
async function tyresOf(
  { tx, who, site }: Pick<Changing, 'tx' | 'who' | 'site'>,
  vehicle: number,
  ids: readonly number[],
) {
  const wanted = [...new Set(ids)]
  const tyres = await tx.rows(lockTyres, { site: site.id, tyres: wanted, customer: who.customer })
  if (tyres.length !== wanted.length) throw new Failure('record.missing')
  if (tyres.some(tyre => tyre.vehicle !== vehicle)) throw new Failure('operation.tyres_mixed')
  return tyres
}

/** The positions that tyres get: of a rotation, or as they were asked for. */
function positionsWanted(
  {
    put,
    rotation,
  }: {
    put: readonly { db_id: number; position?: string | undefined }[]
    rotation: Parameters<typeof rotatedPosition>[0] | undefined
  },
  axles: readonly Axle[] | null,
  periods: readonly Period[],
  vehicle: number,
) {
  if (rotation === undefined) return put.map(({ db_id, position }) => ({ tyre: db_id, position }))
  if (!axles || !rotationsOf(axles).includes(rotation)) throw new Failure('mount.rotation')
  return periods
    .filter(period => isOpen(period) && period.vehicle === vehicle)
    .map(({ tyre, position }) => ({ tyre, position: rotatedPosition(rotation, axles, position), from: position }))
    .filter(({ position, from }) => position !== from)
    .map(({ tyre, position }) => ({ tyre, position: position as string }))
}

type MountWish = Omit<Input<typeof calls.change>, 'flt_id'>

/**
 * Mounts tyres, takes them off, swaps or rotates them, in the transaction of what needs it. Answers the number of the change; `null`: there was
 * nothing to change. The caller has locked the vehicle, which has these axles. @throws Failure with why it can't be
 */
export async function changeMounts(
  changing: Changing,
  { id: vehicle, axles }: { readonly id: number; readonly axles: readonly Axle[] | null },
  { put = [], off = [], rotation, swap, km, unordered, date: wanted }: MountWish,
): Promise<number | null> {
  const { tx, site, now } = changing
  const day = today({ now, timeZone: site.timeZone })
  const date = wanted ?? day
  if (date > day) throw new Failure('mount.date', { tyres: [] })
  const periods = await tx.rows(sql.mountsOfVehicle, { site: site.id, vehicle })
  const places = positionsWanted({ put, rotation }, axles, periods, vehicle)
  const tyres = await tyresOf(changing, vehicle, [...places.map(({ tyre }) => tyre), ...off])
  const placed = places.map(({ tyre, position }) => ({
    tyre,
    position: position ?? tyres.find(({ id }) => id === tyre)?.position ?? '',
  }))
  const positions: readonly string[] | null = axles && positionsOf(axles)
  const missing = placed.map(({ position }) => position).filter(position => positions?.includes(position) === false)
  if (missing.length > 0) throw new Failure('tyre.position_missing', { positions: missing })
  const putIds = placed.map(({ tyre }) => tyre)
  const refused = tyres.filter(({ id, status }) => putIds.includes(id) && !mayMount({ tyre_status: status }))
  if (refused.length > 0) throw new Failure('tyre.status_refused', { tyres: refused.map(({ id }) => id) })
  // one that is to be stored may be taken off, and is not put on again
  const busy = await tx.rows(busyTyres, { site: site.id, tyres: putIds })
  if (busy.length > 0) throw new Failure('operation.tyres_busy', { tyres: busy.map(({ id }) => id) })

  const plan = refuse(planMounts(periods, { date, put: placed, off, swap: swap === true }))
  const closed = periods.filter(({ id }) => plan.close.includes(id))
  const isEmpty = plan.open.length + closed.length === 0
  if (isEmpty && km == null) return null
  const { change } = await tx.one(sql.nextChange, {})
  const former = new Map(periods.map(period => [period.tyre, period]))
  await apply(
    changing,
    { vehicle, plan, change, day: date },
    plan.open.map(mount => ({
      ...mount,
      // what was presumed left the status alone: it is as it was
      ...(mount.until !== null && { untilFormer: former.get(mount.tyre)?.untilFormer ?? null }),
    })),
  )
  const opened = plan.open.filter(isOpen)
  const rows: Note[] = [
    ...closed
      .filter(({ tyre }) => !opened.some(mount => mount.tyre === tyre))
      .map(({ tyre, position }) => ({
        tyre,
        kind: 'dismounted' as const,
        position,
        day: date,
        status: off.includes(tyre) || former.get(tyre)?.status === 'on_vehicle' ? 'at_customer' : null,
        statusDate: date,
      })),
    ...opened.map(({ tyre, position }) => ({
      tyre,
      kind: 'mounted' as const,
      position,
      day: date,
      status: 'on_vehicle',
      statusDate: date,
    })),
  ]
  if (rows.length > 0) await note(changing, rows, 'tyre.mount')
  if (km != null && site.allowTachometer)
    await record(changing, { vehicle, day: date, km: km, change, unordered: unordered === true })
  return isEmpty ? null : change
}

export const mounts: Handlers['mounts'] = {
  async vehicle({ input, tx, who, site }) {
    await tx.one(vehicleExists, { site: site.id, vehicle: input.flt_id, customer: who.customer })
    return answer({ tx, site }, input.flt_id)
  },

  fleet({ input, tx, who, site, now }) {
    const day = today({ now, timeZone: site.timeZone })
    return tx.single.json(sql.mountsOfFleet, {
      site: site.id,
      customer: customerOf(who, input.seq_id),
      today: day,
      timeZone: site.timeZone,
      summer: summerBegan(day),
      withDepth: site.allowProfileDepth,
      withOdometer: site.allowTachometer,
    })
  },

  async change({ input: { flt_id: vehicle, ...wish }, tx, who, site, now, request }) {
    const changing = { tx, who, site, now }
    const { customer, axles } = await tx.one(lockVehicle, { site: site.id, vehicle, customer: who.customer })
    request.notify(customer)
    const change = await changeMounts(changing, { id: vehicle, axles }, wish)
    return { ...(await answer(changing, vehicle)), change }
  },

  async deny({ input, tx, who, site, now, request }) {
    const { flt_id: vehicle } = input
    const changing = { tx, who, site, now }
    const { customer } = await tx.one(lockVehicle, { site: site.id, vehicle, customer: who.customer })
    request.notify(customer)
    const tyres = await tyresOf(changing, vehicle, input.tyres)
    const periods = await tx.rows(sql.mountsOfVehicle, { site: site.id, vehicle })
    const plan = refuse(planDenial(periods, input.tyres))
    const { change } = await tx.one(sql.nextChange, {})
    const day = today({ now, timeZone: site.timeZone })
    const denied = periods.filter(period => isOpen(period) && input.tyres.includes(period.tyre))
    // a delivery of which nothing was presumed: it is kept that somebody said so
    const never = tyres.filter(({ id }) => !denied.some(({ tyre }) => tyre === id))
    await apply(changing, { vehicle, plan, change, day }, [
      ...plan.open,
      ...never.map(({ id, position }) => ({
        tyre: id,
        position,
        since: day,
        until: null,
        source: 'confirmed',
        untilSource: null,
        withdrawn: 'not_mounted',
      })),
    ])
    const rows: Note[] = denied.map(({ tyre, position, status }) => ({
      tyre,
      kind: 'dismounted',
      position,
      day,
      status: status === 'on_vehicle' ? 'at_customer' : null,
      statusDate: day,
    }))
    const again: Note[] = plan.open.map(({ tyre, position }) => ({
      tyre,
      kind: 'mounted',
      position,
      day,
      status: null,
      statusDate: null,
    }))
    if (denied.length > 0) await note(changing, [...rows, ...again], 'tyre.unmount')
    return { ...(await answer(changing, vehicle)), change }
  },

  async undo({ input: { flt_id: vehicle, change: undone }, tx, who, site, now, request }) {
    const changing = { tx, who, site, now }
    const { customer } = await tx.one(lockVehicle, { site: site.id, vehicle, customer: who.customer })
    request.notify(customer)
    const periods = await tx.rows(sql.mountsOfVehicle, { site: site.id, vehicle })
    const withdrawn = await tx.rows(sql.mountsWithdrawnBy, { site: site.id, vehicle, change: undone })
    const plan = refuse(planUndo(periods, withdrawn, undone))
    const { change } = await tx.one(sql.nextChange, {})
    const day = today({ now, timeZone: site.timeZone })
    await apply(changing, { vehicle, plan, change, day }, plan.open)
    const opened = periods.filter(period => period.change === undone)
    const closed = periods.filter(period => period.untilChange === undone && period.change !== undone)
    const back = plan.open.filter(isOpen)
    const rows: Note[] = [
      ...opened
        .filter(({ tyre }) => !back.some(mount => mount.tyre === tyre))
        .map(({ tyre, position, former }) => ({
          tyre,
          kind: 'dismounted' as const,
          position,
          day,
          status: former?.status ?? null,
          statusDate: former?.date ?? null,
        })),
      ...back.map(({ tyre, position }) => {
        const was =
          opened.find(period => period.tyre === tyre)?.former ??
          closed.find(period => period.tyre === tyre)?.untilFormer
        return {
          tyre,
          kind: 'mounted' as const,
          position,
          day,
          status: was?.status ?? null,
          statusDate: was?.date ?? null,
        }
      }),
    ]
    if (rows.length > 0) await note(changing, rows, 'tyre.remount')
    await tx.run(sql.withdrawOdometersOf, { site: site.id, vehicle, change: undone, now })
    return { ...(await answer(changing, vehicle)), change }
  },
}
