/**
 * Whether this run tries everything. `npm test` leaves out what is tagged `whole` (vitest.config.ts) and tries a part of what has many
 * cases, so that it ends within ten minutes on two cores; `npm run test:whole` and the drills try all of it.
 */
export const whole = process.env['WHOLE'] === '1'
