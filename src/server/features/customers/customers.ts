/** The customers of a site: kept by its administrators, exchanged with other books as CSV (DESIGN §5). */
import { csvToImport } from '#domain/cell.ts'
import { Failure } from '#domain/failure.ts'
import { refusedAtMost } from '#contract/customers.ts'
import { accounts } from './accounts.ts'
import {
  addCustomer,
  changeCustomer,
  customerById,
  everyCustomer,
  lockCustomer,
  pageOfCustomers,
  typedColumns,
} from './customers.sql.ts'
import type { Handlers, Who } from '../handler.ts'
import { contentOfText, inWords, takeIn, UnusableFile } from '../imports/import.take.ts'
import { wordsOf } from '../../db/search.ts'

/**
 * The customer that a call is about: a customer's account its own, an administrator the one named, if any (SPEC §6). Another
 * customer named by a customer's account is as missing as one that does not exist.
 */
export function customerOf(who: Who, asked: number | undefined): number | null {
  if (who.type !== 'user') return asked ?? null
  if (asked !== undefined && asked !== who.customer) throw new Failure('record.missing')
  return who.customer
}

type Field = keyof typeof typedColumns
const fields = Object.keys(typedColumns) as Field[]

export const customers: Handlers['customers'] = {
  ...accounts,

  list: ({ input, tx, site }) =>
    tx.json(pageOfCustomers, [site.id, wordsOf(input.search ?? ''), input.last_customer ?? null]),

  customer: ({ input, tx, site }) => tx.json(customerById, [site.id, input.seq_id]),

  async save({ input, tx, who, site, now, request }) {
    const { seq_id } = input
    if (seq_id === undefined) {
      const values = fields.map(field => input[field] ?? '')
      const { id } = await tx.one<{ id: number }>(addCustomer, [site.id, ...values, who.account, now])
      return tx.json(customerById, [site.id, id])
    }
    const kept = await tx.one<Record<Field, string>>(lockCustomer, [site.id, seq_id])
    const changed = fields.filter(field => input[field] !== undefined && input[field] !== kept[field])
    if (changed.length > 0) {
      const values = fields.map(field => input[field] ?? kept[field])
      await tx.rows(changeCustomer, [site.id, seq_id, ...values, who.account, now, changed])
      request.notify(seq_id)
    }
    return tx.json(customerById, [site.id, seq_id])
  },

  async export({ tx, site }) {
    const rows = await tx.rows<Record<string, string>>(everyCustomer, [site.id])
    const columns = Object.values(typedColumns)
    return { csv: csvToImport([columns, ...rows.map(row => columns.map(column => row[column]))]) }
  },

  async import({ input, tx, who, site, now, lang }) {
    const lines: { line: number; reason: string }[] = []
    const notes: string[] = []
    const asked = {
      kind: 'customers',
      site: site.id,
      content: contentOfText(input.csv),
      name: input.name ?? '',
      lang,
      account: who.account,
      dryRun: input.dryRun,
      now,
    } as const
    try {
      const outcome = await takeIn(tx, asked, {
        refused: (line, reason) => void (lines.length < refusedAtMost && lines.push({ line, reason })),
        noted: (line, text) => void notes.push(`${line}: ${text}`),
        said: text => void notes.push(text),
        progress() {},
      })
      return { ...outcome, lines, notes }
    } catch (error) {
      if (error instanceof UnusableFile) throw new Failure('import.unusable', { reason: inWords(lang, error.why) })
      throw error
    }
  },
}
