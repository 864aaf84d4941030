/**
 * Documents as PDF (docs/product/money.md "Documents"): the work done for a customer, and how often. They are no invoices and do not
 * look like one. All lengths are points.
 */
import type { Readable } from 'node:stream'
import type { Language } from '#domain/people/account.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import type { DocumentType } from '#domain/site.ts'
import type { DocumentTexts } from './documentTexts.ts'
import * as layout from './paper.ts'
import { clean, end, gap, locales, lowest, margin, type Page, type PaperHead, right, room, write } from './paper.ts'
import { type PrintedPayment, writeHowToPay } from './payment.ts'
import { type PrintedPhoto, writePhotos } from './photos.ts'
import { type PrintedWheel, writeWheels } from './wheels.ts'

export type PrintedDocument = PaperHead & {
  readonly type: DocumentType
  readonly year: number
  readonly number: number
  readonly date: string
  readonly amount: number
  readonly lines: readonly {
    article: string | null
    description: string
    quantity: number | null
    price: number | null
  }[]
  /** The wheels of its operation as they were handed over; none of one from before they were kept. */
  readonly wheels: readonly PrintedWheel[]
  /** The tyres that it is about; those of a vehicle with the same description together. */
  readonly tyres: readonly { plate: string; positions: string; description: string; ids: string }[]
  readonly delivery: PrintedDelivery | null
  /** Of a delivery note: its wheels as they left. */
  readonly photos: readonly PrintedPhoto[]
  /** How it is paid; null where it is not, or not by itself. */
  readonly payment: PrintedPayment | null
}

/** The additional content of a delivery note: how it goes, the wheels as they left, and who signed for them. */
export type PrintedDelivery = {
  readonly transport: string
  readonly day: string
  /** How many tyres come back for these in a season swap; null where none do. */
  readonly returned: number | null
  readonly wheels: readonly PrintedWheel[]
  /** Who signed it and when, in words; null while nobody has. */
  readonly signed: { readonly name: string; readonly time: string } | null
  /** A PNG. */
  readonly signature: Uint8Array | null
}

/** A document's number, by the first letter of its type: `W-2026-00012`. Gapless per site, type and year. */
export const documentNumber = (document: { type: DocumentType; year: number; number: number }): string =>
  `${document.type.slice(0, 1).toUpperCase()}-${document.year}-${String(document.number).padStart(5, '0')}`

/** Where each column begins; a gap before the next one it ends. */
const columns = { article: margin, description: 128, quantity: 346, price: 398, amount: 460, end }
const articleWidth = columns.description - columns.article - gap
const descriptionWidth = columns.quantity - columns.description - gap

/** The document on A4, in the reader's language. Lines that do not fit continue under the headings on a next page. */
export const printDocument = (document: PrintedDocument, texts: DocumentTexts, lang: Language): Readable =>
  layout.openPaper(`${texts.title} ${documentNumber(document)}`, page => drawDocument(page, document, texts, lang))

/** Draws a document from the top of the page that was added last; none of the pages before it are buffered. */
export function drawDocument(page: Page, document: PrintedDocument, texts: DocumentTexts, lang: Language): void {
  const { delivery, paper } = document
  const headBottom = writeWithdrawn(page, texts, layout.writeHead(page, documentNumber(document), document, texts))
  // a delivery note of its own charges nothing, and neither do wheels without services
  const charges = document.lines.length > 0 || (!delivery && document.wheels.length === 0)
  const bottom = charges ? writeLines(page, document, texts, lang, headBottom + 24) : headBottom
  const totalBottom = charges
    ? writePayment(page, document, lang, writeTotal(page, document, texts, lang, bottom))
    : bottom
  const wheels = { words: texts.wheel, paper, lang }
  const below = delivery
    ? writeDelivery(page, document, delivery, texts, wheels, totalBottom + 24)
    : document.wheels.length > 0
      ? writePhotos(page, document.photos, texts.photos, writeWheels(page, document.wheels, wheels, totalBottom + 24))
      : writeTyres(page, document, texts, totalBottom + 24)
  layout.writeTerms(page, paper, below + 16)
  layout.writeFooters(page, paper, texts)
}

/** Draws the note of a withdrawn document, with its reason. Returns the position below it. */
function writeWithdrawn(page: Page, { withdrawn }: DocumentTexts, y: number): number {
  if (withdrawn === null) return y
  page.font('bold').fontSize(12).fillColor('#b00020')
  const bottom = write(page, withdrawn, margin, y + 16, right - margin)
  page.font('plain').fontSize(10).fillColor('black')
  return bottom
}

