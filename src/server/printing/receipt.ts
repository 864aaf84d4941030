/** The receipt of a storage and the overview of what a customer has in store, as PDF (docs/product/money.md "Papers"). */
import type { Readable } from 'node:stream'
import type { Language } from '#domain/people/account.ts'
import { formatDate } from '#domain/texts/date.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import type { OverviewTexts, ReceiptTexts } from './documentTexts.ts'
import * as layout from './paper.ts'
import { margin, type Page, type PaperHead, right, write } from './paper.ts'
import { drawCode } from './pen.ts'
import { type PrintedPhoto, writePhotos } from './photos.ts'
import { millimetres, type PrintedWheel, writeWheels } from './wheels.ts'

export type PrintedReceipt = PaperHead & {
  /** The number of its operation, which is that of the receipt. */
  readonly operation: number
  readonly date: string
  readonly wheels: readonly PrintedWheel[]
  readonly signed: { readonly name: string; readonly time: string } | null
  /** A PNG. */
  readonly signature: Uint8Array | null
  readonly photos: readonly PrintedPhoto[]
  /** The address of its page, in the QR code. */
  readonly url: string
}

export type PrintedOverview = PaperHead & {
  readonly date: string
  /** How many wheels there are in all. */
  readonly wheels: number
  /** Wheels of a set of one description, since one day; `paid` is null while nothing is paid. Without depths none is shown. */
  readonly sets: readonly {
    readonly plate: string
    readonly set: string | null
    readonly positions: readonly string[]
    readonly depths: readonly (number | null)[]
    readonly description: string
    readonly since: string
    readonly paid: string | null
  }[]
}

const codeSize = 96
/** Keeps a position and its depth on one line. */
const nbsp = '\u00A0'

export const printReceipt = (receipt: PrintedReceipt, texts: ReceiptTexts, lang: Language): Readable =>
  layout.openPaper(`${texts.title} ${texts.number}`, page => drawReceipt(page, receipt, texts, lang))

function drawReceipt(page: Page, receipt: PrintedReceipt, texts: ReceiptTexts, lang: Language): void {
  const { paper } = receipt
  const head = layout.writeHead(page, texts.number, receipt, texts)
  page.font('plain').fontSize(10)
  const bottom = write(page, texts.said, margin, head + 24, right - margin)
  const wheels = writeWheels(page, receipt.wheels, { words: texts.wheel, paper, lang }, bottom + 16)
  const photos = writePhotos(page, receipt.photos, texts.photos, wheels)
  const y = layout.room(page, photos + 24, 150)
  // code and signature stand side by side
  const x = right - codeSize
  drawCode(page, receipt.url, { x, y, width: codeSize })
  page.font('plain').fontSize(8).fillColor('#444')
  const code = write(page, texts.open, x - 120, y + 10, 116, 'right')
  page.fillColor('black')
  const signature = layout.writeSignature(page, receipt, texts, y)
  layout.writeTerms(page, paper, Math.max(signature, code, y + codeSize) + 16)
  layout.writeFooters(page, paper, texts)
}

export const printOverview = (overview: PrintedOverview, texts: OverviewTexts, lang: Language): Readable =>
  layout.openPaper(texts.title, page => drawOverview(page, overview, texts, lang))

type Set = PrintedOverview['sets'][number]

function drawOverview(page: Page, overview: PrintedOverview, texts: OverviewTexts, lang: Language): void {
  const { paper } = overview
  const head = layout.writeHead(page, '', overview, texts)
  page.font('plain').fontSize(10)
  const textEnd = write(page, texts.said, margin, head + 24, right - margin)
  const bottom = layout.writeTable<Set>(
    page,
    [
      {
        heading: texts.vehicle,
        width: 96,
        text: ({ plate, set }) => [formatPlate(plate), set].filter(Boolean).join(' · '),
      },
      { heading: texts.tyres, text: ({ positions, description }) => `${positions.length} × ${description}` },
      ...(paper.columns.includes('depth')
        ? [{ heading: texts.depth, width: 116, text: (tyreSet: Set) => depthsOf(tyreSet, texts, lang) }]
        : []),
      { heading: texts.since, width: 62, text: ({ since }) => formatDate(since) },
      { heading: texts.paidUntil, width: 70, text: ({ paid }) => (paid === null ? '' : formatDate(paid)) },
    ],
    overview.sets,
    { title: texts.wheel.wheels, startY: textEnd + 16 },
  )
  layout.writeTerms(page, paper, bottom + 16)
  layout.writeFooters(page, paper, texts)
}

/** The depth of each wheel that has one, by its position; one for all where they are the same. */
function depthsOf({ positions, depths }: Set, { wheel }: OverviewTexts, lang: Language): string {
  const [first = null] = depths
  if (depths.every(depth => depth === first)) return millimetres(first, wheel, lang)
  return depths
    .flatMap((depth, nth) =>
      depth === null ? [] : [`${positions[nth]} ${millimetres(depth, wheel, lang)}`.replaceAll(' ', nbsp)],
    )
    .join(', ')
}
