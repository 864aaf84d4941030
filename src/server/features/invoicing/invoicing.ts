/** Overdue storage by customer, and the documents (docs/product/money.md "Overdue storage", "Documents"). */
import type { Handlers } from '../handler.ts'
import { charging } from './charging.ts'
import * as sql from './invoicing.sql.ts'
import { left } from './left.ts'
import { marking } from './marking.ts'
import { dayOf } from './storage.ts'

export const invoicing: Handlers['invoicing'] = {
  customers: ({ input, tx, site, now }) =>
    tx.single.json(sql.overdueCustomers, { site: site.id, today: dayOf({ now, site }), days: input.days }),

  tyres: ({ input, tx, site, now }) =>
    tx.single.json(sql.overdueTyres, {
      site: site.id,
      today: dayOf({ now, site }),
      days: input.days,
      customer: input.seq_id,
      paid: input.paid ?? false,
    }),

  async documents({ input, tx, site }) {
    if (input.seq_id !== undefined) await tx.one(sql.customerExists, { site: site.id, customer: input.seq_id })
    return tx.json(sql.documents, {
      site: site.id,
      customer: input.seq_id ?? null,
      last: input.last_document ?? null,
    })
  },

  ...charging,
  ...marking,
  ...left,
}
