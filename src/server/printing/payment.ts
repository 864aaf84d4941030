/** How an invoice or a storage document is paid: an account, and a code that banking apps read. All lengths are points. */
import { margin, type Page, right, room, write } from './paper.ts'
import { drawCode } from './pen.ts'

/** `qr` is what the code holds; null where nothing can be paid by one. */
export type HowToPay = { readonly lines: readonly string[]; readonly qr: string | null }

/** The payment part of a document: VAT by rate, the sum in EUR, the site's notes on both, and how to pay. */
export type PrintedPayment = HowToPay & {
  readonly totals: readonly { readonly text: string; readonly amount: number }[]
  readonly gross: number
  readonly notes: readonly string[]
  readonly texts: PaymentTexts & { readonly total: string }
}
type PaymentTexts = { readonly payment: string; readonly qr: string }

const qrSize = 96

/** A column of lines, the first one bold. Returns where it ends. */
export function writeColumn(
  page: Page,
  lines: readonly string[],
  { x, y, width }: { x: number; y: number; width: number },
): number {
  let below = y
  for (const [nth, line] of lines.entries()) {
    page.font(nth === 0 ? 'bold' : 'plain')
    below = write(page, line, x, below, width)
  }
  page.font('plain')
  return below
}

/** Where to pay to, and the code beside it, which stays with it on one page. Returns where both end. */
export function writeHowToPay(page: Page, { lines, qr }: HowToPay, texts: PaymentTexts, startY: number): number {
  const y = room(page, startY, qrSize + 30)
  const x = qr === null ? margin : margin + qrSize + 16
  if (qr !== null) {
    drawCode(page, qr, { x: margin, y, width: qrSize })
    page.font('plain').fontSize(7)
    write(page, texts.qr, margin, y + qrSize + 2, qrSize + 60)
  }
  page.fontSize(10)
  const below = writeColumn(page, [texts.payment, ...lines], { x, y: y + 8, width: right - x })
  return qr === null ? below : Math.max(below, y + qrSize + 14)
}
