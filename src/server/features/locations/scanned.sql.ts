/** The effect of a tyre's scan on the wheel, as parts of the statement that applies scans. */
import { scanSteps, statesBefore, type WheelStep } from '#domain/tyres/wheel.ts'

const list = (values: readonly string[]): string => `'{${values.join(',')}}'::text[]`
const byType = (then: (step: WheelStep, to: (typeof scanSteps)[keyof typeof scanSteps]['to']) => string): string =>
  `case o.type ${Object.entries(scanSteps)
    .map(([type, { step, to }]) => `when '${type}' then ${then(step, to)}`)
    .join(' ')} end`

/**
 * Takes the step of a scan on wheel `w` of operation `o`. A wheel that is further already, or whose operation is of another type, stays
 * as it is. Nobody else changes these wheels meanwhile: the operation is locked.
 */
export const scanWheel = {
  set: `state = ${byType((_, to) => `'${to}'`)}, step = ${byType(step => `'${step}'`)}, location_id = null, since = now()`,
  where: `w.state = any (${byType((step, to) => list(statesBefore(step, to)))})`,
}
