/** docs/promises.md "Messages": those by mail (mails.ts), and webhooks (webhooks.ts), one after the other. */
import type { DrillOptions, Result } from './drill.ts'
import * as mails from './mails.ts'
import * as webhooks from './webhooks.ts'

export const promise = 38
export const summary = 'each message once, each event in its order, whatever is killed, none of what was rolled back'
export const long = true

export async function run(options: DrillOptions): Promise<Result> {
  const byMail = await mails.run(options)
  const toPrograms = await webhooks.run(options)
  return {
    tried: byMail.tried + toPrograms.tried,
    failed: byMail.failed + toPrograms.failed,
    notes: [...byMail.notes, ...toPrograms.notes],
  }
}
