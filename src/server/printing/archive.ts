/** Many documents as one PDF, each from a page of its own, with its own page numbers. */
import type { Readable } from 'node:stream'
import { setImmediate as nextTick } from 'node:timers/promises'
// oxlint-disable-next-line import/no-named-as-default -- the types know the class as the default only
import PDFDocument from 'pdfkit'
import type { Language } from '#domain/people/account.ts'
import { drawDocument, type PrintedDocument } from './documents.ts'
import type { DocumentTexts } from './documentTexts.ts'
import { registerFonts } from './fonts.ts'
import { margin } from './paper.ts'

/** A document and its texts. */
export type ArchivedDocument = { readonly document: PrintedDocument; readonly texts: DocumentTexts }

/** The documents on A4 in the reader's language. Pages are written as they are drawn. */
export function printDocuments(documents: readonly ArchivedDocument[], lang: Language): Readable {
  const page = new PDFDocument({
    size: 'A4',
    margin,
    autoFirstPage: false,
    bufferPages: true,
    info: { Title: 'Wheelhouse', Creator: 'Wheelhouse' },
  })
  registerFonts(page)
  // pdfkit's types don't say that it is a stream
  const stream = page as unknown as Readable
  const drawAll = async (): Promise<void> => {
    for (const { document, texts } of documents) {
      page.addPage()
      drawDocument(page, document, texts, lang)
      page.flushPages()
      // the drawn pages are readable, and the reader can cancel
      await nextTick()
      if (stream.destroyed) return
    }
    page.end()
  }
  drawAll().catch((error: Error) => stream.destroy(error))
  return stream
}
