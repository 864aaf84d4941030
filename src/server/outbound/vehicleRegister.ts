/** A public register of vehicles: what it says of a plate, asked only where the operator wants it (VEHICLE_REGISTER). */
import { z } from 'zod'
import { fromYmd, type IsoDate } from '#domain/texts/date.ts'
import { isDutchPlate } from '#domain/vehicles/plate.ts'
import { type VehicleKind, vehicleKind, vehicleLimits } from '#domain/vehicles/vehicle.ts'
import { type Outbound, OutboundFailed } from './outbound.ts'

/** A register's record of a vehicle. `null`: it says nothing that the portal understands. */
type RegisteredVehicle = {
  readonly brand: string
  /** Model, type and version in the words of the register. */
  readonly description: string
  readonly kind: VehicleKind | null
  readonly firstAdmission: IsoDate | null
  readonly wheels: number | null
}

export type VehicleRegister = {
  /** Whether it registers plates of this shape. */
  has(plate: string): boolean
  /** The vehicle of a plate in the form of `normalizePlate`, `null` when there is none. @throws OutboundFailed when it does not answer */
  find(plate: string): Promise<RegisteredVehicle | null>
}

/** Asked again after a day: a register changes what it says of a vehicle once in years, and new plates come every day. */
const keptMs = 24 * 3_600_000
const mostKept = 5000

/** Keeps what a register said, so that a plate is asked for once however often it is typed. Failures are not kept. */
export function keepingAnswers(register: VehicleRegister, now: () => number = Date.now): VehicleRegister {
  const kept = new Map<string, { readonly until: number; readonly answer: Promise<RegisteredVehicle | null> }>()
  return {
    has: plate => register.has(plate),
    find(plate) {
      const entry = kept.get(plate)
      if (entry && entry.until > now()) return entry.answer
      const answer = register.find(plate)
      if (kept.size >= mostKept) kept.clear()
      kept.set(plate, { until: now() + keptMs, answer })
      answer.catch(() => kept.delete(plate))
      return answer
    },
  }
}

const rdwAddress = 'https://opendata.rdw.nl/resource/m9d7-ebf2.json'

/** The columns of the data set "Gekentekende voertuigen" that are read; a row lacks those that are empty. */
const rdwRows = z
  .array(
    z.object({
      merk: z.string().default(''),
      handelsbenaming: z.string().default(''),
      voertuigsoort: z.string().default(''),
      inrichting: z.string().default(''),
      europese_voertuigcategorie: z.string().default(''),
      datum_eerste_toelating: z.string().default(''),
      aantal_wielen: z.coerce.number().int().positive().max(100).nullable().catch(null),
    }),
  )
  .max(100)

/**
 * The open data of the Dutch register (RDW), which need no key. `from`: `rdw`, or the address of a copy of its data set
 * "Gekentekende voertuigen".
 */
export const openRdw = (outbound: Pick<Outbound, 'send'>, from: string = 'rdw'): VehicleRegister => ({
  has: isDutchPlate,
  async find(plate) {
    const query = new URLSearchParams({ kenteken: plate, $select: Object.keys(rdwRows.element.shape).join(',') })
    const answer = await outbound.send(`${from === 'rdw' ? rdwAddress : from}?${query}`, {
      headers: { accept: 'application/json' },
    })
    const text = await answer.text()
    const rows = answer.ok ? rdwRows.safeParse(jsonOrNothing(text)) : null
    if (!rows?.success)
      throw new OutboundFailed('unusable', `the register answered ${answer.status}: ${text.slice(0, 200)}`)
    const [row] = rows.data
    if (!row || row.merk.trim() === '') return null
    const brand = row.merk.trim()
    return {
      brand: brand.slice(0, vehicleLimits.brand),
      description: withoutBrand(row.handelsbenaming.trim(), brand).slice(0, vehicleLimits.description),
      kind: kindOf(row.europese_voertuigcategorie, row.inrichting, row.voertuigsoort),
      firstAdmission: fromYmd(row.datum_eerste_toelating),
      wheels: row.aantal_wielen,
    }
  },
})

/** Many names repeat the brand: "VOLKSWAGEN GOLF". */
const withoutBrand = (name: string, brand: string): string =>
  name.toUpperCase().startsWith(`${brand.toUpperCase()} `) ? name.slice(brand.length).trim() : name

/** The first word that names one kind. A camper is an M1, so the body comes first. */
function kindOf(category: string, body: string, sort: string): VehicleKind | null {
  for (const word of [body, category, sort]) {
    const kind = vehicleKind(word)
    if (kind !== 'unknown') return kind
  }
  return null
}

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
