/** The parts that all papers share: fonts, margins, head, table, signature and foot. All lengths are points. */
import type { Readable } from 'node:stream'
// oxlint-disable-next-line import/no-named-as-default -- the types know the class as the default only
import PDFDocument from 'pdfkit'
import type { Language } from '#domain/people/account.ts'
import type { PaperColumn } from '#domain/texts/paper.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { registerFonts } from './fonts.ts'

export type Page = PDFKit.PDFDocument

/** The texts that a site prints on its papers, in the reader's language. */
export type SitePaper = {
  readonly header: string
  readonly footer: string
  readonly terms: string
  readonly columns: readonly PaperColumn[]
}

/** Whose paper it is, and whom and what it is about. */
export type PaperHead = {
  readonly site: string
  readonly email: string
  readonly customer: { name: string; company: string; street: string; zipcode: string; city: string }
  readonly plate: string | null
  readonly vehicle: string
  readonly paper: SitePaper
}

export const margin = 56
export const gap = 8
/** Where columns end; a gap before it their texts do. */
export const end = 547
export const right = end - gap
/** The right half of the head. */
const aside = { x: 340, width: right - 340 }
const signatureSize = { width: 200, height: 80 }

export const locales = { dut: 'nl-BE', fre: 'fr-BE', eng: 'en-IE', ger: 'de-DE' } as const satisfies Record<
  Language,
  string
>

/** An A4 document of one paper, as a stream. */
export function openPaper(title: string, draw: (page: Page) => void): Readable {
  const page = new PDFDocument({
    size: 'A4',
    margin,
    bufferPages: true,
    info: { Title: title, Creator: 'Wheelhouse' },
  })
  registerFonts(page)
  draw(page)
  page.end()
  // pdfkit's types don't say that it is a stream
  return page as unknown as Readable
}

type HeadTexts = { readonly title: string; readonly date: string; readonly customer: string; readonly vehicle: string }

/** The content of a head; without a customer it is about the whole site. */
type Headed = Omit<PaperHead, 'customer'> & { readonly customer: PaperHead['customer'] | null }

/** Title, site, customer and vehicle. Returns where they end. */
export function writeHead(page: Page, number: string, headed: Headed, texts: HeadTexts): number {
  page.font('bold').fontSize(20)
  // a long title ends above the number
  let left = write(page, texts.title, margin, margin, 270) + 4
  page.font('plain').fontSize(10)
  if (number) left = write(page, number, margin, left, 270)
  left = write(page, texts.date, margin, left, 270)
  page.font('bold')
  write(page, headed.site, aside.x, margin, aside.width, 'right')
  page.font('plain')
  let top = write(page, headed.email, aside.x, page.y, aside.width, 'right')
  if (headed.paper.header) {
    page.fontSize(8)
    for (const line of headed.paper.header.split('\n')) top = write(page, line, aside.x, top, aside.width, 'right')
    page.fontSize(10)
  }
  top = Math.max(top + 16, left + 16, margin + 80)

  const { customer } = headed
  if (!customer) return top
  const address = [
    customer.company || customer.name,
    customer.company ? customer.name : '',
    customer.street,
    `${customer.zipcode} ${customer.city}`.trim(),
  ]
  page.font('bold')
  let y = write(page, texts.customer, margin, top, 270)
  page.font('plain')
  for (const line of address.filter(Boolean)) y = write(page, line, margin, y, 270)
  if (!headed.plate) return y
  page.font('bold')
  const below = write(page, texts.vehicle, aside.x, top, aside.width)
  page.font('plain')
  write(page, `${formatPlate(headed.plate)}  ${headed.vehicle}`, aside.x, below, aside.width)
  return Math.max(y, page.y)
}

/** A column of a table: its heading, and its share of the width; without a width it gets the rest. */
export type Column<R> = { readonly heading: string; readonly width?: number; readonly text: (row: R) => string }

