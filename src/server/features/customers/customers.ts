/** The customers of a site: managed by its administrators, exchanged with other systems as CSV. */
import { csvFile } from '#domain/texts/cell.ts'
import { Failure } from '#domain/failure.ts'
import { nameKey } from '#domain/texts/letters.ts'
import { maxRefusedLines } from '#contract/customers.ts'
import { searchWords } from '../../db/search.ts'
import type { Tx } from '../../db/database.ts'
import type { Handlers, Who } from '../handler.ts'
import { sheetRows } from '../imports/import.file.ts'
import { matchSheet } from '../imports/matching.ts'
import { readSheet } from '../imports/sheet.ts'
import { translateMessage } from '../imports/import.messages.ts'
import { FileRefused, type Message } from '../imports/import.refused.ts'
import { importRows } from '../imports/import.ts'
import { recordSecurityEvent } from '../security/record.ts'
import { requireFresh } from '../security/fresh.ts'
import { accounts } from './accounts.ts'
import {
  addCustomer,
  changeCustomer,
  customerById,
  everyCustomer,
  exportedColumns,
  fieldNames,
  customerToChange,
  lockCodes,
  otherCodes,
  pageOfCustomers,
  type Field,
  type Fields,
} from './customers.sql.ts'

/**
 * The customer of a call: for a customer's account its own, for an administrator the one that the call names, if any. Another
 * customer that a customer's account names is as missing as one that does not exist.
 */
export function customerOf(who: Who, named: number | undefined): number | null {
  if (who.type !== 'user') return named ?? null
  if (named !== undefined && named !== who.customer) throw new Failure('record.missing')
  return who.customer
}

/** Each field as it was entered, or else as `current` has it. */
const fieldsOf = (entered: { readonly [F in Field]?: Fields[F] | undefined }, current: Fields = nothing): Fields =>
  Object.fromEntries(
    fieldNames.map(field => [field, entered[field] === undefined ? current[field] : entered[field]]),
  ) as Fields
const nothing: Fields = {
  code: '',
  name: '',
  companyname: '',
  street: '',
  zipcode: '',
  city: '',
  email: '',
  min_tread_summer: null,
  min_tread_winter: null,
  presume_mounts: null,
}

/**
 * Codes that look equal are one code, as the import compares them (docs/product/files.md "Imports"). The unique index of the table holds
 * capitals only: codes from before may look equal.
 * @throws Failure `customer.code_taken`; `server.busy` while an import of customers runs
 */
async function requireFreeCode(tx: Tx, site: number, customer: number | null, code: string): Promise<void> {
  const key = nameKey(code)
  if (key === '') return
  const { locked } = await tx.one(lockCodes, { site })
  if (!locked) throw new Failure('server.busy', { seconds: 5 })
  const others = await tx.rows(otherCodes, { site, customer })
  if (others.some(other => nameKey(other.code) === key)) throw new Failure('customer.code_taken')
}

export const customers: Handlers['customers'] = {
  ...accounts,

  list: ({ input, tx, site }) =>
    tx.json(pageOfCustomers, {
      site: site.id,
      words: searchWords(input.search ?? ''),
      last: input.last_customer ?? null,
    }),

  customer: ({ input, tx, site }) => tx.json(customerById, { site: site.id, customer: input.seq_id }),

  async save({ input, tx, who, site, now, request }) {
    const { seq_id: customer } = input
    if (customer === undefined) {
      await requireFreeCode(tx, site.id, null, input.code ?? '')
      const { id } = await tx.one(addCustomer, { ...fieldsOf(input), site: site.id, actor: who.account, now })
      return tx.json(customerById, { site: site.id, customer: id })
    }
    const current = await tx.one(customerToChange, { site: site.id, customer })
    const changed = fieldNames.filter(field => input[field] !== undefined && input[field] !== current[field])
    if (changed.length > 0) {
      const fields = fieldsOf(input, current)
      if (changed.includes('code')) await requireFreeCode(tx, site.id, customer, fields.code)
      await tx.run(changeCustomer, { ...fields, site: site.id, customer, actor: who.account, now, changed })
      request.notify(customer)
    }
    return tx.json(customerById, { site: site.id, customer })
  },

  async export(context) {
    requireFresh(context)
    const { tx, site } = context
    const rows = await tx.rows(everyCustomer, { site: site.id })
    await recordSecurityEvent(context, { kind: 'exported', facts: { what: 'customers' } })
    return { csv: csvFile([exportedColumns, ...rows.map(row => exportedColumns.map(column => row[column]))]) }
  },

  async import({ input, tx, who, site, now, lang }) {
    const lines: { line: number; reason: string }[] = []
    const notes: string[] = []
    const remark = (message: Message) => void notes.push(translateMessage(lang, message))
    try {
      // frees the connection for others while the file is read
      await tx.commit()
      const sheet = await readSheet(Buffer.from(input.csv))
      const request = {
        kind: 'customers',
        site,
        source: sheetRows(sheet, matchSheet('customers', sheet, remark)),
        name: input.name ?? '',
        lang,
        account: who.account,
        dryRun: input.dryRun,
        now,
      } as const
      const { import: _, ...outcome } = await importRows(tx, request, {
        rowRefused: (line, reason) => void (lines.length < maxRefusedLines && lines.push({ line, reason })),
        rowAdjusted: (line, text) => void notes.push(`${line}: ${text}`),
        remark: text => void notes.push(text),
        progress() {},
      })
      return { ...outcome, lines, notes }
    } catch (error) {
      if (error instanceof FileRefused)
        throw new Failure('import.unusable', { reason: translateMessage(lang, error.reason) })
      throw error
    }
  },
}
