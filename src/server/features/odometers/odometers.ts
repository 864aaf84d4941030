/** Readings of odometers (docs/product/vehicles.md "Odometer"). */
import { Failure } from '#domain/failure.ts'
import { today } from '#domain/texts/date.ts'
import { judgedReading, type OdometerReading } from '#domain/vehicles/odometer.ts'
import { normalizePlate, vehiclesByPlate } from '#domain/vehicles/plate.ts'
import { actorOf } from '../audit/audited.sql.ts'
import type { Handlers } from '../handler.ts'
import * as sql from './odometers.sql.ts'

export const odometers: Handlers['odometers'] = {
  async record({ input, tx, who, site, now, request }) {
    if (!site.allowTachometer) throw new Failure('odometer.off')
    const day = today({ now, timeZone: site.timeZone })
    const plates = input.readings.flatMap(reading =>
      'license_plate' in reading ? [normalizePlate(reading.license_plate)] : [],
    )
    const ids = [...new Set(input.readings.flatMap(reading => ('flt_id' in reading ? [reading.flt_id] : [])))]
    const vehicles = await tx.rows(sql.vehiclesToRead, {
      site: site.id,
      customer: who.customer,
      vehicles: ids,
      plates: [...new Set(plates)],
    })
    // a number is of a vehicle that was seen; a plate may be of none that is there
    if (ids.some(id => !vehicles.some(vehicle => vehicle.id === id))) throw new Failure('record.missing')
    const ofPlate = vehiclesByPlate(vehicles, vehicle => vehicle)
    const log: Map<number, OdometerReading[]> = Map.groupBy(
      await tx.rows(sql.odometersOf, {
        site: site.id,
        vehicles: vehicles.map(({ id }) => id),
        withDepth: site.allowProfileDepth,
      }),
      ({ vehicle }) => vehicle,
    )
    const recorded: { nth: number; vehicle: number; day: string; km: number }[] = []
    const outcomes = input.readings.map((reading, nth) => {
      const { date, km } = reading
      const meant =
        'flt_id' in reading
          ? vehicles.filter(({ id }) => id === reading.flt_id)
          : ofPlate(normalizePlate(reading.license_plate))
      const [vehicle] = meant
      if (!vehicle) return { _id: null, outcome: 'missing' as const, contradicts: null }
      if (meant.length > 1) return { _id: null, outcome: 'several' as const, contradicts: null }
      const readings = log.get(vehicle.id) ?? []
      const { outcome, contradicts } = judgedReading(readings, { day: date, km }, { today: day, ...input })
      if (outcome === 'recorded') {
        log.set(vehicle.id, [...readings, { day: date, km }])
        recorded.push({ nth, vehicle: vehicle.id, day: date, km })
        request.notify(vehicle.customer)
      }
      return { _id: null, outcome, contradicts: contradicts && { date: contradicts.day, km: contradicts.km } }
    })
    const rows =
      recorded.length === 0
        ? []
        : await tx.rows(sql.recordOdometers, {
            site: site.id,
            readings: JSON.stringify(recorded),
            // a program has a token and no session
            source: request.session === null ? 'api' : 'typed',
            change: null,
            account: who.account,
            now,
            actor: actorOf(who),
          })
    const idOf = new Map(recorded.map(({ nth }, at) => [nth, rows[at]?.id ?? null]))
    return { readings: outcomes.map((reading, nth) => ({ ...reading, _id: idOf.get(nth) ?? null })) }
  },

  async withdraw({ input, tx, who, site, now, request }) {
    const [vehicle] = await tx.rows(sql.vehiclesToRead, {
      site: site.id,
      customer: who.customer,
      vehicles: [input.flt_id],
      plates: [],
    })
    if (!vehicle) throw new Failure('record.missing')
    request.notify(vehicle.customer)
    const { id } = await tx.one(sql.withdrawOdometer, {
      site: site.id,
      vehicle: vehicle.id,
      odometer: input.reading,
      now,
      actor: actorOf(who),
    })
    return { _id: id }
  },
}
