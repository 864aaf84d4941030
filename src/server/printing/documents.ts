/**
 * Documents as PDF (docs/product.md "Documents"): what was done for a customer, and how often. They are no invoices and do not
 * look like one. All lengths are points.
 */
import type { Readable } from 'node:stream'
// oxlint-disable-next-line import/no-named-as-default -- the types know the class as the default only
import PDFDocument from 'pdfkit'
import type { Language } from '#domain/account.ts'
import type { DamageCode } from '#domain/damage.ts'
import { formatPlate } from '#domain/plate.ts'
import type { DocumentType } from '#domain/site.ts'
import type { DocumentTexts } from './documentTexts.ts'
import { registerFonts } from './fonts.ts'

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
  /** The tyres that it is about; those of a vehicle with the same description together. */
  readonly tyres: readonly { plate: string; positions: string; description: string; ids: string }[]
  readonly delivery: PrintedDelivery | null
}

/** What a delivery note says besides: how it goes, the wheels as they left, and who signed for them. */
export type PrintedDelivery = {
  readonly transport: string
  readonly day: string
  readonly wheels: readonly {
    readonly id: number
    readonly position: string
    readonly description: string
    readonly depth: number | null
    readonly rims: 'steel' | 'aluminum' | null
    readonly bolts: boolean
    readonly hubcaps: boolean
    /** With what damage it left. */
    readonly damages: readonly DamageCode[]
    readonly missing: boolean
  }[]
  /** Who signed it and when, in words; null while nobody has. */
  readonly signed: { readonly name: string; readonly time: string } | null
  /** A PNG. */
  readonly signature: Uint8Array | null
}

type Page = PDFKit.PDFDocument

/** A document's number, by the first letter of its type: `W-2026-00012`. Gapless per site, type and year. */
const documentNumber = (of: { type: DocumentType; year: number; number: number }): string =>
  `${of.type.slice(0, 1).toUpperCase()}-${of.year}-${String(of.number).padStart(5, '0')}`

export const margin = 56
const gap = 8
/** Where each column begins; a gap before the next one it ends. */
const columns = { article: margin, description: 128, quantity: 346, price: 398, amount: 460, end: 547 }
const articleWidth = columns.description - columns.article - gap
const descriptionWidth = columns.quantity - columns.description - gap
const right = columns.end - gap
/** The headings of the tyres take no more than this. */
const tyreHeadingsHeight = 40
const tyreColumns = { positions: margin, description: 190, ids: 430 }
/** The right half of the head. */
const aside = { x: 340, width: right - 340 }
export const locales = { dut: 'nl-BE', fre: 'fr-BE', eng: 'en-IE', ger: 'de-DE' } as const satisfies Record<
  Language,
  string
>

/** The document on A4, in the reader's language. Lines that do not fit continue under the headings on a next page. */
export function printDocument(document: PrintedDocument, texts: DocumentTexts, lang: Language): Readable {
  const page = new PDFDocument({
    size: 'A4',
    margin,
    bufferPages: true,
    info: { Title: `${texts.title} ${documentNumber(document)}`, Creator: 'Wheelhouse' },
  })
  registerFonts(page)
  drawDocument(page, document, texts, lang)
  page.end()
  // pdfkit's types don't say that it is a stream
  return page as unknown as Readable
}

/** Draws a document from the top of the page that was added last; none of the pages before it are buffered. */
export function drawDocument(page: Page, document: PrintedDocument, texts: DocumentTexts, lang: Language): void {
  const headBottom = writeWithdrawn(page, texts, writeHead(page, document, texts))
  const { delivery } = document
  // a delivery note of its own charges nothing
  const charges = !delivery || document.lines.length > 0
  const bottom = charges ? writeLines(page, document, texts, lang, headBottom + 24) : headBottom
  const totalBottom = charges ? writeTotal(page, document, texts, lang, bottom) : bottom
  if (delivery) writeDelivery(page, delivery, texts, lang, totalBottom + 24)
  else writeTyres(page, document, texts, totalBottom + 24)
  writeFooters(page, texts)
}

