/** The values of the vehicle form. The rules are the contract's. */
import { useTranslation } from '../ui/texts.ts'
import { newVehicle } from '#contract/fleet.ts'
import type { Vehicle } from '#contract/wire.ts'
import { type Axle, sameWheels, templateFor } from '#domain/vehicles/axle.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import { normalizePlate } from '#domain/vehicles/plate.ts'
import { vehicleKind, yearlyDistance } from '#domain/vehicles/vehicle.ts'
import { type Changes, changesOf } from '../ui/form/changes.ts'
import { type FieldError, type FieldErrors, fieldErrorsOf } from '../shared/form/fieldErrors.ts'

/** The fields of the contract that are text; the driver's stand together. */
export type TextField = Exclude<keyof typeof newVehicle.shape, 'driver' | 'yearly_distance' | 'contract_end'>
export type VehicleForm = Record<TextField, string> & {
  /** In km, or an incomplete number; empty when unknown. */
  yearly_distance: number | string
  /** `null`: nobody says. */
  contract_end: IsoDate | null
  driver: { name: string; mobile_no: string; telephone_no: string; email: string }
}

const fields = Object.keys(newVehicle.shape).filter(
  (field): field is TextField => field !== 'driver' && field !== 'yearly_distance' && field !== 'contract_end',
)
const formWith = (
  text: (field: TextField) => string,
  rest: Pick<VehicleForm, 'driver' | 'yearly_distance' | 'contract_end'>,
): VehicleForm => ({
  ...(Object.fromEntries(fields.map(field => [field, text(field)])) as Record<TextField, string>),
  ...rest,
})

export const emptyForm = (plate = ''): VehicleForm => ({
  ...formWith(() => '', {
    driver: { name: '', mobile_no: '', telephone_no: '', email: '' },
    yearly_distance: '',
    contract_end: null,
  }),
  license_plate: normalizePlate(plate),
})

const distanceIn = (value: number | string): number | null => (value === '' ? null : Number(value))

/** The input for a vehicle form. */
export const inputOf = (form: VehicleForm) => ({
  ...form,
  license_plate: normalizePlate(form.license_plate),
  yearly_distance: distanceIn(form.yearly_distance),
})

/** The input for the changes in a vehicle form. */
export const changesIn = ({ license_plate: plate, yearly_distance: distance, ...rest }: VehicleEdits) => ({
  ...rest,
  ...(plate !== undefined && { license_plate: normalizePlate(plate) }),
  ...(distance !== undefined && { yearly_distance: distanceIn(distance) }),
})

/** The rules of a known vehicle. Its configuration is set once, by a question of its own. */
export const knownVehicle = newVehicle.omit({ configuration: true })

/** The error of each field of a new vehicle, by its path (`driver.email`); empty for a form that can be sent. */
export const errorsOf = (form: VehicleForm): FieldErrors => fieldErrorsOf(newVehicle, inputOf(form))

/** Says an error in the language of the page, in the words of this form. */
export function useVehicleErrorText(): (error: FieldError) => string {
  const { t } = useTranslation(['vehicles', 'common'])
  return error =>
    error.why === 'tooLong'
      ? t('vehicles:tooLong', { count: error.limit })
      : error.why === 'whole' || error.why === 'tooLarge' || error.why === 'tooSmall'
        ? t('common:number.range', yearlyDistance)
        : t(error.why === 'email' ? 'vehicles:email' : 'vehicles:required')
}

/** A vehicle type of the site as a kind whose name is translated; `null` for a word of the site's own. */
export function kindNamed(type: string): Exclude<ReturnType<typeof vehicleKind>, 'unknown'> | null {
  const kind = vehicleKind(type)
  return kind !== 'unknown' && kind === type.trim().toLowerCase() ? kind : null
}

type Configurations = readonly { readonly description: string; readonly axles: readonly Axle[] }[]

/** The configuration of the site that nearly every vehicle of this type has; empty where such vehicles differ. */
function usualConfiguration(type: string, configs: Configurations): string {
  const usual = templateFor(vehicleKind(type), null)
  return (usual && configs.find(({ axles }) => sameWheels(axles, usual.axles))?.description) ?? ''
}

/** The changes to a form when its type changes: the type brings its usual configuration, unless another one was chosen. */
export function withType(
  { type: before, configuration }: Pick<VehicleForm, 'type' | 'configuration'>,
  type: string,
  configs: Configurations,
): Partial<Pick<VehicleForm, 'type' | 'configuration'>> {
  const isFree = configuration === '' || configuration === usualConfiguration(before, configs)
  return { type, ...(isFree && { configuration: usualConfiguration(type, configs) }) }
}

/** A vehicle as the form shows it. A field that answers lack does not compile. */
export const formOf = (vehicle: Vehicle): VehicleForm =>
  formWith(field => vehicle[field] ?? '', {
    driver: { ...vehicle.driver },
    yearly_distance: vehicle.yearly_distance ?? '',
    contract_end: vehicle.contract_end,
  })

/** The fields that a register of vehicles can fill. */
export type Registered = Pick<VehicleForm, 'brand' | 'description' | 'type'>
export const nothingRegistered: Registered = { brand: '', description: '', type: '' }

/**
 * The changes to a form when the register answers for its plate: fields that are empty, or that still hold its answer for another plate. Typed
 * values stay.
 */
export function filledIn(form: Registered, before: Registered, registered: Registered): Partial<Registered> {
  const free = (Object.keys(registered) as (keyof Registered)[]).filter(
    field => form[field] === before[field] || form[field] === '',
  )
  return Object.fromEntries(free.map(field => [field, registered[field]]))
}

/** Unsaved edits in a vehicle form. */
export type VehicleEdits = Changes<VehicleForm>

/**
 * The fields of `now` that differ from `before`; `null` for none. A plate that is only written otherwise is the same, and
 * the configuration is no edit.
 */
export function editsOf(before: VehicleForm, now: VehicleForm): VehicleEdits | null {
  const samePlate = normalizePlate(now.license_plate) === before.license_plate
  return changesOf(before, {
    ...now,
    configuration: before.configuration,
    ...(samePlate && { license_plate: before.license_plate }),
  })
}