/** The lines under their headings, on as many pages as they need. Returns where they end. */
function writeLines(
  page: Page,
  { lines }: PrintedDocument,
  texts: DocumentTexts,
  lang: Language,
  startY: number,
): number {
  const money = moneyFormat(lang)
  const plain = new Intl.NumberFormat(locales[lang], { maximumFractionDigits: 2 })
  let y = writeHeadings(page, texts, startY)
  for (const { article, description, quantity, price } of lines) {
    const height = Math.max(
      page.heightOfString(clean(description), { width: descriptionWidth }),
      page.heightOfString(clean(article ?? ''), { width: articleWidth }),
    )
    if (y + height > lowest(page)) {
      page.addPage()
      y = writeHeadings(page, texts, margin)
    }
    if (article) write(page, article, columns.article, y, articleWidth)
    if (quantity !== null) writeNumber(page, plain.format(quantity), columns.quantity, columns.price, y)
    if (price) writeNumber(page, money.format(price), columns.price, columns.amount, y)
    if (price && quantity !== null) writeNumber(page, money.format(price * quantity), columns.amount, columns.end, y)
    write(page, description, columns.description, y, descriptionWidth)
    y += height + 5
  }
  return y
}

/** The headings of the columns. Returns where the first line begins. */
function writeHeadings(page: Page, texts: DocumentTexts, y: number): number {
  page.font('bold').fontSize(9)
  write(page, texts.article, columns.article, y, articleWidth)
  write(page, texts.description, columns.description, y, descriptionWidth)
  writeNumber(page, texts.quantity, columns.quantity - 12, columns.price, y)
  writeNumber(page, texts.price, columns.price, columns.amount, y)
  writeNumber(page, texts.amount, columns.amount, columns.end, y)
  page
    .moveTo(margin, y + 14)
    .lineTo(right, y + 14)
    .lineWidth(0.7)
    .stroke()
  page.font('plain').fontSize(9)
  return y + 20
}

/** Returns where the total ends. */
function writeTotal(page: Page, { amount }: PrintedDocument, texts: DocumentTexts, lang: Language, y: number): number {
  page
    .moveTo(margin, y + 2)
    .lineTo(right, y + 2)
    .stroke()
  if (amount <= 0) return y + 2
  page.font('bold')
  write(page, texts.total, columns.description, y + 8, columns.quantity - columns.description)
  return write(page, moneyFormat(lang).format(amount), columns.price, y + 8, right - columns.price, 'right')
}

/** VAT by rate, the amount due, and how to pay it. Returns where it ends. */
function writePayment(page: Page, { payment }: PrintedDocument, lang: Language, startY: number): number {
  if (!payment) return startY
  const { totals, gross, notes, texts } = payment
  const money = moneyFormat(lang)
  const width = columns.amount - 20 - columns.description
  let y = room(page, startY + 4, 16 * (totals.length + 1) + 10)
  page.font('plain').fontSize(9)
  for (const { text, amount } of totals) {
    writeNumber(page, money.format(amount), columns.amount - 20, columns.end, y)
    y = write(page, text, columns.description, y, width) + 3
  }
  page.font('bold').fontSize(10)
  write(page, money.format(gross), columns.price, y + 4, right - columns.price, 'right')
  y = write(page, texts.total, columns.description, y + 4, columns.price - columns.description) + 6
  page.font('plain').fontSize(9)
  for (const note of notes) {
    y = room(page, y, page.heightOfString(clean(note), { width: right - margin }))
    y = write(page, note, margin, y, right - margin) + 4
  }
  return writeHowToPay(page, payment, texts, y + 8)
}

/** The tyres: where the document is about one vehicle, without its plate. Returns where they end. */
const writeTyres = (page: Page, { tyres, plate }: PrintedDocument, texts: DocumentTexts, startY: number): number =>
  layout.writeTable(
    page,
    [
      {
        heading: texts.position,
        width: 134,
        text: row => (plate ? row.positions : `${formatPlate(row.plate)}  ${row.positions}`),
      },
      { heading: texts.description, text: row => row.description },
      { heading: texts.tyreId, width: 117, text: row => row.ids },
    ],
    tyres,
    { title: texts.tyres, startY },
  )

/** How and when it goes, its wheels with their photos, and the signature or room for one. Returns where it ends. */
function writeDelivery(
  page: Page,
  { photos }: PrintedDocument,
  delivery: PrintedDelivery,
  texts: DocumentTexts,
  wheels: Parameters<typeof writeWheels>[2],
  startY: number,
): number {
  const words = texts.delivery
  page.font('plain').fontSize(10)
  const head = [`${words.transport}: ${delivery.transport}`, `${words.day}: ${words.date}`, words.returned]
    .filter(line => line !== null)
    .reduce((y, line) => write(page, line, margin, y, right - margin), startY)
  const listed = writeWheels(page, delivery.wheels, wheels, head + 16)
  const bottom = writePhotos(page, photos, texts.photos, listed)
  return layout.writeSignature(page, delivery, words, bottom + 24)
}

const moneyFormat = (lang: Language): Intl.NumberFormat =>
  new Intl.NumberFormat(locales[lang], { style: 'currency', currency: 'EUR' })

/** Writes a number on one line, smaller where it would not fit between `x` and the next column. */
export function writeNumber(page: Page, text: string, x: number, nextColumn: number, y: number): void {
  const size = 9
  const width = page.widthOfString(text)
  const room = nextColumn - gap - x
  if (width > room) page.fontSize((size * room) / width - 0.1)
  page.text(text, x, y, { width: room, align: 'right', lineBreak: false })
  page.fontSize(size)
}
