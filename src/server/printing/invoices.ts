/**
 * Invoices and credit notes as PDF (docs/product/money.md "Invoices"): lines with their VAT, totals by rate, and how to pay, with a code that
 * banking apps read. All lengths are points.
 */
import type { Readable } from 'node:stream'
import type { Language } from '#domain/people/account.ts'
import { writeNumber } from './documents.ts'
import { clean, end, gap, locales, margin, openPaper, type Page, right, write } from './paper.ts'
import { type HowToPay, writeColumn, writeHowToPay } from './payment.ts'

export type PrintedInvoice = {
  readonly number: string
  readonly seller: readonly string[]
  /** Below the address: the numbers by which the seller is known. */
  readonly sellerNumbers: readonly string[]
  readonly buyer: readonly string[]
  /** The lines under the title: dates, the customer's reference, the invoice that is credited. */
  readonly facts: readonly string[]
  readonly lines: readonly {
    readonly description: string
    readonly quantity: number
    readonly price: number
    /** In per cent, as it is printed. */
    readonly rate: string
    readonly net: number
  }[]
  /** The totals from net to gross; amounts in EUR. */
  readonly totals: readonly { readonly text: string; readonly amount: number }[]
  readonly gross: number
  /** Why no VAT is charged, and the site's own words. */
  readonly notes: readonly string[]
  /** How to pay; null for a credit note, and without an account. */
  readonly payment: HowToPay | null
}

/** The texts of an invoice besides its rows, in its reader's language. The thread that draws it has no dictionary. */
export type InvoiceTexts = Readonly<
  Record<
    'title' | 'customer' | 'description' | 'quantity' | 'price' | 'vat' | 'amount' | 'total' | 'payment' | 'qr',
    string
  >
> & {
  /** Still with `{{page}}` and `{{pages}}`: only the drawing knows them. */
  readonly page: string
}

const columns = { description: margin, quantity: 320, price: 372, vat: 430, amount: 472, end }
const descriptionWidth = columns.quantity - columns.description - gap
const aside = { x: 320, width: right - 320 }
/** Below this nothing stands but the footer. */
const lowest = (page: Page): number => page.page.height - margin - 30

export const printInvoice = (invoice: PrintedInvoice, texts: InvoiceTexts, lang: Language): Readable =>
  openPaper(`${texts.title} ${invoice.number}`, page => {
    const money = new Intl.NumberFormat(locales[lang], { style: 'currency', currency: 'EUR' })
    const plain = new Intl.NumberFormat(locales[lang], { maximumFractionDigits: 2 })
    let y = writeHead(page, invoice, texts) + 24
    y = writeLines(page, invoice, texts, { money, plain }, y)
    y = writeTotals(page, invoice, texts, money, y)
    y = writeNotes(page, invoice, y + 12)
    if (invoice.payment) writeHowToPay(page, invoice.payment, texts, y + 16)
    writeFooters(page, `${texts.title} ${invoice.number}`, texts)
  })

/** Title, dates, and both parties. Returns where they end. */
export function writeHead(
  page: Page,
  {
    number,
    facts,
    seller,
    sellerNumbers,
    buyer,
  }: Pick<PrintedInvoice, 'number' | 'facts' | 'seller' | 'sellerNumbers' | 'buyer'>,
  texts: Pick<InvoiceTexts, 'title' | 'customer'>,
): number {
  page.font('bold').fontSize(20)
  const width = aside.x - margin - 16
  const below = write(page, texts.title, margin, margin, width)
  page.fontSize(11)
  let left = write(page, number, margin, below + 2, width)
  page.font('plain').fontSize(10)
  for (const fact of facts) left = write(page, fact, margin, left + 1, width)
  const ours = writeColumn(page, seller, { ...aside, y: margin })
  page.fontSize(9)
  let numbers = ours + 4
  for (const line of sellerNumbers) numbers = write(page, line, aside.x, numbers, aside.width)
  page.font('bold').fontSize(10)
  const top = write(page, texts.customer, margin, Math.max(left, numbers) + 20, width)
  page.font('plain')
  return writeColumn(page, buyer, { x: margin, y: top + 2, width: right - margin })
}

