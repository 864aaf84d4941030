/** Reads what is printed on a PDF. */
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
