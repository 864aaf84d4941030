/**
 * Documents as PDF (SPEC §3 "Document"; DESIGN §7 "Documents"): what was done for a customer, and how often. They are no
 * invoices and do not look like one.
 */
import { createRequire } from 'node:module'
import type { Readable } from 'node:stream'
// oxlint-disable-next-line import/no-named-as-default -- the types know the class as the default only
import PDFDocument from 'pdfkit'
import type { Language } from '#domain/account.ts'
import { formatPlate } from '#domain/plate.ts'
import type { DocumentType } from '#domain/site.ts'
import type { DocumentWords } from './documentTexts.ts'

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
/** Where each column begins; 8 pt before the next one it ends. */
const columns = { article: margin, description: 128, quantity: 346, price: 398, amount: 460, end: 547 }
const right = columns.end - 8
const numbers = { dut: 'nl-BE', fre: 'fr-BE', eng: 'en-IE', ger: 'de-DE' } as const satisfies Record<Language, string>

/** The document on A4, in the reader's language. Lines that do not fit go on with the headings on a next page. */
export function printDocument(document: PrintedDocument, words: DocumentWords, lang: Language): Readable {
  const money = new Intl.NumberFormat(numbers[lang], { style: 'currency', currency: 'EUR' })
  const plain = new Intl.NumberFormat(numbers[lang], { maximumFractionDigits: 2 })
  const page = new PDFDocument({
    size: 'A4',
    margin,
    bufferPages: true,
    info: { Title: `${words.title} ${documentNumber(document)}`, Creator: 'Wheelhouse' },
  })
  for (const [face, path] of Object.entries(faces)) page.registerFont(face, path)
  const write = (text: string, x: number, y: number, width: number, align: 'left' | 'right' = 'left'): number => {
    page.text(clean(text), x, y, { width, align })
    return page.y
  }

  /** A number on one line: letters get smaller before it would break. Answers nothing, the text beside it is longer. */
  const writeNumber = (text: string, x: number, next: number, y: number): void => {
    const size = 9
    const wide = page.widthOfString(text)
    const room = next - 8 - x
    if (wide > room) page.fontSize((size * room) / wide - 0.1)
    page.text(text, x, y, { width: room, align: 'right', lineBreak: false })
    page.fontSize(size)
  }

  page.font('bold').fontSize(20)
  write(words.title, margin, margin, 300)
  page.font('plain').fontSize(10)
  write(documentNumber(document), margin, margin + 28, 300)
  write(words.date, margin, margin + 42, 300)
  page.font('bold')
  write(document.site, 340, margin, 199, 'right')
  page.font('plain')
  const head = Math.max(write(document.email, 340, page.y, 199, 'right') + 16, margin + 80)

  const { customer } = document
  const address = [
    customer.company || customer.name,
    customer.company ? customer.name : '',
    customer.street,
    `${customer.zipcode} ${customer.city}`.trim(),
  ]
  let y = head
  page.font('bold')
  y = write(words.customer, margin, y, 300)
  page.font('plain')
  for (const line of address.filter(Boolean)) y = write(line, margin, y, 300)
  if (document.plate) {
    page.font('bold')
    const below = write(words.vehicle, 340, head, 199)
    page.font('plain')
    write(`${formatPlate(document.plate)}  ${document.vehicle}`, 340, below, 199)
    y = Math.max(y, page.y)
  }

  const headings = (top: number): number => {
    page.font('bold').fontSize(9)
    write(words.article, columns.article, top, columns.description - columns.article - 8)
    write(words.description, columns.description, top, columns.quantity - columns.description - 8)
    writeNumber(words.quantity, columns.quantity - 12, columns.price, top)
    writeNumber(words.price, columns.price, columns.amount, top)
    writeNumber(words.amount, columns.amount, columns.end, top)
    page
      .moveTo(margin, top + 14)
      .lineTo(right, top + 14)
      .lineWidth(0.7)
      .stroke()
    page.font('plain').fontSize(9)
    return top + 20
  }
  y = headings(y + 24)
  for (const line of document.lines) {
    const width = columns.quantity - columns.description - 8
    const articleWidth = columns.description - columns.article - 8
    const article = line.article ?? ''
    const height = Math.max(
      page.heightOfString(clean(line.description), { width }),
      page.heightOfString(clean(article), { width: articleWidth }),
    )
    if (y + height > page.page.height - margin - 40) {
      page.addPage()
      y = headings(margin)
    }
    if (article) write(article, columns.article, y, articleWidth)
    if (line.quantity !== null) writeNumber(plain.format(line.quantity), columns.quantity, columns.price, y)
    if (line.price) writeNumber(money.format(line.price), columns.price, columns.amount, y)
    if (line.price && line.quantity !== null)
      writeNumber(money.format(line.price * line.quantity), columns.amount, columns.end, y)
    write(line.description, columns.description, y, width)
    y += height + 5
  }
  page
    .moveTo(margin, y + 2)
    .lineTo(right, y + 2)
    .stroke()
  if (document.amount > 0) {
    page.font('bold')
    write(words.total, columns.description, y + 8, columns.quantity - columns.description)
    write(money.format(document.amount), columns.price, y + 8, right - columns.price, 'right')
  }

  const { count } = page.bufferedPageRange()
  for (let nth = 0; nth < count; nth++) {
    page.switchToPage(nth)
    page.font('plain').fontSize(8).fillColor('#444')
    // below the margin, where text would otherwise begin a page of its own
    page.page.margins.bottom = 0
    page.text(words.noInvoice, margin, page.page.height - 40, { width: 380, lineBreak: false })
    page.text(
      words.page.replace('{{page}}', `${nth + 1}`).replace('{{pages}}', `${count}`),
      440,
      page.page.height - 40,
      {
        width: 99,
        align: 'right',
        lineBreak: false,
      },
    )
  }
  page.end()
  // a stream, which its types do not say
  return page as unknown as Readable
}

/** Without control characters and what would turn the direction of the line around. */
const clean = (text: string): string => text.replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, ' ').toWellFormed()
