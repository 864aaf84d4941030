/** The stock at the end of a day (docs/product/warehouse.md "Stock statement"). */
import { today } from '#domain/texts/date.ts'
import { Failure } from '#domain/failure.ts'
import { Print } from '../../printing/pool.ts'
import { maxPrintedLines } from '../../printing/statement.ts'
import type { Context, Handlers } from '../handler.ts'
import { customerOf } from '../customers/customers.ts'
import { statementJob } from './printed.ts'
import * as sql from './stock.sql.ts'

/** @throws Failure `stock.date_ahead` for a day that has not begun */
function refuseAhead({ input, site, now }: Pick<Context<{ date: string }, 'anyone'>, 'input' | 'site' | 'now'>): void {
  const last = today({ now, timeZone: site.timeZone })
  if (input.date > last) throw new Failure('stock.date_ahead', { last })
}

export const stock: Handlers['stock'] = {
  statement(context) {
    refuseAhead(context)
    const { input, tx, who, site } = context
    const customer = customerOf(who, input.seq_id)
    const parameters = { site: site.id, date: input.date, list: input.list, places: who.type !== 'user' }
    return customer === null
      ? tx.single.json(sql.statementOfSite, parameters)
      : tx.single.json(sql.statementOfCustomer, { ...parameters, customer })
  },

  async statementpdf(context) {
    refuseAhead(context)
    const { input, tx, who, site, lang } = context
    const customer = customerOf(who, input.seq_id)
    // administrators print for the customer
    const reader = who.type === 'admin' && customer !== null ? null : lang
    const { lines, job } = await statementJob(tx, { site: site.id, date: input.date, customer, lang: reader })
    if (lines > maxPrintedLines) throw new Failure('stock.too_many', { most: maxPrintedLines })
    return new Print(job)
  },
}
