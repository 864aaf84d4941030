/** A stock statement as it is printed. */
import type { Language } from '#domain/people/account.ts'
import type { Tx } from '../../db/database.ts'
import { statementTexts } from '../../printing/documentTexts.ts'
import type { PrintJob } from '../../printing/pool.ts'
import type { PrintedStatement } from '../../printing/statement.ts'
import { languageIn, paperOf } from '../papers/printed.ts'
import * as sql from './stock.sql.ts'

type Asked = {
  readonly site: number
  readonly date: string
  /** Whose wheels; null for those of the whole site. */
  readonly customer: number | null
  /** The language of the reader; null for that of the customer. */
  readonly lang: Language | null
}

/** The print of a stock statement, and its number of lines. That of one customer shows no places. @throws Failure `record.missing` */
export async function statementJob(
  tx: Tx,
  { site, date, customer, lang }: Asked,
): Promise<{ lines: number; job: PrintJob }> {
  const row =
    customer === null
      ? { ...(await tx.one(sql.printedOfSite, { site, date, places: true })), customer: null }
      : await tx.one(sql.printedOfCustomer, { site, date, customer, places: false })
  const reader = lang ?? languageIn(row.language, 'eng')
  const statement: PrintedStatement = {
    site: row.site,
    email: row.email,
    wheels: row.wheels,
    date,
    plate: null,
    vehicle: '',
    customer: row.customer === null ? null : (JSON.parse(row.customer) as PrintedStatement['customer']),
    sets: JSON.parse(row.sets) as PrintedStatement['sets'],
    paper: await paperOf(tx, site, reader),
  }
  return {
    lines: statement.sets.length,
    job: { kind: 'statement', statement, texts: statementTexts(statement, reader) },
  }
}