/** Rows under their headings, on as many pages as they need; `title` stands above the first headings. Returns where they end. */
export function writeTable<R>(
  page: Page,
  columns: readonly Column<R>[],
  rows: readonly R[],
  { title, startY }: { title: string; startY: number },
): number {
  if (rows.length === 0) return startY
  const taken = columns.reduce((sum, { width = 0 }) => sum + width, 0)
  const open = columns.filter(({ width }) => width === undefined).length
  let x = margin
  const placed = columns.map(column => {
    const at = x
    x += column.width ?? (end - margin - taken) / open
    return { ...column, x: at, room: x - gap - at }
  })
  const heading = (y: number, named: boolean): number => {
    let top = y
    if (named) {
      page.font('bold').fontSize(11)
      top = write(page, title, margin, y, right - margin) + 4
    }
    page.font('bold').fontSize(9)
    const below = Math.max(...placed.map(column => write(page, column.heading, column.x, top, column.room)))
    page
      .moveTo(margin, below + 2)
      .lineTo(right, below + 2)
      .lineWidth(0.7)
      .strokeColor('black')
      .stroke()
    page.font('plain').fontSize(9)
    return below + 8
  }
  let y = startY
  rows.forEach((row, nth) => {
    page.font('plain').fontSize(9)
    const cells = placed.map(column => ({ ...column, said: column.text(row) }))
    const height = Math.max(...cells.map(({ said: text, room }) => page.heightOfString(clean(text), { width: room })))
    if (y + (nth === 0 ? headingsHeight + height : height) > lowest(page)) {
      page.addPage()
      y = heading(margin, nth === 0)
    } else if (nth === 0) y = heading(y, true)
    for (const { said: text, x: at, room } of cells) write(page, text, at, y, room)
    y += height + 5
  })
  return y
}
/** The headings of a table take no more than this. */
const headingsHeight = 50

type Signed = { readonly signature: Uint8Array | null }

/** The signature with who signed and when, or a line to sign on. Returns where it ends. */
export function writeSignature(
  page: Page,
  { signature }: Signed,
  { receivedBy, signed }: { readonly receivedBy: string; readonly signed: string | null },
  startY: number,
): number {
  const { width, height } = signatureSize
  const y = room(page, startY, height + 40)
  page.font('bold').fontSize(9)
  const below = write(page, receivedBy, margin, y, 300) + 4
  page.font('plain')
  if (signature) page.image(Buffer.from(signature), margin, below, { fit: [width, height] })
  page
    .moveTo(margin, below + height + 2)
    .lineTo(margin + width, below + height + 2)
    .lineWidth(0.7)
    .strokeColor('black')
    .stroke()
  return signed ? write(page, signed, margin, below + height + 6, right - margin) : below + height + 6
}

/** The terms of the site, after everything else. */
export function writeTerms(page: Page, { terms }: SitePaper, startY: number): void {
  if (!terms) return
  page.font('plain').fontSize(8).fillColor('#333')
  let y = startY
  for (const line of terms.split('\n')) {
    const height = page.heightOfString(clean(line) || ' ', { width: right - margin })
    y = room(page, y, height)
    write(page, line, margin, y, right - margin)
    y += height + 2
  }
  page.fillColor('black')
}

/** On every page: what the site says, that this is no invoice, and the page number. */
export function writeFooters(
  page: Page,
  { footer }: SitePaper,
  texts: { readonly noInvoice: string; readonly page: string },
): void {
  const { start, count } = page.bufferedPageRange()
  const lines = footer ? footer.split('\n') : []
  for (let index = 0; index < count; index++) {
    page.switchToPage(start + index)
    page.font('plain').fontSize(8).fillColor('#444')
    // below the margin, where text would otherwise begin a page of its own
    page.page.margins.bottom = 0
    const y = page.page.height - 40
    lines.forEach((line, nth) => writeSmall(page, line, margin, y - 12 * (lines.length - nth), right - margin))
    writeSmall(page, texts.noInvoice, margin, y, 370)
    const pageNumber = texts.page.replace('{{page}}', `${index + 1}`).replace('{{pages}}', `${count}`)
    page.fontSize(8).text(pageNumber, 440, y, { width: 99, align: 'right', lineBreak: false })
  }
  page.fillColor('black')
}

/** A line that gets smaller where it would be too wide. */
function writeSmall(page: Page, text: string, x: number, y: number, width: number): void {
  const line = clean(text)
  page.fontSize(8)
  const needed = page.widthOfString(line)
  if (needed > width) page.fontSize((8 * width) / needed - 0.05)
  page.text(line, x, y, { lineBreak: false })
}

/** Below this nothing stands but the foot. */
export const lowest = (page: Page): number => page.page.height - margin - 40

/** Where something of this height goes: at `y`, or on a next page. */
export function room(page: Page, y: number, height: number): number {
  if (y + height <= lowest(page)) return y
  page.addPage()
  return margin
}

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

/** Without control characters, and without those that reverse the direction of a line. */
export const clean = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, ' ')
