/** Tyres that go to another vehicle, and vehicles that leave the fleet (docs/product/vehicles.md "Moving a set"). */
import { Failure } from '#domain/failure.ts'
import { isHotel } from '#domain/site.ts'
import { today } from '#domain/texts/date.ts'
import { mayLeave, operationOf, usualAction } from '#domain/tyres/leaving.ts'
import { may } from '#domain/tyres/tyre.ts'
import { setNameRequired } from '#domain/tyres/tyreSet.ts'
import { positionsOf } from '#domain/vehicles/axle.ts'
import { transferRefusal } from '#domain/vehicles/vehicle.ts'
import type { Input } from '#contract/call.ts'
import type { moves as calls } from '#contract/moves.ts'
import type { Row } from '../../db/statement.ts'
import { actorOf } from '../audit/audited.sql.ts'
import { rowsAtDesks } from '../changedRows.ts'
import { customerOf } from '../customers/customers.ts'
import { visibilityAt } from '../fleet/vehicles.ts'
import { removeVehicle } from '../fleet/vehicles.sql.ts'
import type { Context, Handlers } from '../handler.ts'
import { changeMounts } from '../mounts/mounts.ts'
import { create, idOf } from '../operations/creating.ts'
import { answerOfTyres, lockTyresOf, setToJoin } from '../tyres/tyres.ts'
import { busyTyres, countSetless, removeTyres } from '../tyres/tyres.sql.ts'
import * as sql from './moves.sql.ts'

type Moving = Pick<Context<unknown, readonly ['user', 'admin']>, 'tx' | 'who' | 'site' | 'now'>
type MoveWish = Omit<Input<typeof calls.tyres>, 'expected'>
type Vehicle = Row<typeof sql.lockVehicles>

/** The vehicles of these ids, locked. @throws Failure `record.missing` */
async function lockBoth({ tx, who, site }: Moving, from: number, to: number): Promise<[from: Vehicle, to: Vehicle]> {
  const vehicles = await tx.rows(sql.lockVehicles, { site: site.id, vehicles: [from, to], customer: who.customer })
  const [former, target] = [from, to].map(id => vehicles.find(vehicle => vehicle.id === id))
  if (!former || !target) throw new Failure('record.missing')
  return [former, target]
}

const positionsAt = ({ axles }: Vehicle): readonly string[] => (axles ? positionsOf(axles) : [])

/** The position that each tyre gets on a vehicle. @throws Failure `tyre.position_missing` */
function placedOn(target: Vehicle, tyres: Awaited<ReturnType<typeof lockTyresOf>>, wanted: MoveWish['tyres']) {
  const placed = tyres.map(({ id, position }) => ({
    tyre: id,
    position: wanted.find(({ db_id }) => db_id === id)?.position ?? position,
  }))
  const positions = positionsAt(target)
  const missing = placed.map(({ position }) => position).filter(position => !positions.includes(position))
  if (missing.length > 0) throw new Failure('tyre.position_missing', { positions: missing })
  return placed
}

/** Moves tyres, in the transaction of what needs it. Answers the customers whose tyres these were and are. @throws Failure with why they can't go */
async function move(moving: Moving, { flt_id, tyres: wanted, tyre_set, date }: MoveWish): Promise<Set<number>> {
  const { tx, who, site, now } = moving
  const tyres = await lockTyresOf(
    moving,
    wanted.map(({ db_id }) => db_id),
  )
  const [first] = tyres
  if (!first || tyres.some(({ vehicle }) => vehicle !== first.vehicle)) throw new Failure('operation.tyres_mixed')
  const ids = tyres.map(({ id }) => id)
  const [former, target] = await lockBoth(moving, first.vehicle, flt_id)
  if (target.leaving !== null) throw new Failure('record.missing')
  const busy = await tx.rows(busyTyres, { site: site.id, tyres: ids })
  if (busy.length > 0) throw new Failure('operation.tyres_busy', { tyres: busy.map(({ id }) => id) })
  const refused = tyres.filter(({ status }) => !may('move', { tyre_status: status }))
  if (refused.length > 0) throw new Failure('tyre.status_refused', { tyres: refused.map(({ id }) => id) })

  const placed = placedOn(target, tyres, wanted)
  const name = tyre_set || null
  const { setless } = await tx.one(countSetless, { site: site.id, vehicle: flt_id })
  if (name === null && former.id !== flt_id && setNameRequired({ setless, positions: positionsAt(target).length }))
    throw new Failure('set.name_missing')
  const places = placed.map(({ position }) => position)
  const set = name && (await setToJoin(tx, site, flt_id, name, places, ids))

  const day = today({ now, timeZone: site.timeZone })
  if (target.customer !== former.customer) {
    if (who.type !== 'admin' || who.warehouse) throw new Failure('session.forbidden')
    const since = tyres.map(tyre => tyre.since).reduce((a, b) => (a > b ? a : b))
    const refusal = transferRefusal(date ?? day, { since, today: day })
    if (refusal) throw refusal
    const given = { site: site.id, tyres: ids, positions: places, vehicle: flt_id, set }
    await tx.run(sql.transferTyres, { ...given, day: date ?? day, now, account: who.account })
  } else {
    const mounted = tyres.filter(({ status }) => status === 'on_vehicle').map(({ id }) => id)
    if (mounted.length > 0 && former.id !== flt_id) await changeMounts(moving, former, { off: mounted })
    const by = { today: day, now, account: who.account, actor: actorOf(who) }
    await tx.run(sql.moveTyres, { site: site.id, tyres: JSON.stringify(placed), vehicle: flt_id, set, ...by })
  }
  return new Set([former.customer, target.customer])
}

