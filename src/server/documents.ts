/**
 * Documents as PDF (SPEC §3 "Document"; DESIGN §7 "Documents"): what was done for a customer, and how often. They are no
 * invoices and do not look like one.
 */
import { createRequire } from 'node:module'
import { text as readAll } from 'node:stream/consumers'
// oxlint-disable-next-line import/no-named-as-default -- the types know the class as the default only
import PDFDocument from 'pdfkit'
import type { Language } from '#domain/account.ts'
import { formatDate } from '#domain/date.ts'
import { formatPlate } from '#domain/plate.ts'
import type { DocumentType } from '#domain/site.ts'
import { say } from './texts.ts'

export type PrintedDocument = {
  readonly type: DocumentType
  readonly year: number
  readonly number: number
  readonly date: string
  readonly amount: number
  readonly site: string
  readonly email: string
  readonly customer: { name: string; company: string; street: string; zipcode: string; city: string }
  readonly plate: string | null
  readonly vehicle: string
  readonly lines: readonly {
    article: string | null
    description: string
    quantity: number | null
    price: number | null
  }[]
}

/** A document's number as people say it, by the first letter of its type: `W-2026-00012`. Gapless per site, type and year. */
const documentNumber = (of: { type: DocumentType; year: number; number: number }): string =>
  `${of.type.slice(0, 1).toUpperCase()}-${of.year}-${String(of.number).padStart(5, '0')}`

const require = createRequire(import.meta.url)
const faces = {
  plain: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'),
}
const margin = 56
const columns = { article: margin, description: 130, quantity: 380, price: 430, amount: 485, end: 539 }
const numbers = { dut: 'nl-BE', fre: 'fr-BE', eng: 'en-IE', ger: 'de-DE' } as const satisfies Record<Language, string>

/** The document on A4, in base64, in the reader's language. Lines that do not fit go on with the headings on a next page. */
export async function printDocument(document: PrintedDocument, lang: Language): Promise<string> {
  const t = (key: string, facts: Record<string, unknown> = {}): string => say(lang, 'documents', key, facts)
  const money = new Intl.NumberFormat(numbers[lang], { style: 'currency', currency: 'EUR' })
  const plain = new Intl.NumberFormat(numbers[lang], { maximumFractionDigits: 2 })
  const title = t(`type.${document.type}`)
  const page = new PDFDocument({
    size: 'A4',
    margin,
    bufferPages: true,
    info: { Title: `${title} ${documentNumber(document)}`, Creator: 'Wheelhouse' },
  })
  const file = readAll(page.setEncoding('latin1') as unknown as NodeJS.ReadableStream)
  for (const [face, path] of Object.entries(faces)) page.registerFont(face, path)
  const write = (text: string, x: number, y: number, width: number, align: 'left' | 'right' = 'left'): number => {
    page.text(clean(text), x, y, { width, align })
    return page.y
  }

  page.font('bold').fontSize(20)
  write(title, margin, margin, 300)
  page.font('plain').fontSize(10)
  write(documentNumber(document), margin, margin + 28, 300)
  write(t('date', { date: formatDate(document.date) }), margin, margin + 42, 300)
  page.font('bold')
  write(document.site, 340, margin, 199, 'right')
  page.font('plain')
  write(document.email, 340, page.y, 199, 'right')

  const { customer } = document
  const address = [
    customer.company || customer.name,
    customer.company ? customer.name : '',
    customer.street,
    `${customer.zipcode} ${customer.city}`.trim(),
  ]
  let y = margin + 80
  page.font('bold')
  y = write(t('customer'), margin, y, 300)
  page.font('plain')
  for (const line of address.filter(Boolean)) y = write(line, margin, y, 300)
  if (document.plate) {
    page.font('bold')
    const below = write(t('vehicle'), 340, margin + 80, 199)
    page.font('plain')
    write(`${formatPlate(document.plate)}  ${document.vehicle}`, 340, below, 199)
    y = Math.max(y, page.y)
  }

  const headings = (top: number): number => {
    page.font('bold').fontSize(9)
    write(t('article'), columns.article, top, columns.description - columns.article - 8)
    write(t('description'), columns.description, top, columns.quantity - columns.description - 8)
    write(t('quantity'), columns.quantity - 20, top, 62, 'right')
    write(t('price'), columns.price, top, 48, 'right')
    write(t('amount'), columns.amount, top, columns.end - columns.amount, 'right')
    page
      .moveTo(margin, top + 14)
      .lineTo(columns.end, top + 14)
      .lineWidth(0.7)
      .stroke()
    page.font('plain').fontSize(9)
    return top + 20
  }
  y = headings(y + 24)
  for (const line of document.lines) {
    const width = columns.quantity - columns.description - 28
    const height = page.heightOfString(clean(line.description), { width })
    if (y + height > page.page.height - margin - 40) {
      page.addPage()
      y = headings(margin)
    }
    if (line.article) write(line.article, columns.article, y, columns.description - columns.article - 8)
    if (line.quantity !== null) write(plain.format(line.quantity), columns.quantity - 20, y, 62, 'right')
    if (line.price) write(money.format(line.price), columns.price, y, 48, 'right')
    if (line.price && line.quantity !== null)
      write(money.format(line.price * line.quantity), columns.amount, y, columns.end - columns.amount, 'right')
    write(line.description, columns.description, y, width)
    y += height + 5
  }
  page
    .moveTo(margin, y + 2)
    .lineTo(columns.end, y + 2)
    .stroke()
  if (document.amount > 0) {
    page.font('bold')
    write(t('total'), columns.description, y + 8, columns.quantity - columns.description)
    write(money.format(document.amount), columns.price, y + 8, columns.end - columns.price, 'right')
  }

  const { count } = page.bufferedPageRange()
  for (let nth = 0; nth < count; nth++) {
    page.switchToPage(nth)
    page.font('plain').fontSize(8).fillColor('#444')
    // below the margin, where text would otherwise begin a page of its own
    page.page.margins.bottom = 0
    page.text(t('noInvoice'), margin, page.page.height - 40, { width: 380, lineBreak: false })
    page.text(t('page', { page: nth + 1, pages: count }), 440, page.page.height - 40, {
      width: 99,
      align: 'right',
      lineBreak: false,
    })
  }
  page.end()
  return Buffer.from(await file, 'latin1').toString('base64')
}

/** Without control characters and what would turn the direction of the line around. */
const clean = (text: string): string => text.replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, ' ').toWellFormed()
