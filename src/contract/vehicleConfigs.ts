/** The vehicle configurations of a site, for its administrator (docs/product/vehicles.md "Vehicle configurations"). */
import { z } from 'zod'
import {
  axleRefusal,
  maxLocalAxles,
  maxConfigurationNameLength,
  drawingLimits,
  maxWheels,
} from '#domain/vehicles/axle.ts'
import { type AnswerName, call, feature, noInput } from './call.ts'
import { list, rows } from './list.ts'
import { flag, itemOrPlain, inputId, id, typedText, vehicleConfig } from './wire.ts'

const inputFlag = itemOrPlain(z.union([z.boolean(), flag]))
const inputWheels = itemOrPlain(z.number().int().min(0).max(maxWheels))
/** An axle or separator on the wire. A separator has neither wheels nor flags. */
const inputAxle = z
  .object({
    type: itemOrPlain(z.enum(['axle', 'separator'])),
    lift_axle: inputFlag.optional(),
    drive_axle: inputFlag.optional(),
    steering_axle: inputFlag.optional(),
    wheels_left: inputWheels.optional(),
    wheels_right: inputWheels.optional(),
  })
  .transform(({ type, ...sent }) => ({
    type,
    lift: type === 'axle' && (sent.lift_axle ?? false),
    drive: type === 'axle' && (sent.drive_axle ?? false),
    steering: type === 'axle' && (sent.steering_axle ?? false),
    left: sent.wheels_left ?? 0,
    right: sent.wheels_right ?? 0,
  }))

const length = ([least, most]: readonly [number, number]) => itemOrPlain(z.number().int().min(least).max(most))

/** The form of a configuration. Without `_id` it is new; fields that are left out of a known one stay as they are. */
export const vehicleConfigForm = z
  .object({
    _id: inputId.optional(),
    description: itemOrPlain(typedText(maxConfigurationNameLength).pipe(z.string().min(1))).optional(),
    axle_height: length(drawingLimits.axleHeight).optional(),
    axle_width: length(drawingLimits.axleWidth).optional(),
    axles: list(inputAxle, maxLocalAxles)
      .check(({ value, issues }) => {
        const wrong = axleRefusal(value)
        if (!wrong) return
        const path = wrong.refusal === 'axles.none' ? [] : [wrong.at]
        issues.push({ code: 'custom', path, input: value, message: wrong.refusal })
      })
      .optional(),
  })
  .check(({ value, issues }) => {
    if (value._id !== undefined) return
    for (const field of ['description', 'axles'] as const)
      if (value[field] === undefined)
        issues.push({ code: 'custom', path: [field], input: undefined, message: 'required' })
  })

/** A configuration with the number of vehicles that have it, and of removed vehicles, which keep it in their history. */
const adminVehicleConfig = z.object({
  _id: id,
  vehicle_count: z.number().int(),
  removed_count: z.number().int(),
  config: vehicleConfig,
})
export type AdminVehicleConfig = z.output<typeof adminVehicleConfig>

/** Answers that contain configurations. */
export const configurationAnswers: AnswerName[] = ['vehicleConfigs.all', 'site.getvehicleconfigs']
/** With another description, vehicles change too: they name their configuration by it. */
const changed: AnswerName[] = [
  ...configurationAnswers,
  'fleet.fetch',
  'fleet.health',
  'fleet.nearing',
  'fleet.reaching',
  'fleet.vehicle',
]

export const vehicleConfigs = feature('vehicleConfigs', {
  all: call({
    path: '/hotelconfig/vehicleconfigs',
    scope: 'read',
    who: ['admin'],
    warehouse: false,
    input: noInput,
    output: rows(adminVehicleConfig),
    summary:
      'Lists the vehicle configurations of the site by description, each with the number of vehicles that have it.',
  }),
  save: call({
    path: '/hotelconfig/savevehicleconfig',
    scope: null,
    who: ['admin'],
    warehouse: false,
    idempotent: true,
    input: vehicleConfigForm,
    output: adminVehicleConfig,
    failures: ['record.missing', 'configuration.name_taken', 'configuration.wheels_fixed', 'configuration.foreign'],
    invalidates: changed,
    summary:
      'Creates a vehicle configuration, or changes the given fields of one. The wheels cannot change once vehicles have it.',
  }),
  remove: call({
    path: '/hotelconfig/deletevehicleconfig',
    scope: null,
    who: ['admin'],
    warehouse: false,
    input: z.object({ _id: inputId }),
    output: z.object({ _id: id }),
    failures: ['record.missing', 'configuration.in_use', 'configuration.foreign'],
    invalidates: configurationAnswers,
    summary: 'Removes a vehicle configuration that no vehicle has or had.',
  }),
})
