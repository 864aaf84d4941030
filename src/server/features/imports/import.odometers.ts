/** Saves the odometer readings of a file, each beside the log of its vehicle (docs/product/vehicles.md "Odometer"). */
import { formatDate, type IsoDate } from '#domain/texts/date.ts'
import { judgedReading, type OdometerReading } from '#domain/vehicles/odometer.ts'
import { vehiclesByPlate } from '#domain/vehicles/plate.ts'
import type { Tx } from '../../db/database.ts'
import { odometersOf, recordOdometers, vehiclesToRead } from '../odometers/odometers.sql.ts'
import { rememberReadings } from './import.odometers.sql.ts'
import type { OdometerRow } from './import.rows.ts'
import type { ImportingSite, Saved } from './import.tyres.ts'

type Importing = {
  readonly tx: Tx
  readonly site: ImportingSite
  readonly import: number
  readonly account: number | null
  readonly now: Date
  /** The day at the site, which is that of a reading without one. */
  readonly today: IsoDate
}

const refused = (place: number, text: 'no_vehicle' | 'several_plates' | 'read_ahead' | 'read_off', fact: string) => ({
  place,
  outcome: { refused: { text, facts: { text: fact } } },
})

/** Saves a batch of rows. */
export async function saveOdometers(
  { tx, site, account, now, today, ...about }: Importing,
  rows: readonly OdometerRow[],
): Promise<Saved[]> {
  if (!site.allowTachometer) return rows.map((row, place) => refused(place, 'read_off', row.license_plate))
  const plates = [...new Set(rows.map(row => row.license_plate))]
  const vehicles = await tx.rows(vehiclesToRead, { site: site.id, customer: null, vehicles: [], plates })
  const ofPlate = vehiclesByPlate(vehicles, vehicle => vehicle)
  const ids = vehicles.map(({ id }) => id)
  const log: Map<number, OdometerReading[]> = Map.groupBy(
    await tx.rows(odometersOf, { site: site.id, vehicles: ids, withDepth: site.allowProfileDepth }),
    ({ vehicle }) => vehicle,
  )
  const readings: { nth: number; vehicle: number; day: IsoDate; km: number }[] = []
  const saved = rows.map(({ license_plate: plate, km, day = null }, place): Saved => {
    const [vehicle, ...others] = ofPlate(plate)
    if (!vehicle) return refused(place, 'no_vehicle', plate)
    if (others.length > 0) return refused(place, 'several_plates', plate)
    const reading = { day: day ?? today, km }
    const earlier = log.get(vehicle.id) ?? []
    const { outcome, contradicts } = judgedReading(earlier, reading, { today })
    if (outcome === 'future') return refused(place, 'read_ahead', formatDate(reading.day))
    if (outcome === 'known') return { place, outcome: 'unchanged' }
    if (contradicts) {
      const facts = { km, other: contradicts.km, date: formatDate(contradicts.day) }
      return { place, outcome: { refused: { text: 'read_unordered', facts } } }
    }
    log.set(vehicle.id, [...earlier, reading])
    readings.push({ nth: place, vehicle: vehicle.id, ...reading })
    return { place, outcome: 'added' }
  })
  if (readings.length > 0) {
    const by = { site: site.id, account, now }
    const recorded = await tx.rows(recordOdometers, {
      ...by,
      readings: JSON.stringify(readings),
      source: 'import',
      change: null,
      actor: null,
    })
    await tx.run(rememberReadings, { site: site.id, import: about.import, readings: recorded.map(({ id }) => id) })
  }
  return saved
}
