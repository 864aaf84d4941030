/** Creating invoices from documents, and credit notes (docs/product/money.md "Invoices"; docs/decisions/0061). */
import { addDays, type IsoDate } from '#domain/texts/date.ts'
import { invoicesAtOnce } from '#contract/invoices.ts'
import { Failure } from '#domain/failure.ts'
import {
  creditedTotals,
  hundredths,
  inEur,
  mayCredit,
  netOf,
  totalsOf,
  unsigned,
  vatOf,
  type TaxedLine,
} from '#domain/money/invoice.ts'
import type { Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import { runExists } from '../billing/billing.sql.ts'
import type { Handlers, Site, Who } from '../handler.ts'
import { dayOf } from '../invoicing/storage.ts'
import type { KeptDetails } from './details.ts'
import { detailsOf } from './details.sql.ts'
import * as sql from './invoices.sql.ts'
import { endpointOfParty, rulesBrokenBy, type InvoiceContent, type KeptInvoice } from './ubl.ts'

/** The contents of an invoice before it has a number. */
type Draft = {
  readonly customer: number
  readonly documents: readonly number[]
}

export const making: Pick<Handlers['invoices'], 'make' | 'makerun' | 'credit'> = {
  async make({ input, tx, site, request, who, now }) {
    const documents = [...new Set(input.documents)]
    const documentRows = await lockDocuments(tx, site, documents)
    if (documentRows.length < documents.length || documentRows.some(({ customer }) => customer !== input.seq_id))
      throw new Failure('record.missing')
    const details = await requireDetails(tx, site)
    refuseTaken(documentRows)
    const drafts = [{ customer: input.seq_id, documents: documentRows.map(({ id }) => id) }]
    const wanted = await invoicesOf({ tx, site, request, details, today: dayOf({ now, site }) }, drafts)
    if (wanted.length === 0) throw new Failure('invoices.nothing')
    const [invoice] = await tx.rows(
      sql.createInvoices,
      numbered({ site, who, now }, 'invoice', details.invoice_series, wanted),
    )
    if (!invoice) throw new Failure('invoices.nothing')
    return { _id: invoice.id, number: invoice.number }
  },

  async makerun({ input: { _id: run }, tx, site, request, who, now }) {
    await tx.one(runExists, { site: site.id, run })
    const details = await requireDetails(tx, site)
    const next = await tx.rows(sql.openOfRun, { site: site.id, run, most: invoicesAtOnce })
    const documentRows = await lockDocuments(
      tx,
      site,
      next.map(({ document }) => document),
    )
    refuseTaken(documentRows)
    const drafts = documentRows.map(({ id, customer }) => ({ customer, documents: [id] }))
    const wanted = await invoicesOf({ tx, site, request, details, today: dayOf({ now, site }) }, drafts)
    const invoices = await tx.rows(
      sql.createInvoices,
      numbered({ site, who, now }, 'invoice', details.invoice_series, wanted),
    )
    const { left } = await tx.one(sql.leftOfRun, { site: site.id, run })
    return { made: invoices.length, left }
  },

  async credit({ input: { _id, reason, lines: wanted }, tx, site, request, who, now }) {
    await tx.one(sql.lockPayments, { site: site.id })
    await tx.rows(sql.lockInvoice, { site: site.id, invoice: _id })
    const invoice = await tx.one(sql.invoiceById, { site: site.id, invoice: _id })
    if (invoice.kind === 'credit_note') throw new Failure('invoices.credit_note', { invoice: invoice.number })
    const { lines, totals } = creditOf(invoice, wanted)
    const details = await tx.maybe(detailsOf, { site: site.id })
    const { customer, seller, buyer, reference } = invoice
    const note = {
      nth: 1,
      customer,
      due: null,
      seller,
      buyer,
      reference,
      credits: _id,
      reason,
      ...inEur(totals),
      lines: lines.map((line, nth) => ({ ...line, line: nth + 1, credits: line.line })),
      documents: [],
      // a customer without the invoice has nothing to credit
      sends: isSending(request, details) && (invoice.sending === 'sent' || invoice.sending === 'waiting'),
    }
    const series = details?.credit_series ?? 'CN'
    const creditNote = await tx.one(sql.createInvoices, numbered({ site, who, now }, 'credit_note', series, [note]))
    await tx.run(sql.releasePaid, { site: site.id, invoice: _id, now })
    const left = invoice.lines.filter(({ creditedBy }) => creditedBy === null)
    if (left.length === lines.length) await tx.run(sql.freeDocuments, { site: site.id, invoice: _id })
    return { _id: creditNote.id, number: creditNote.number }
  },
}

/**
 * The lines of an invoice that a credit note takes back, with its totals; without `wanted` all that are left.
 * @throws Failure `record.missing`, `invoices.credited`, `invoices.credit_more`, `invoices.nothing`
 */
function creditOf(invoice: KeptInvoice, wanted: readonly number[] | undefined) {
  const taxed = invoice.lines.map(line => ({
    net: hundredths(line.net),
    category: line.category,
    rate: line.rate,
    line,
  }))
  const left = taxed.filter(({ line }) => line.creditedBy === null)
  const lineNumbers = wanted && new Set(wanted)
  const chosen = lineNumbers ? taxed.filter(({ line }) => lineNumbers.has(line.line)) : left
  if (lineNumbers && chosen.length < lineNumbers.size) throw new Failure('record.missing')
  const notes = (chosen.length > 0 ? chosen : taxed).flatMap(({ line }) => line.creditedBy ?? [])
  if (notes.length > 0)
    throw new Failure('invoices.credited', { invoice: invoice.number, credit_note: [...new Set(notes)].join(', ') })
  const before = taxed.filter(({ line }) => line.creditedBy !== null)
  const gone = new Set<TaxedLine>([...before, ...chosen])
  if (!mayCredit(taxed, line => gone.has(line))) throw new Failure('invoices.credit_more', { invoice: invoice.number })
  const totals = creditedTotals(chosen, before)
  if (totals.gross <= 0) throw new Failure('invoices.nothing')
  return { lines: chosen.map(({ line }) => line), totals }
}

const actionOf = { invoice: 'invoice.make', credit_note: 'invoice.credit' } as const

/** The parameters of `createInvoices`: each gets the next number of its series. */
const numbered = (
  { site, who, now }: { site: Site; who: Who; now: Date },
  kind: keyof typeof actionOf,
  series: string,
  invoices: readonly { readonly seller: Pick<sql.KeptSeller, 'country'> }[],
) => ({
  site: site.id,
  actor: who.account,
  now,
  today: dayOf({ now, site }),
  kind,
  series,
  // all invoices of a call have one seller
  structured: kind === 'invoice' && invoices.some(({ seller }) => seller.country === 'BE'),
  action: actionOf[kind],
  invoices: JSON.stringify(invoices),
})

/** @throws Failure `invoices.off` */
async function requireDetails(tx: Tx, site: Site): Promise<KeptDetails> {
  const details = await tx.maybe(detailsOf, { site: site.id })
  if (!details?.invoices) throw new Failure('invoices.off')
  return details
}

/** Locks documents against being withdrawn, or put on another invoice. */
async function lockDocuments(tx: Tx, site: Site, documents: number[]): Promise<Row<typeof sql.documentsToInvoice>[]> {
  await tx.rows(sql.lockDocuments, { site: site.id, documents })
  return tx.rows(sql.documentsToInvoice, { site: site.id, documents })
}

/** Each document has to stand, and to be on no invoice that does. @throws Failure `invoices.documents_taken` */
function refuseTaken(documents: readonly Row<typeof sql.documentsToInvoice>[]): void {
  const taken = documents.filter(({ withdrawn, invoice }) => withdrawn || invoice !== null)
  if (taken.length > 0)
    throw new Failure('invoices.documents_taken', { documents: taken.map(({ number }) => number).join(', ') })
}

const eur = (cents: number): number => cents / 100

type Request = { readonly accessPoint: boolean }
type Making = { tx: Tx; site: Site; request: Request; details: KeptDetails; today: IsoDate }

/** Whether the site's e-invoices are handed to the access point. */
const isSending = ({ accessPoint }: Request, details: KeptDetails | null | undefined): boolean =>
  accessPoint && details?.sends === true

type InvoiceDraft = Omit<InvoiceContent, 'kind' | 'number' | 'communication' | 'issued' | 'credits' | 'creditsOf'>

/**
 * An invoice that is to be sent has to follow the rules before it takes a number: afterwards it could only be credited.
 * @throws Failure `invoices.unsendable` with the numbers of the rules
 */
function refuseUnsendable(draft: InvoiceDraft, today: IsoDate): void {
  const rules = rulesBrokenBy({
    ...draft,
    kind: 'invoice',
    number: 'draft',
    communication: null,
    issued: today,
    credits: null,
    creditsOf: null,
  })
  if (rules.length > 0)
    throw new Failure('invoices.unsendable', { customer: draft.buyer.name, rules: rules.join(', ') })
}

/**
 * The invoices of drafts, as `createInvoices` takes them; none for a draft whose total is not positive.
 * @throws Failure `invoices.unsendable`
 */
async function invoicesOf({ tx, site, request, details, today }: Making, drafts: readonly Draft[]) {
  const documents = drafts.flatMap(draft => draft.documents)
  const customers = [...new Set(drafts.map(({ customer }) => customer))]
  const rows = await tx.rows(sql.linesToInvoice, { site: site.id, documents })
  const lines = Map.groupBy(rows, ({ document }) => document)
  const buyers = await tx.rows(sql.buyers, { site: site.id, customers })
  const byCustomer = new Map(buyers.map(row => [row.customer, row]))
  const seller = sellerOf(details)
  return drafts
    .map((draft, nth) => {
      const draftsOfCustomer = byCustomer.get(draft.customer)
      if (!draftsOfCustomer) throw new Failure('record.missing')
      const buyer = { ...draftsOfCustomer.buyer, country: draftsOfCustomer.buyer.country ?? seller.country }
      const taxed = draft.documents
        .flatMap(document => lines.get(document) ?? [])
        .map((row, at) => {
          const { quantity, price } = unsigned(row)
          const vat = vatOf(seller, buyer, row.rate ?? details.vat_rate)
          const { article, description } = row
          return { line: at + 1, article, description, quantity, price, net: netOf(quantity, price), ...vat }
        })
      const totals = totalsOf(taxed)
      const invoice = {
        nth,
        customer: draft.customer,
        due: addDays(today, details.payment_days),
        seller,
        buyer,
        reference: draftsOfCustomer.reference,
        credits: null,
        reason: '',
        documents: draft.documents,
        ...inEur(totals),
        lines: taxed.map(line => ({ ...line, net: eur(line.net) })),
        sends: isSending(request, details) && endpointOfParty(buyer) !== null,
      }
      return { invoice, gross: totals.gross }
    })
    .filter(({ gross }) => gross > 0)
    .map(({ invoice }) => {
      if (invoice.sends) refuseUnsendable(invoice, today)
      return invoice
    })
}

function sellerOf(details: KeptDetails): sql.KeptSeller {
  const { legal_name: name, street, zipcode, city, email, vat_number, iban, bic, note, exemption } = details
  const { company_scheme, company_number, peppol_scheme, peppol_id } = details
  const numbers = { vat_number, company_scheme, company_number, peppol_scheme, peppol_id }
  return { name, street, zipcode, city, country: details.country ?? '', email, ...numbers, iban, bic, note, exemption }
}
