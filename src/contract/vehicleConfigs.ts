/** The vehicle configurations of a site, kept by its administrator (SPEC §3 "Vehicle configuration", §4). */
import { z } from 'zod'
import { axleRefusal, localAxlesMax, configurationNameMax, drawingLimits, wheelsMax } from '#domain/axle.ts'
import { type AnswerName, call, feature } from './call.ts'
import { flag, given, givenId, id, typed, vehicleConfig } from './wire.ts'

const givenFlag = given(z.union([z.boolean(), flag]))
const givenWheels = given(z.number().int().min(0).max(wheelsMax))
/** An axle or separator as it is sent: with the names of SPEC §3; a separator has neither wheels nor flags. */
const givenAxle = z
  .object({
    type: given(z.enum(['axle', 'separator'])),
    lift_axle: givenFlag.optional(),
    drive_axle: givenFlag.optional(),
    steering_axle: givenFlag.optional(),
    wheels_left: givenWheels.optional(),
    wheels_right: givenWheels.optional(),
  })
  .transform(({ type, ...sent }) => ({
    type,
    lift: type === 'axle' && (sent.lift_axle ?? false),
    drive: type === 'axle' && (sent.drive_axle ?? false),
    steering: type === 'axle' && (sent.steering_axle ?? false),
    left: sent.wheels_left ?? 0,
    right: sent.wheels_right ?? 0,
  }))

const length = ([least, most]: readonly [number, number]) => given(z.number().int().min(least).max(most))

/** One without `_id` is new; of another what is left out stays as it is. */
export const vehicleConfigForm = z
  .object({
    _id: givenId.optional(),
    description: given(typed(configurationNameMax).pipe(z.string().min(1))).optional(),
    axle_height: length(drawingLimits.axleHeight).optional(),
    axle_width: length(drawingLimits.axleWidth).optional(),
    axles: z
      .array(givenAxle)
      .max(localAxlesMax)
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

/** A configuration with how many vehicles have it: those of today, and those that were removed and keep their history. */
export const keptVehicleConfig = z.object({
  _id: id,
  vehicles: z.number().int(),
  removed: z.number().int(),
  config: vehicleConfig,
})
export type KeptVehicleConfig = z.output<typeof keptVehicleConfig>

/** What shows configurations, whatever they are called. */
export const configurationAnswers: AnswerName[] = ['vehicleConfigs.all', 'site.getvehicleconfigs']
/** A vehicle names its configuration by the description. */
const changed: AnswerName[] = [...configurationAnswers, 'fleet.fetch', 'fleet.vehicle']

export const vehicleConfigs = feature('vehicleConfigs', {
  all: call({
    path: '/hotelconfig/vehicleconfigs',
    who: ['admin'],
    input: z.unknown().transform(() => ({})),
    output: z.array(keptVehicleConfig),
    summary: 'The vehicle configurations of the site by their descriptions, each with how many vehicles have it.',
  }),
  save: call({
    path: '/hotelconfig/savevehicleconfig',
    who: ['admin'],
    idempotent: true,
    input: vehicleConfigForm,
    output: keptVehicleConfig,
    failures: ['record.missing', 'configuration.name_taken', 'configuration.wheels_fixed', 'configuration.foreign'],
    invalidates: changed,
    summary: 'Makes a vehicle configuration, or changes what is given of one; one that vehicles have keeps its wheels.',
  }),
  remove: call({
    path: '/hotelconfig/deletevehicleconfig',
    who: ['admin'],
    input: z.object({ _id: givenId }),
    output: z.object({ _id: id }),
    failures: ['record.missing', 'configuration.in_use', 'configuration.foreign'],
    invalidates: configurationAnswers,
    summary: 'Removes a vehicle configuration that no vehicle has or had.',
  }),
})
