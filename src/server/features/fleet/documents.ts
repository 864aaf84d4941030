/** Documents of a vehicle: their list, and each as a PDF. */
import { languages, type Language, type LanguageIso } from '#domain/people/account.ts'
import { Failure } from '#domain/failure.ts'
import { documentNumber, type PrintedDelivery, type PrintedDocument } from '../../printing/documents.ts'
import type { SitePaper } from '../../printing/paper.ts'
import { documentTexts } from '../../printing/documentTexts.ts'
import { Print, type PrintJob } from '../../printing/pool.ts'
import type { Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import type { Handlers } from '../handler.ts'
import type { KeptPayment } from '../invoicing/payment.ts'
import { languageIn, paperOf, photosOf } from '../papers/printed.ts'
import { printedPayment } from './payment.ts'
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
    if (who.warehouse && row.delivery === null) throw new Failure('session.forbidden')
    // the warehouse prints a delivery note for its customer
    const reader = row.delivery !== null && who.type === 'admin' ? languageIn(row.language, lang) : lang
    const paper = await paperOf(tx, site.id, reader)
    return new Print({
      kind: 'document',
      ...printedDocument(row, paper, reader, await photosOfNote(tx, site.id, row)),
      lang: reader,
    })
  },
}

/** The printed content of a document, in the reader's language. */
function printedDocument(
  row: Row<typeof documentById>,
  paper: SitePaper,
  reader: Language,
  { photos, morePhotos }: Awaited<ReturnType<typeof photosOf>> = { photos: [], morePhotos: 0 },
) {
  const { customer, lines, wheels, tyres, delivery, signature, payment, language: _, operation: __, ...rest } = row
  const note = delivery === null ? null : (JSON.parse(delivery) as Note)
  const document: PrintedDocument & Parameters<typeof documentTexts>[0] = {
    ...rest,
    customer: JSON.parse(customer),
    lines: JSON.parse(lines),
    wheels: JSON.parse(wheels),
    tyres: JSON.parse(tyres),
    paper,
    photos,
    payment: payment === null ? null : printedPayment(JSON.parse(payment) as KeptPayment, documentNumber(row), reader),
    delivery: note && { ...note, transport: note.transport[languages[reader]], signature },
  }
  return { document, texts: documentTexts({ ...document, morePhotos }, reader) }
}

/** The photos of a delivery note; none of any other document. */
const photosOfNote = async (tx: Tx, site: number, { type, operation }: Row<typeof documentById>) =>
  type === 'deliverynote' && operation !== null ? photosOf(tx, { site, operation }) : undefined

/** Several documents as they are printed, all in the reader's language. */
export async function printedDocuments(tx: Tx, scope: { site: number; documents: number[] }, reader: Language) {
  const paper = await paperOf(tx, scope.site, reader)
  return (await tx.rows(documentsById, scope)).map(row => printedDocument(row, paper, reader))
}

/** A document as it is sent to its customer; `null` for one that was withdrawn, or is another customer's. */
export async function documentToSend(
  tx: Tx,
  scope: { site: number; document: number; customer: number },
  reader: Language,
): Promise<PrintJob | null> {
  const row = await tx.maybe(documentById, { ...scope, type: null })
  if (!row || row.withdrawn !== null) return null
  const paper = await paperOf(tx, scope.site, reader)
  const photos = await photosOfNote(tx, scope.site, row)
  return { kind: 'document', ...printedDocument(row, paper, reader, photos), lang: reader }
}
