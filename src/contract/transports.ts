/** Removing a transport method of a site: its open operations go with another one (docs/product/operations.md "Transport methods"). */
import { z } from 'zod'
import { call, feature } from './call.ts'
import { adminConfig, configChanges } from './config.ts'
import { inputId } from './wire.ts'

/** A transport method of the administrator's own site, or of the one that a superuser names. */
const transport = z.object({ id: inputId.optional(), transport: inputId })

export const transports = feature('transports', {
  usage: call({
    path: '/hotelconfig/transportusage',
    scope: 'read',
    who: ['admin', 'superuser'],
    warehouse: false,
    input: transport,
    output: z.object({ recall_count: z.number().int() }),
    failures: ['record.missing'],
    summary: 'Counts the open recalls and storages that go with a transport method.',
  }),
  remove: call({
    path: '/hotelconfig/removetransport',
    scope: null,
    who: ['admin', 'superuser'],
    warehouse: false,
    input: transport.extend({
      /** The transport method that its open recalls go with; needed when there are any. */
      by: inputId.optional(),
      /** The version of the configuration that was edited; a newer one is not overwritten. */
      version: z.number().int().min(0).optional(),
    }),
    output: z.object({ config: adminConfig, moved_count: z.number().int() }),
    failures: ['record.missing', 'config.changed', 'config.transport_in_use'],
    invalidates: configChanges,
    summary:
      'Removes a transport method. Its open recalls and storages go with another one: submitted ones on their day, pending ones give up a day that does not suit it.',
  }),
})
