/** Documents of a vehicle: their list, and each as a PDF. */
import { languageCodes, languages, type Language, type LanguageIso } from '#domain/account.ts'
import type { PrintedDelivery, PrintedDocument } from '../../printing/documents.ts'
import { documentTexts } from '../../printing/documentTexts.ts'
import { Print } from '../../printing/pool.ts'
import type { Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import type { Handlers } from '../handler.ts'
import { documentById, documentsById, documentsOfVehicle } from './documents.sql.ts'

/** A delivery note as it is stored. */
type Note = Omit<PrintedDelivery, 'transport' | 'signature'> & {
  readonly transport: Readonly<Record<LanguageIso, string>>
}

export const documents: Pick<Handlers['fleet'], 'history' | 'historydocument'> = {
  history: ({ input, tx, who, site }) =>
    tx.single.json(documentsOfVehicle, { site: site.id, vehicle: input.flt_id, customer: who.customer }),

  async historydocument({ input, tx, who, site, lang }) {
    const type = input.doctype === 'sales_document' ? null : (input.doctype ?? null)
    const row = await tx.one(documentById, { site: site.id, document: input.db_id, type, customer: who.customer })
    // the warehouse prints a delivery note for its customer
    const reader =
      row.delivery !== null && who.type === 'admin' ? (languageCodes.find(code => code === row.language) ?? lang) : lang
    return new Print({ kind: 'document', ...printedDocument(row, reader), lang: reader })
  },
}

/** What is printed of a document, in the reader's language. */
function printedDocument(row: Row<typeof documentById>, reader: Language) {
  const { customer, lines, tyres, delivery, signature, language: _, ...rest } = row
  const note = delivery === null ? null : (JSON.parse(delivery) as Note)
  const document: PrintedDocument & Parameters<typeof documentTexts>[0] = {
    ...rest,
    customer: JSON.parse(customer),
    lines: JSON.parse(lines),
    tyres: JSON.parse(tyres),
    delivery: note && { ...note, transport: note.transport[languages[reader]], signature },
  }
  return { document, texts: documentTexts(document, reader) }
}

/** Several documents as they are printed, all in the reader's language. */
export const printedDocuments = async (tx: Tx, of: { site: number; documents: number[] }, reader: Language) =>
  (await tx.rows(documentsById, of)).map(row => printedDocument(row, reader))
