/** The add-vehicle form as values, and why a field can't be as it is (SPEC §5 "Vehicle"). The rules are the contract's. */
import { newVehicle } from '#contract/fleet.ts'
import type { Vehicle } from '#contract/wire.ts'
import { normalizePlate } from '#domain/plate.ts'
import { vehicleKind } from '#domain/vehicle.ts'

export type VehicleForm = {
  license_plate: string
  number: string
  brand: string
  description: string
  type: string
  configuration: string
  chassis_number: string
  driver: { name: string; mobile_no: string; telephone_no: string; email: string }
}

export const emptyForm = (plate = ''): VehicleForm => ({
  license_plate: normalizePlate(plate),
  number: '',
  brand: '',
  description: '',
  type: '',
  configuration: '',
  chassis_number: '',
  driver: { name: '', mobile_no: '', telephone_no: '', email: '' },
})

/** Why a field is refused: `required`, longer than `max` characters, no e-mail address. */
export type Complaint = { why: 'required' | 'email' } | { why: 'tooLong'; max: number }

type Issue = { path: PropertyKey[]; code: string; maximum?: unknown; errors?: Issue[][] }

/** What is wrong with each field, by its path (`driver.email`); nothing for a form that can be sent. */
export function complaintsOf(form: VehicleForm): Record<string, Complaint> {
  const parsed = newVehicle.safeParse({ ...form, license_plate: normalizePlate(form.license_plate) })
  const complaints: Record<string, Complaint> = {}
  const issues: Issue[] = parsed.error ? [...parsed.error.issues] : []
  for (const issue of issues) complaints[issue.path.join('.')] ??= complaintOf(issue)
  return complaints
}

function complaintOf(issue: Issue): Complaint {
  // The e-mail may be empty or an address: what the second alternative says is what the person has to know.
  const said = issue.errors?.flat().find(inner => inner.code !== 'invalid_value') ?? issue
  if (said.code === 'too_big') return { why: 'tooLong', max: Number(said.maximum) }
  return { why: said.code === 'invalid_format' ? 'email' : 'required' }
}

/** A vehicle type of the site as a kind whose name is translated; `null` for a word of the site's own. */
export function kindNamed(type: string): Exclude<ReturnType<typeof vehicleKind>, 'unknown'> | null {
  const kind = vehicleKind(type)
  return kind !== 'unknown' && kind === type.trim().toLowerCase() ? kind : null
}

/** A vehicle as the form shows it. */
export const formOf = (vehicle: Vehicle): VehicleForm => ({
  license_plate: vehicle.license_plate,
  number: vehicle.number,
  brand: vehicle.brand,
  description: vehicle.description,
  type: vehicle.type,
  configuration: vehicle.configuration ?? '',
  chassis_number: vehicle.chassis_number,
  driver: { ...vehicle.driver },
})

/** What was typed into a form of a vehicle and is not saved yet. */
export type VehicleEdits = Partial<Omit<VehicleForm, 'driver' | 'configuration'>> & {
  driver?: Partial<VehicleForm['driver']>
}

const changed = <T extends Record<string, unknown>>(before: T, now: T): Partial<T> =>
  Object.fromEntries(Object.entries(now).filter(([field, value]) => before[field] !== value)) as Partial<T>

/**
 * The fields of `now` that differ from `before`; nothing for none. Only those are sent, so that two people who change
 * different fields of a vehicle both keep theirs. The configuration is no edit: it is set once, by a question of its own.
 */
export function editsOf(before: VehicleForm, now: VehicleForm): VehicleEdits | null {
  const { driver: driverBefore, configuration: _, ...fieldsBefore } = before
  const { driver: driverNow, configuration: __, ...fieldsNow } = now
  const driver = changed(driverBefore, driverNow)
  const samePlate = normalizePlate(now.license_plate) === before.license_plate
  const edits = {
    ...changed(fieldsBefore, { ...fieldsNow, ...(samePlate && { license_plate: before.license_plate }) }),
    ...(Object.keys(driver).length > 0 && { driver }),
  }
  return Object.keys(edits).length > 0 ? edits : null
}

/** The form with what was typed over what is saved. */
export const withEdits = (form: VehicleForm, edits: VehicleEdits | null): VehicleForm => ({
  ...form,
  ...edits,
  driver: { ...form.driver, ...edits?.driver },
})
