/** The stock at the end of a day, as PDF (docs/product/warehouse.md "Stock statement"). */
import type { Readable } from 'node:stream'
import { formatDate } from '#domain/texts/date.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import type { StatementTexts } from './documentTexts.ts'
import * as layout from './paper.ts'
import { margin, type Page, type PaperHead, right, write } from './paper.ts'

/** The most lines of one print, each of the wheels of a set that came together: drawn in 2 s where nothing else runs. */
export const maxPrintedLines = 10_000

export type PrintedStatement = Omit<PaperHead, 'customer'> & {
  /** Whose wheels; null for those of the whole site. */
  readonly customer: PaperHead['customer'] | null
  readonly date: string
  /** How many wheels there are in all. */
  readonly wheels: number
  /** Wheels of a set of one description, since one day, on one place; `place` is null where nobody recorded it. */
  readonly sets: readonly {
    readonly customer: string
    readonly plate: string
    readonly set: string | null
    readonly positions: readonly string[]
    readonly description: string
    readonly since: string
    readonly place: string | null
  }[]
}
type Set = PrintedStatement['sets'][number]

export const printStatement = (statement: PrintedStatement, texts: StatementTexts): Readable =>
  layout.openPaper(`${texts.title} ${formatDate(statement.date)}`, page => drawStatement(page, statement, texts))

function drawStatement(page: Page, statement: PrintedStatement, texts: StatementTexts): void {
  const { paper, sets } = statement
  const ofSite = statement.customer === null
  const head = layout.writeHead(page, '', statement, texts)
  page.font('plain').fontSize(10)
  let y = write(page, texts.said, margin, head + 24, right - margin) + 16
  if (ofSite)
    y =
      layout.writeTable(
        page,
        [
          { heading: texts.customer, text: ({ customer }) => customer },
          { heading: texts.wheels, width: 80, text: ({ wheels }) => `${wheels}` },
        ],
        countsOf(sets),
        { title: texts.byCustomer, startY: y },
      ) + 16
  const bottom = layout.writeTable<Set>(
    page,
    [
      ...(ofSite ? [{ heading: texts.customer, width: 104, text: ({ customer }: Set) => customer }] : []),
      {
        heading: texts.vehicle,
        width: 88,
        text: ({ plate, set }) => [formatPlate(plate), set].filter(Boolean).join(' · '),
      },
      { heading: texts.positions, width: 70, text: ({ positions }) => positions.join(', ') },
      { heading: texts.tyres, text: ({ positions, description }) => `${positions.length} × ${description}` },
      { heading: texts.since, width: 60, text: ({ since }) => formatDate(since) },
      ...(ofSite ? [{ heading: texts.place, width: 62, text: ({ place }: Set) => place ?? '' }] : []),
    ],
    sets,
    { title: texts.wheels, startY: y },
  )
  layout.writeTerms(page, paper, bottom + 16)
  layout.writeFooters(page, paper, texts)
}

/** How many wheels each customer had. The sets of one stand together. */
function countsOf(sets: readonly Set[]): { customer: string; wheels: number }[] {
  const counts: { customer: string; wheels: number }[] = []
  for (const { customer, positions } of sets) {
    const last = counts.at(-1)
    if (last?.customer === customer) last.wheels += positions.length
    else counts.push({ customer, wheels: positions.length })
  }
  return counts
}