/** Title, site, customer and vehicle. Returns where they end. */
function writeHead(page: Page, document: PrintedDocument, texts: DocumentTexts): number {
  page.font('bold').fontSize(20)
  write(page, texts.title, margin, margin, 300)
  page.font('plain').fontSize(10)
  write(page, documentNumber(document), margin, margin + 28, 300)
  write(page, texts.date, margin, margin + 42, 300)
  page.font('bold')
  write(page, document.site, aside.x, margin, aside.width, 'right')
  page.font('plain')
  const top = Math.max(write(page, document.email, aside.x, page.y, aside.width, 'right') + 16, margin + 80)

  const { customer } = document
  const address = [
    customer.company || customer.name,
    customer.company ? customer.name : '',
    customer.street,
    `${customer.zipcode} ${customer.city}`.trim(),
  ]
  page.font('bold')
  let y = write(page, texts.customer, margin, top, 300)
  page.font('plain')
  for (const line of address.filter(Boolean)) y = write(page, line, margin, y, 300)
  if (!document.plate) return y
  page.font('bold')
  const below = write(page, texts.vehicle, aside.x, top, aside.width)
  page.font('plain')
  write(page, `${formatPlate(document.plate)}  ${document.vehicle}`, aside.x, below, aside.width)
  return Math.max(y, page.y)
}

