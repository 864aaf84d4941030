/** Invoices (docs/product/money.md "Invoices"; docs/decisions/0061). */
import { bookkeepingFile, plainMapping, unmapped } from '#domain/money/bookkeeping.ts'
import { Failure } from '#domain/failure.ts'
import { hundredths } from '#domain/money/invoice.ts'
import { mappingForm, maxExported, maxInvoiceDocuments } from '#contract/invoices.ts'
import { Print } from '../../printing/pool.ts'
import type { Tx } from '../../db/database.ts'
import type { Handlers, Site } from '../handler.ts'
import { customerExists } from '../invoicing/invoicing.sql.ts'
import { dayOf } from '../invoicing/storage.ts'
import { details } from './details.ts'
import * as sql from './invoices.sql.ts'
import { making } from './making.ts'
import { printedInvoice } from './print.ts'
import { sending } from './sending.ts'
import { ublFile } from './ubl.ts'

export const invoices: Handlers['invoices'] = {
  ...details,
  ...making,
  ...sending,

  async open({ input, tx, site }) {
    const parameters = { site: site.id, customer: input.seq_id }
    await tx.one(customerExists, parameters)
    return tx.json(sql.openDocuments, { ...parameters, most: maxInvoiceDocuments })
  },

  async list({ input, tx, site, now }) {
    if (input.seq_id !== undefined) await tx.one(customerExists, { site: site.id, customer: input.seq_id })
    return tx.json(sql.listed, {
      site: site.id,
      customer: input.seq_id ?? null,
      last: input.last_invoice ?? null,
      state: input.state ?? null,
      today: dayOf({ now, site }),
    })
  },

  lines: ({ input, tx, site }) => tx.json(sql.linesOf, { site: site.id, invoice: input._id }),

  async pdf({ input, tx, site }) {
    const invoice = await tx.one(sql.invoiceById, { site: site.id, invoice: input._id })
    return new Print({ kind: 'invoice', ...printedInvoice(invoice, invoice.language) })
  },

  async ubl({ input, tx, site }) {
    const invoice = await tx.one(sql.invoiceById, { site: site.id, invoice: input._id })
    await tx.commit()
    return { name: `${invoice.number}.xml`, xml: await ublFile(invoice) }
  },

  mapping: ({ tx, site }) => mappingOf(tx, site),

  async savemapping({ input, tx, site, who, now }) {
    await tx.run(sql.saveMapping, { site: site.id, mapping: JSON.stringify(input), actor: who.account, now })
    return input
  },

  async export({ input: { from, to }, tx, site }) {
    const mapping = await mappingOf(tx, site)
    const invoices = await tx.rows(sql.ofPeriod, { site: site.id, from, to, most: maxExported + 1 })
    if (invoices.length === 0) throw new Failure('invoices.none_in_period')
    if (invoices.length > maxExported) throw new Failure('invoices.too_many', { most: maxExported })
    const booked = invoices.map(({ buyer, breakdown, net, vat, gross, ...invoice }) => ({
      ...invoice,
      customer_code: buyer.code,
      customer_name: buyer.name,
      vat_number: buyer.vat_number,
      country: buyer.country,
      net: hundredths(net),
      vat: hundredths(vat),
      gross: hundredths(gross),
      breakdown: breakdown.map(total => ({ ...total, taxable: hundredths(total.taxable), vat: hundredths(total.vat) })),
    }))
    return { csv: bookkeepingFile(booked, mapping), invoices: booked.length, unmapped: unmapped(booked, mapping) }
  },
}

/** The mapping of a site; that of a site without one, or whose mapping is of another version, is the plain one. */
async function mappingOf(tx: Tx, site: Site) {
  const saved = await tx.maybe(sql.mappingOf, { site: site.id })
  return mappingForm.catch(structuredClone(plainMapping) as never).parse(saved?.mapping ?? plainMapping)
}
