/** Documents of a vehicle: their list, and each as a PDF. */
import { documentTexts } from '../../printing/documentTexts.ts'
import { Print } from '../../printing/pool.ts'
import type { Handlers } from '../handler.ts'
import { documentById, documentsOfVehicle } from './documents.sql.ts'

export const documents: Pick<Handlers['fleet'], 'history' | 'historydocument'> = {
  history: ({ input, tx, who, site }) =>
    tx.single.json(documentsOfVehicle, { site: site.id, vehicle: input.flt_id, customer: who.customer }),

  async historydocument({ input, tx, who, site, lang }) {
    const type = input.doctype === 'sales_document' ? null : (input.doctype ?? null)
    const row = await tx.one(documentById, { site: site.id, document: input.db_id, type, customer: who.customer })
    const { customer, lines, tyres } = row
    const document = {
      ...row,
      customer: JSON.parse(customer),
      lines: JSON.parse(lines),
      tyres: JSON.parse(tyres),
    }
    return new Print({ kind: 'document', document, texts: documentTexts(document, lang), lang })
  },
}
