/** Reads the text on a PDF. */
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

export const openPdf = (pdf: Buffer) => getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise

/** The text of each page of a PDF, in base64 or as bytes, each on one line. */
export async function textOfPages(pdf: Buffer | string): Promise<string[]> {
  const document = await openPdf(typeof pdf === 'string' ? Buffer.from(pdf, 'base64') : pdf)
  return Promise.all(
    Array.from({ length: document.numPages }, async (_, nth) => {
      const { items } = await (await document.getPage(nth + 1)).getTextContent()
      return items
        .map(item => ('str' in item ? item.str : ''))
        .join(' ')
        .replaceAll(/\s+/g, ' ')
    }),
  )
}

/** All that stands on a PDF, on one line. */
export const textOf = async (pdf: Buffer | string): Promise<string> => (await textOfPages(pdf)).join(' ')

/** Where a text is printed, in points from the left and from below: the height of its small letters, without what stands out of a line. */
type Box = { text: string; left: number; right: number; bottom: number; top: number }

/** The texts of a PDF that lie over another, or beyond the edge of their sheet. */
export async function misprints(pdf: Buffer): Promise<string[]> {
  const document = await openPdf(pdf)
  const overlaps = new Set<string>()
  for (let nth = 1; nth <= document.numPages; nth++) {
    const page = await document.getPage(nth)
    const [, , sheetWidth = 0, sheetHeight = 0] = page.view
    const { items } = await page.getTextContent()
    const boxes = items.flatMap((item): Box[] => {
      if (!('str' in item) || item.str.trim() === '') return []
      const [, , , , left = 0, bottom = 0] = item.transform as number[]
      return [{ text: item.str, left, right: left + item.width, bottom, top: bottom + item.height * 0.5 }]
    })
    for (const [at, box] of boxes.entries()) {
      if (box.left < 0 || box.right > sheetWidth + 1 || box.bottom < 0 || box.top > sheetHeight)
        overlaps.add(`${box.text} is beyond sheet ${nth}`)
      for (const other of boxes.slice(at + 1)) {
        const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left)
        const high = Math.min(box.top, other.top) - Math.max(box.bottom, other.bottom)
        if (wide > 2 && high > 1) overlaps.add(`${box.text} lies over ${other.text} on sheet ${nth}`)
      }
    }
  }
  return [...overlaps]
}
