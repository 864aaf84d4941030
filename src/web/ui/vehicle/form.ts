/** The add-vehicle form as values, and why a field can't be as it is (SPEC §5 "Vehicle"). The rules are the contract's. */
import { newVehicle } from '#contract/fleet.ts'
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
