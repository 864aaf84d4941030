/** The sheet of commands: what the buttons of a card do, as barcodes to hang up (docs/product/warehouse.md "Commands by barcode"). */
import type { Readable } from 'node:stream'
// oxlint-disable-next-line import/no-named-as-default -- its types know the default only
import PDFDocument from 'pdfkit'
import { commandsPerPage } from '#domain/warehouse/label.ts'
import { penOn } from './pen.ts'

export type PrintedCommand = { readonly name: string; readonly barcode: string }

type Sheet = { readonly commands: readonly PrintedCommand[]; readonly title: string; readonly now: Date }

/** A4, in mm. */
const page = { width: 210, height: 297 }
const pointsPerMm = 72 / 25.4
const cell = { width: 95, height: 65 }
const corner = { x: 10, y: 32 }

/** As many pages as they need; the codes are far enough apart that a scanner reads only the one it is held at. */
export function printCommands({ commands, title, now }: Sheet): Readable {
  const document = new PDFDocument({
    margin: 0,
    size: [page.width * pointsPerMm, page.height * pointsPerMm],
    info: { Title: title, CreationDate: now },
  })
  const pen = penOn(document)
  for (const [at, { name, barcode }] of commands.entries()) {
    const nth = at % commandsPerPage
    if (nth === 0) {
      if (at > 0) document.addPage()
      document.scale(pointsPerMm)
      pen.text(title, { ...corner, y: 12, width: 190, height: 12 }, { face: 'bold', maxSize: 9, maxLines: 1 })
    }
    const x = corner.x + (nth % 2) * cell.width
    const y = corner.y + Math.floor(nth / 2) * cell.height
    pen.frame({ x, y, width: cell.width - 4, height: cell.height - 4 }, 'white')
    pen.barcode(barcode, { x: x + 20, y: y + 1 }, 12)
    const below = { x: x + 3, y: y + 50, width: cell.width - 10, height: 10 }
    pen.text(name, below, { face: 'bold', maxSize: 9, maxLines: 1, align: 'center', verticalAlign: 'middle' })
  }
  document.end()
  return document as unknown as Readable
}