export const moves: Handlers['moves'] = {
  async tyres({ input: { expected, ...wish }, tx, who, site, now, request }) {
    const moving = { tx, who, site, now }
    const ids = wish.tyres.map(({ db_id }) => db_id)
    const tyres = await lockTyresOf(moving, ids)
    if (expected !== undefined && tyres.some(({ vehicle }) => vehicle !== expected)) throw new Failure('record.changed')
    for (const customer of await move(moving, wish)) request.notify(customer)
    return answerOfTyres(moving, ids)
  },

  async leave({ input: { flt_id: vehicle, groups }, tx, who, site, now, request }) {
    const moving = { tx, who, site, now }
    const targets = groups.flatMap(({ to }) => to ?? [])
    const locked = await tx.rows(sql.lockVehicles, {
      site: site.id,
      vehicles: [vehicle, ...targets],
      customer: who.customer,
    })
    const leaving = locked.find(({ id }) => id === vehicle)
    if (!leaving || leaving.leaving !== null) throw new Failure('record.missing')
    request.notify(leaving.customer)
    const chosen = groups.flatMap(group => group.tyres)
    await lockTyresOf(moving, chosen)
    const tyres = await tx.rows(sql.tyresLeaving, { site: site.id, vehicle })
    if (chosen.some((id, nth) => chosen.indexOf(id) !== nth || !tyres.some(tyre => tyre.id === id)))
      throw new Failure('operation.tyres_mixed')
    const going: number[] = []
    const operations: number[] = []
    const unnamed = tyres.filter(({ id }) => !chosen.includes(id))
    const rest = unnamed.map(tyre => ({
      tyres: [tyre.id],
      action: usualAction([{ ...tyre, tyre_status: tyre.status }]),
    }))
    for (const { tyres: ids, action, ...where } of [...groups, ...rest]) {
      const some = tyres.filter(({ id }) => ids.includes(id)).map(tyre => ({ ...tyre, tyre_status: tyre.status }))
      const isForHotel = action === 'recall' || action === 'dispose'
      if (isForHotel && !isHotel(site.mode)) throw new Failure('site.mode')
      if (!mayLeave(action, some, site.mode)) throw new Failure('tyre.status_refused', { tyres: [...ids] })
      if (action === 'go') going.push(...ids)
      if (isForHotel) {
        const operation = await create(tx, moving, { vehicle, tyres: ids, type: operationOf[action] })
        operations.push(idOf(operation))
      }
      if (action === 'move') {
        const { to, tyre_set } = where as (typeof groups)[number]
        if (to === undefined) throw new Failure('request.invalid', { fields: ['groups'] })
        if (locked.find(({ id }) => id === to)?.customer !== leaving.customer) throw new Failure('record.missing')
        await move(moving, { flt_id: to, tyres: ids.map(db_id => ({ db_id })), tyre_set })
      }
    }
    const by = { now, actor: actorOf(who) }
    if (going.length > 0) await tx.run(removeTyres, { site: site.id, tyres: going, account: who.account, ...by })
    const left = (await tx.maybe(sql.hasKept, { site: site.id, vehicle })) !== null
    const day = today({ now, timeZone: site.timeZone })
    if (left) await tx.run(sql.leaveFleet, { site: site.id, vehicle, day, ...by })
    else await tx.run(removeVehicle, { site: site.id, vehicle, ...by })
    if (operations.length > 0) request.notify(leaving.customer, rowsAtDesks(...operations))
    return { flt_id: vehicle, left, operations }
  },

  left({ input, tx, who, site }) {
    const customer = customerOf(who, input.seq_id)
    if (customer === null) throw new Failure('request.invalid', { fields: ['seq_id'] })
    return tx.single.json(sql.vehiclesThatLeft, { ...visibilityAt(site), customer })
  },
}
