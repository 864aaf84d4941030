/** The back office of a site that has no other: our own tables, where the document stands already, are its books. */
import { statement, type Database } from '../../../db/database.ts'
import { documentNumberOf } from '../documentColumns.sql.ts'
import type { BackOffice } from './port.ts'

const bookedUnder = statement(
  'backoffice.booked',
  `select ${documentNumberOf('d')} as reference
   from outbox o join document d on d.site_id = o.site_id and d.id = o.document_id where o.site_id = $1 and o.key = $2`,
)

/** Books by finding the document that was sent: its reference is its number. One that is not ours is refused. */
export const embeddedBackOffice = (database: Database): BackOffice => ({
  async book(document, signal) {
    signal.throwIfAborted()
    const found = await database.transaction({ site: document.site.id }, tx =>
      tx.maybe<{ reference: string }>(bookedUnder, [document.site.id, document.key]),
    )
    if (!found) throw new Error(`no document was made under the key ${document.key}`)
    return found.reference
  },
})
