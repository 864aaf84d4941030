/** The proof that scrapped tyres were handed to a collector, as PDF (docs/product/warehouse.md "Proof of disposal"). */
import type { Readable } from 'node:stream'
import { formatDate } from '#domain/texts/date.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import type { PrintedPickup, ProofTexts } from './documentTexts.ts'
import * as layout from './paper.ts'
import { margin, type Page, type PaperHead, write } from './paper.ts'

export type PrintedProof = Omit<PaperHead, 'customer'> & {
  /** Whose tyres; null for those of all customers. */
  readonly customer: PaperHead['customer'] | null
  readonly pickup: PrintedPickup
  readonly wheels: readonly {
    readonly customer: string
    readonly plate: string
    readonly position: string
    readonly description: string
    /** The number on its label. */
    readonly number: number
    /** The day on which it was scrapped. */
    readonly scrapped: string
  }[]
}
type Wheel = PrintedProof['wheels'][number]

export const printProof = (proof: PrintedProof, texts: ProofTexts): Readable =>
  layout.openPaper(`${texts.title} ${proof.pickup.form}`, page => drawProof(page, proof, texts))

/** How much of the width the names of the facts take. */
const nameWidth = 150

function drawProof(page: Page, proof: PrintedProof, texts: ProofTexts): void {
  const { paper, wheels } = proof
  const ofSite = proof.customer === null
  let y = layout.writeHead(page, '', proof, texts) + 24
  for (const { name, value } of texts.facts) {
    page.font('bold').fontSize(10)
    const below = write(page, name, margin, y, nameWidth - 8)
    page.font('plain')
    y = Math.max(below, write(page, value, margin + nameWidth, y, layout.right - margin - nameWidth)) + 3
  }
  const bottom = layout.writeTable<Wheel>(
    page,
    [
      ...(ofSite ? [{ heading: texts.customer, width: 116, text: ({ customer }: Wheel) => customer }] : []),
      { heading: texts.vehicle, width: 76, text: ({ plate }) => formatPlate(plate) },
      { heading: texts.position, width: 50, text: ({ position }) => position },
      { heading: texts.tyre, text: ({ description, number }) => `${description}  #${number}` },
      { heading: texts.scrapped, width: 66, text: ({ scrapped }) => formatDate(scrapped) },
    ],
    wheels,
    { title: texts.tyres, startY: y + 16 },
  )
  layout.writeTerms(page, paper, bottom + 16)
  layout.writeFooters(page, paper, texts)
}
