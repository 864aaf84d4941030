/** Documents of a vehicle: their list, and each as a PDF. */
import { languageCodes, languages, type LanguageIso } from '#domain/account.ts'
import type { PrintedDelivery } from '../../printing/documents.ts'
import { documentTexts } from '../../printing/documentTexts.ts'
import { Print } from '../../printing/pool.ts'
import type { Handlers } from '../handler.ts'
import { documentById, documentsOfVehicle } from './documents.sql.ts'

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
    const { customer, lines, tyres, delivery, signature, language, ...rest } = row
    const note = delivery === null ? null : (JSON.parse(delivery) as Note)
    // the warehouse prints a delivery note for its customer
    const reader = note && who.type === 'admin' ? (languageCodes.find(code => code === language) ?? lang) : lang
    const document = {
      ...rest,
      customer: JSON.parse(customer),
      lines: JSON.parse(lines),
      tyres: JSON.parse(tyres),
      delivery: note && { ...note, transport: note.transport[languages[reader]], signature },
    }
    return new Print({ kind: 'document', document, texts: documentTexts(document, reader), lang: reader })
  },
}
