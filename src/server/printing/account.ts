/**
 * The debts of a customer, as PDF: a statement of account (docs/product/money.md "Paid or not"). All lengths are points.
 */
import type { Readable } from 'node:stream'
import { formatDate } from '#domain/texts/date.ts'
import type { Language } from '#domain/people/account.ts'
import { writeFooters, writeHead, writeNotes, type PrintedInvoice } from './invoices.ts'
import { locales, margin, openPaper, right, room, write, writeTable } from './paper.ts'
import { writeHowToPay } from './payment.ts'

export type PrintedAccount = Pick<
  PrintedInvoice,
  'number' | 'facts' | 'seller' | 'sellerNumbers' | 'buyer' | 'payment'
> & {
  /** Above the invoices. */
  readonly paragraphs: readonly string[]
  readonly invoices: readonly {
    readonly number: string
    readonly issued: string
    readonly due: string
    readonly gross: number
    readonly open: number
  }[]
  /** Amounts in EUR that come to the sum of them, or go from it. */
  readonly extras: readonly { readonly text: string; readonly amount: number }[]
  readonly total: number
}
export type AccountTexts = Readonly<
  Record<
    'title' | 'customer' | 'invoice' | 'date' | 'due' | 'gross' | 'open' | 'total' | 'payment' | 'qr' | 'page',
    string
  >
>

export const printAccount = (account: PrintedAccount, texts: AccountTexts, lang: Language): Readable =>
  openPaper(`${texts.title} ${account.number}`, page => {
    const money = new Intl.NumberFormat(locales[lang], { style: 'currency', currency: 'EUR' })
    let y = writeHead(page, account, texts) + 20
    page.fontSize(10)
    y = writeNotes(page, { notes: account.paragraphs }, y) + 8
    y = writeTable(
      page,
      [
        { heading: texts.invoice, text: ({ number }) => number },
        { heading: texts.date, width: 74, text: ({ issued }) => formatDate(issued) },
        { heading: texts.due, width: 74, text: ({ due }) => formatDate(due) },
        { heading: texts.gross, width: 90, text: ({ gross }) => money.format(gross) },
        { heading: texts.open, width: 90, text: ({ open }) => money.format(open) },
      ],
      account.invoices,
      { title: '', startY: y },
    )
    y = room(page, y + 4, 16 * (account.extras.length + 1))
    page.fontSize(9)
    for (const { text, amount } of account.extras) {
      write(page, text, margin, y, 380)
      write(page, money.format(amount), 400, y, right - 400, 'right')
      y += 14
    }
    page.font('bold').fontSize(11)
    write(page, texts.total, margin, y + 4, 300)
    write(page, money.format(account.total), 360, y + 4, right - 360, 'right')
    page.font('plain').fontSize(9)
    if (account.payment) writeHowToPay(page, account.payment, texts, y + 28)
    writeFooters(page, `${texts.title} ${account.number}`, texts)
  })