/** Draws the note of a withdrawn document, with its reason. Returns the position below it. */
function writeWithdrawn(page: Page, { withdrawn }: DocumentTexts, y: number): number {
  if (withdrawn === null) return y
  page.font('bold').fontSize(12).fillColor('#b00020')
  const end = write(page, withdrawn, margin, y + 16, right - margin)
  page.font('plain').fontSize(10).fillColor('black')
  return end
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

/** The tyres under headings of their own, on as many pages as they need: where the document is about one vehicle, without its plate. */
function writeTyres(page: Page, { tyres, plate }: PrintedDocument, texts: DocumentTexts, startY: number): void {
  if (tyres.length === 0) return
  const cells = ({ plate: own, positions, description, ids }: PrintedDocument['tyres'][number]) =>
    [
      [plate ? positions : `${formatPlate(own)}  ${positions}`, tyreColumns.positions, tyreColumns.description],
      [description, tyreColumns.description, tyreColumns.ids],
      [ids, tyreColumns.ids, columns.end],
    ] as const
  const heightOf = (row: ReturnType<typeof cells>) =>
    Math.max(...row.map(([text, x, next]) => page.heightOfString(clean(text), { width: next - gap - x })))
  let y = startY
  page.font('plain').fontSize(9)
  tyres.map(cells).forEach((row, nth) => {
    const height = heightOf(row)
    const needed = nth === 0 ? tyreHeadingsHeight + height : height
    if (y + needed > lowest(page)) {
      page.addPage()
      y = writeTyreHeadings(page, texts, margin)
    } else if (nth === 0) y = writeTyreHeadings(page, texts, y)
    for (const [text, x, next] of row) write(page, text, x, y, next - gap - x)
    y += height + 5
  })
}

/** The headings of the tyres. Returns where the first one begins. */
function writeTyreHeadings(page: Page, texts: DocumentTexts, y: number): number {
  page.font('bold').fontSize(11)
  const below = write(page, texts.tyres, margin, y, right - margin) + 4
  page.fontSize(9)
  write(page, texts.position, tyreColumns.positions, below, tyreColumns.description - gap - tyreColumns.positions)
  write(page, texts.description, tyreColumns.description, below, tyreColumns.ids - gap - tyreColumns.description)
  write(page, texts.tyreId, tyreColumns.ids, below, right - tyreColumns.ids)
  page
    .moveTo(margin, below + 14)
    .lineTo(right, below + 14)
    .lineWidth(0.7)
    .stroke()
  page.font('plain').fontSize(9)
  return below + 20
}

const wheelColumns = { position: margin, description: 112, depth: 312, parts: 362, remarks: 474 }
const signatureSize = { width: 200, height: 80 }

/** How and when it goes, its wheels, and the signature or room for one; on as many pages as they need. */
function writeDelivery(
  page: Page,
  delivery: PrintedDelivery,
  texts: DocumentTexts,
  lang: Language,
  startY: number,
): void {
  const words = texts.delivery
  const depths = new Intl.NumberFormat(locales[lang], { maximumFractionDigits: 2 })
  page.font('plain').fontSize(10)
  let y = write(page, `${words.transport}: ${delivery.transport}`, margin, startY, right - margin)
  y = write(page, `${words.day}: ${words.date}`, margin, y, right - margin) + 16
  if (y + tyreHeadingsHeight > lowest(page)) {
    page.addPage()
    y = margin
  }
  y = writeWheelHeadings(page, texts, y)
  for (const wheel of delivery.wheels) {
    const parts = [wheel.rims && words[wheel.rims], wheel.bolts && words.bolts, wheel.hubcaps && words.hubcaps].filter(
      Boolean,
    )
    const row = [
      [wheel.position, wheelColumns.position, wheelColumns.description],
      [`${wheel.description}  #${wheel.id}`, wheelColumns.description, wheelColumns.depth],
      [
        wheel.depth === null ? '' : words.millimetres.replace('{{depth}}', depths.format(wheel.depth)),
        wheelColumns.depth,
        wheelColumns.parts,
      ],
      [parts.join(', '), wheelColumns.parts, wheelColumns.remarks],
      [
        [wheel.missing && words.missing, ...wheel.damages.map(code => texts.damage[code])].filter(Boolean).join(', '),
        wheelColumns.remarks,
        columns.end,
      ],
    ] as const
    const height = Math.max(
      ...row.map(([text, x, next]) => page.heightOfString(clean(text), { width: next - gap - x })),
    )
    if (y + height > lowest(page)) {
      page.addPage()
      y = writeWheelHeadings(page, texts, margin)
    }
    for (const [text, x, next] of row) write(page, text, x, y, next - gap - x)
    y += height + 5
  }
  writeSignature(page, delivery, texts, y + 24)
}

/** The headings of the wheels. Returns where the first one begins. */
function writeWheelHeadings(page: Page, { position, description, delivery }: DocumentTexts, y: number): number {
  page.font('bold').fontSize(9)
  const heads = [
    [position, wheelColumns.position, wheelColumns.description],
    [description, wheelColumns.description, wheelColumns.depth],
    [delivery.depth, wheelColumns.depth, wheelColumns.parts],
    [delivery.with, wheelColumns.parts, wheelColumns.remarks],
    [delivery.remarks, wheelColumns.remarks, columns.end],
  ] as const
  const below = Math.max(...heads.map(([text, x, next]) => write(page, text, x, y, next - gap - x)))
  page
    .moveTo(margin, below + 2)
    .lineTo(right, below + 2)
    .lineWidth(0.7)
    .stroke()
  page.font('plain').fontSize(9)
  return below + 8
}

/** The signature with who signed and when, or a line to sign on. */
function writeSignature(page: Page, { signature }: PrintedDelivery, { delivery }: DocumentTexts, startY: number): void {
  const { width, height } = signatureSize
  let y = startY
  if (y + height + 40 > lowest(page)) {
    page.addPage()
    y = margin
  }
  page.font('bold').fontSize(9)
  const below = write(page, delivery.receivedBy, margin, y, 300) + 4
  page.font('plain')
  if (signature) page.image(Buffer.from(signature), margin, below, { fit: [width, height] })
  page
    .moveTo(margin, below + height + 2)
    .lineTo(margin + width, below + height + 2)
    .lineWidth(0.7)
    .stroke()
  if (delivery.signed) write(page, delivery.signed, margin, below + height + 6, right - margin)
}

/** Below this nothing stands but the footer. */
const lowest = (page: Page): number => page.page.height - margin - 40

/** On every page: that this is no invoice, and the page number. */
function writeFooters(page: Page, texts: DocumentTexts): void {
  const { start, count } = page.bufferedPageRange()
  for (let index = 0; index < count; index++) {
    page.switchToPage(start + index)
    page.font('plain').fontSize(8).fillColor('#444')
    // below the margin, where text would otherwise begin a page of its own
    page.page.margins.bottom = 0
    const y = page.page.height - 40
    page.text(texts.noInvoice, margin, y, { width: 380, lineBreak: false })
    const pageNumber = texts.page.replace('{{page}}', `${index + 1}`).replace('{{pages}}', `${count}`)
    page.text(pageNumber, 440, y, { width: 99, align: 'right', lineBreak: false })
  }
}

const moneyFormat = (lang: Language): Intl.NumberFormat =>
  new Intl.NumberFormat(locales[lang], { style: 'currency', currency: 'EUR' })

/** Writes a text, wrapped at `width`. Returns where it ends. */
export function write(
  page: Page,
  text: string,
  x: number,
  y: number,
  width: number,
  align: 'left' | 'right' = 'left',
): number {
  page.text(clean(text), x, y, { width, align })
  return page.y
}

/** Writes a number on one line, smaller where it would not fit between `x` and the next column. */
export function writeNumber(page: Page, text: string, x: number, nextColumn: number, y: number): void {
  const size = 9
  const width = page.widthOfString(text)
  const room = nextColumn - gap - x
  if (width > room) page.fontSize((size * room) / width - 0.1)
  page.text(text, x, y, { width: room, align: 'right', lineBreak: false })
  page.fontSize(size)
}

/** Without control characters, and without those that reverse the direction of a line. */
export const clean = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, ' ').toWellFormed()
