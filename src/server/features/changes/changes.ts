/** The changes since a program's last request (docs/product/files.md "Copies"). */
import type { Input } from '#contract/call.ts'
import { changes as calls } from '#contract/changes.ts'
import { customerOf } from '../customers/customers.ts'
import type { Context, Handlers } from '../handler.ts'
import * as sql from './changes.sql.ts'

type PageInput = Omit<Input<typeof calls.vehicles>, 'seq_id'> & { seq_id?: number | undefined }

/** Where a page begins and ends: after the cursor, else at the moment that was asked for, and before what may not be committed yet. */
async function pageOf({
  input,
  tx,
  who,
  site,
}: Pick<Context<PageInput, readonly ['user', 'admin']>, 'input' | 'tx' | 'who' | 'site'>) {
  const { cursor, updated_since: since, seq_id, limit } = input
  // without a cursor: from the moment itself, as records have numbers from 1
  const [at = '', id = '0'] = cursor?.split('~') ?? [since ?? '1970-01-01T00:00:00.000000Z']
  const { until } = await tx.one(sql.readableUntil, {})
  return { site: site.id, customer: customerOf(who, seq_id), at, id: Number(id), until, limit }
}

export const changes: Handlers['changes'] = {
  vehicles: async context => context.tx.json(sql.vehiclesChanged, await pageOf(context)),
  tyres: async context =>
    context.tx.json(sql.tyresChanged, { ...(await pageOf(context)), withDepth: context.site.allowProfileDepth }),
  mounts: async context => context.tx.json(sql.mountsChanged, await pageOf(context)),
  odometers: async context =>
    context.tx.json(sql.odometersChanged, {
      ...(await pageOf(context)),
      withDepth: context.site.allowProfileDepth,
      withOdometer: context.site.allowTachometer,
    }),
  operations: async context => context.tx.json(sql.operationsChanged, await pageOf(context)),
  documents: async context => context.tx.json(sql.documentsChanged, await pageOf(context)),
  customers: async context => context.tx.json(sql.customersChanged, await pageOf(context)),
}
