/** The backups that the portal takes by itself (docs/operations.md "Automatic backups"). */
import { z } from 'zod'
import { call, feature, noInput } from './call.ts'
import { moment } from './wire.ts'

export const backups = feature('backups', {
  latest: call({
    path: '/backups/latest',
    scope: 'read',
    who: ['admin', 'superuser'],
    warehouse: false,
    input: noInput,
    output: z.object({
      /** The operator has named a folder for them. */
      on: z.boolean(),
      /** When the latest good one was begun. */
      latest: moment.nullable(),
      /** It is older than 26 hours. */
      late: z.boolean(),
      /** Why those after it failed; told to superusers only. */
      problem: z.string(),
    }),
    summary: 'Answers when the latest backup was taken.',
  }),
})
