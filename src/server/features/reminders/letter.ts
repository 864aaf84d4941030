/** The letter of a reminder as it is printed and sent (docs/product/money.md "Reminders"). */
import type { Language } from '#domain/people/account.ts'
import { hundredths } from '#domain/money/invoice.ts'
import { formatDate } from '#domain/texts/date.ts'
import type { Tx } from '../../db/database.ts'
import type { PrintJob } from '../../printing/pool.ts'
import { translate } from '../../texts/texts.ts'
import { accountTexts, howToPay, partiesOf } from '../payments/statement.ts'
import * as sql from './reminders.sql.ts'

/**
 * The print of a letter. `lang`: the language of its reader; null for that of the customer, in which its text was chosen. `customer`: the only one
 * whose it may be. @throws Failure `record.missing`
 */
export async function letterJob(
  tx: Tx,
  {
    site,
    reminder,
    customer,
    lang,
  }: { site: number; reminder: number; customer: number | null; lang: Language | null },
): Promise<PrintJob> {
  const letter = await tx.one(sql.letterById, { site, reminder, customer })
  const reader = lang ?? letter.language
  const t = (key: string, facts: Record<string, unknown> = {}) => translate(reader, 'reminders', `print.${key}`, facts)
  const parties = await partiesOf(tx, { site, customer: letter.customer, lang: reader })
  const extras = [
    { text: t('fee'), amount: letter.fee },
    { text: t('interest', { date: formatDate(letter.day) }), amount: letter.interest },
    { text: t('compensation'), amount: letter.compensation },
  ].filter(({ amount }) => amount > 0)
  const total = letter.open + letter.fee + letter.interest + letter.compensation
  return {
    kind: 'account',
    account: {
      ...parties,
      number: formatDate(letter.day),
      facts: parties.code === '' ? [] : [translate(reader, 'payments', 'print.code', { code: parties.code })],
      paragraphs: letter.text === '' ? [t('text')] : [letter.text],
      invoices: letter.invoices,
      extras,
      total,
      payment: howToPay(parties, {
        cents: hundredths(total),
        remittance: letter.invoices
          .map(({ number }) => number)
          .join(' ')
          .slice(0, 140),
        lang: reader,
      }),
    },
    texts: accountTexts(reader, t('title', { level: letter.level })),
    lang: reader,
  }
}
