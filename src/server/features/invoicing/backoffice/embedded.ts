/** The back office of a site that has no other: the portal's own tables, which have the document already. */
import type { Database } from '../../../db/database.ts'
import { statement } from '../../../db/statement.ts'
import { int, text, uuid } from '../../../db/types.ts'
import { documentNumberOf } from '../documentColumns.sql.ts'
import type { BackOffice } from './port.ts'

const bookedUnder = statement({
  name: 'backoffice.booked',
  parameters: { site: int, key: uuid },
  row: { reference: text },
  sql: `select ${documentNumberOf('d')} as reference
   from outbox o join document d on d.site_id = o.site_id and d.id = o.document_id where o.site_id = :site and o.key = :key`,
})

/** Books by finding the document that was sent: its reference is its number. Refuses one that the portal did not make. */
export const embeddedBackOffice = (database: Database): BackOffice => ({
  async book(document, signal) {
    signal.throwIfAborted()
    const found = await database.transaction({ site: document.site.id }, tx =>
      tx.maybe(bookedUnder, { site: document.site.id, key: document.key }),
    )
    if (!found) throw new Error(`there is no document with the key ${document.key}`)
    return found.reference
  },
})