type Formats = { readonly money: Intl.NumberFormat; readonly plain: Intl.NumberFormat }

/** The lines under their headings, on as many pages as they need. Returns where they end. */
function writeLines(
  page: Page,
  { lines }: PrintedInvoice,
  texts: InvoiceTexts,
  { money, plain }: Formats,
  startY: number,
): number {
  let y = writeHeadings(page, texts, startY)
  for (const { description, quantity, price, rate, net } of lines) {
    const height = page.heightOfString(clean(description), { width: descriptionWidth })
    if (y + height > lowest(page)) {
      page.addPage()
      y = writeHeadings(page, texts, margin)
    }
    writeNumber(page, plain.format(quantity), columns.quantity, columns.price, y)
    writeNumber(page, money.format(price), columns.price, columns.vat, y)
    writeNumber(page, rate, columns.vat, columns.amount, y)
    writeNumber(page, money.format(net), columns.amount, columns.end, y)
    write(page, description, columns.description, y, descriptionWidth)
    y += height + 5
  }
  return y
}

/** The headings of the columns. Returns where the first line begins. */
function writeHeadings(page: Page, texts: InvoiceTexts, y: number): number {
  page.font('bold').fontSize(9)
  write(page, texts.description, columns.description, y, descriptionWidth)
  writeNumber(page, texts.quantity, columns.quantity - 12, columns.price, y)
  writeNumber(page, texts.price, columns.price, columns.vat, y)
  writeNumber(page, texts.vat, columns.vat, columns.amount, y)
  writeNumber(page, texts.amount, columns.amount, columns.end, y)
  line(page, y + 14)
  page.font('plain').fontSize(9)
  return y + 20
}

const line = (page: Page, y: number): void =>
  void page.moveTo(margin, y).lineTo(right, y).lineWidth(0.7).strokeColor('black').stroke()

/** Net, VAT by rate, and the total. Returns where they end. */
function writeTotals(
  page: Page,
  { totals, gross }: PrintedInvoice,
  texts: InvoiceTexts,
  money: Intl.NumberFormat,
  startY: number,
): number {
  const height = 14 * (totals.length + 1) + 16
  let y = startY
  if (y + height > lowest(page)) {
    page.addPage()
    y = margin
  }
  line(page, y + 2)
  y += 8
  const labelX = 250
  const width = columns.price + 30 - labelX
  page.font('plain').fontSize(9)
  for (const { text, amount } of totals) {
    write(page, text, labelX, y, width)
    writeNumber(page, money.format(amount), columns.price + 40, columns.end, y)
    y += Math.max(14, page.heightOfString(clean(text), { width }) + 3)
  }
  page.font('bold').fontSize(11)
  write(page, texts.total, labelX, y + 2, width)
  write(page, money.format(gross), columns.price + 40, y + 2, right - columns.price - 40, 'right')
  page.font('plain').fontSize(9)
  return y + 18
}

/** Paragraphs below each other. Returns where they end. */
export function writeNotes(page: Page, { notes }: Pick<PrintedInvoice, 'notes'>, startY: number): number {
  let y = startY
  page.font('plain').fontSize(9)
  for (const note of notes) {
    const height = page.heightOfString(clean(note), { width: right - margin })
    if (y + height > lowest(page)) {
      page.addPage()
      y = margin
    }
    y = write(page, note, margin, y, right - margin) + 4
  }
  return y
}

/** On every page: what it is a page of, and which. */
export function writeFooters(page: Page, title: string, texts: Pick<InvoiceTexts, 'page'>): void {
  const { start, count } = page.bufferedPageRange()
  for (let index = 0; index < count; index++) {
    page.switchToPage(start + index)
    page.font('plain').fontSize(8).fillColor('#444')
    // below the margin, where text would otherwise begin a page of its own
    page.page.margins.bottom = 0
    const y = page.page.height - 40
    page.text(clean(title), margin, y, { width: 380, lineBreak: false })
    const pageNumber = texts.page.replace('{{page}}', `${index + 1}`).replace('{{pages}}', `${count}`)
    page.text(pageNumber, 440, y, { width: 99, align: 'right', lineBreak: false })
  }
}
