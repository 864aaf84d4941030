/**
 * Whether this run tries everything. `npm test` leaves out tests tagged `whole` (vitest.config.ts), and tries only a part of those with
 * many cases, so that it is short enough for every change; `npm run test:whole` and the drills try all of it.
 */
export const whole = process.env['WHOLE'] === '1'
