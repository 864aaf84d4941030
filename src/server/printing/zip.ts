/** Many documents as one ZIP, each a PDF of its own. One is drawn after the other, and its bytes go out as they are made. */
import { Readable } from 'node:stream'
import { Zip, ZipPassThrough } from 'fflate'
import type { Language } from '#domain/people/account.ts'
import type { ArchivedDocument } from './archive.ts'
import { documentNumber, printDocument, type PrintedDocument } from './documents.ts'

/** The documents under their numbers and customers. They are stored as they are: the pages of a PDF are compressed already. */
export const zipDocuments = (documents: readonly ArchivedDocument[], lang: Language): Readable =>
  Readable.from(chunksOf(documents, lang), { objectMode: false })

async function* chunksOf(documents: readonly ArchivedDocument[], lang: Language): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    chunks.push(chunk)
  })
  for (const { document, texts } of documents) {
    const entry = new ZipPassThrough(fileName(document))
    entry.mtime = new Date(`${document.date}T12:00:00`)
    zip.add(entry)
    for await (const chunk of printDocument(document, texts, lang) as AsyncIterable<Uint8Array>) {
      entry.push(chunk)
      yield* chunks.splice(0)
    }
    entry.push(new Uint8Array(0), true)
  }
  zip.end()
  yield* chunks.splice(0)
}

/** `W-2026-00012 Garage Alfa.pdf`, without what a file system refuses. */
function fileName(document: PrintedDocument): string {
  const { company, name } = document.customer
  const whose = (company || name)
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N} .,&()'’-]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 80)
    .trim()
  const letters = [...`${documentNumber(document)} ${whose}`]
  const last = letters.findLastIndex(letter => letter !== '.' && letter !== ' ')
  return `${letters.slice(0, last + 1).join('')}.pdf`
}
