import { describe, expect, test } from 'vitest'
import { type BankLine, type Books, isMatched, matchLines, type PayableInvoice } from './bankMatch.ts'
import { formatCommunication, structuredCommunication } from './paymentReference.ts'

const [alfa, beta, gamma] = [1, 2, 3]
const ogm = (base: number) => structuredCommunication(base)
const invoice = (id: number, customer: number, open: number, change: Partial<PayableInvoice> = {}): PayableInvoice => ({
  id,
  customer,
  number: `F-2026-${String(id).padStart(5, '0')}`,
  reference: ogm(id),
  issued: '2026-10-31',
  due: '2026-11-30',
  open,
  ...change,
})
const invoices = [
  invoice(11, alfa, 121_00),
  invoice(12, alfa, 60_50),
  invoice(13, alfa, 0),
  invoice(21, beta, 121_00),
  invoice(22, beta, 121_00),
  invoice(31, gamma, 99_99),
]
const [fromAlfa, fromBeta, fromGamma, fromNobody] = [
  'BE68539007547034',
  'NL91ABNA0417164300',
  'FR1420041010050500013M02606',
  'DE89370400440532013000',
]
const books: Books = {
  invoices,
  accounts: [
    { account: fromAlfa, customer: alfa },
    { account: fromBeta, customer: beta },
    { account: fromGamma, customer: gamma },
  ],
  names: [
    { name: 'Garage Alfa', customer: alfa },
    { name: 'Lease Beta', customer: beta },
    { name: 'Gamma Taxi', customer: gamma },
  ],
}
const line = (change: Partial<BankLine>): BankLine => ({
  amount: 121_00,
  currency: 'EUR',
  reversal: false,
  reference: '',
  message: '',
  payer: '',
  account: '',
  booked: '2026-11-15',
  ...change,
})

type Expected = string | Record<number, number>
/** The question, or the parts by invoice, with what is left over as 0. */
function outcomes(lines: readonly Partial<BankLine>[], from: Books = books): Expected[] {
  return matchLines(lines.map(line), from).map(outcome =>
    isMatched(outcome)
      ? Object.fromEntries([
          ...outcome.parts.map(part => [part.invoice, part.amount]),
          ...(outcome.rest > 0 ? [[0, outcome.rest]] : []),
        ])
      : outcome.question,
  )
}

const rf = 'RF57F202600011'

test.each<[string, Partial<BankLine>, Expected]>([
  // by reference
  ['a structured communication and its sum', { reference: ogm(11) }, { 11: 121_00 }],
  ['the same in what the payer wrote', { message: `Oct ${formatCommunication(ogm(11))}` }, { 11: 121_00 }],
  ["an invoice's number in any spelling", { message: 'fact. f 2026/00011, dank' }, { 11: 121_00 }],
  ['the number as a reference of ISO 11649', { reference: rf }, { 11: 121_00 }],
  ['two numbers and their sum', { message: 'F-2026-00011 + F-2026-00012', amount: 181_50 }, { 11: 121_00, 12: 60_50 }],
  ['both fields naming the same', { reference: ogm(11), message: 'F-2026-00011' }, { 11: 121_00 }],
  // parts, and too much
  ['a part, from the account of its customer', { reference: ogm(11), amount: 50_00, account: fromAlfa }, { 11: 50_00 }],
  [
    'a part, with the name of its customer',
    { reference: ogm(11), amount: 50_00, payer: 'GARAGE  ALFA' },
    { 11: 50_00 },
  ],
  ['a part, from an account that nobody knows', { reference: ogm(11), amount: 50_00, account: fromNobody }, 'amount'],
  ['too much', { reference: ogm(31), amount: 109_99, account: fromGamma }, { 31: 99_99, 0: 10_00 }],
  ['too much, by what another invoice is', { reference: ogm(11), amount: 181_50, account: fromAlfa }, 'amount'],
  ['another sum, which another invoice has', { reference: ogm(11), amount: 60_50, account: fromAlfa }, 'amount'],
  ['a part of two', { message: 'F-2026-00011 F-2026-00012', amount: 150_00, account: fromAlfa }, 'amount'],
  // wrong references
  ["another customer's account", { reference: ogm(11), account: fromBeta }, 'other_payer'],
  ["another customer's name", { reference: ogm(11), payer: 'Lease Beta' }, 'other_payer'],
  ['a mistyped reference', { reference: '000000001112', account: fromAlfa }, 'reference'],
  ['a mistyped one in the message', { message: '+++000/0000/01112+++', account: fromAlfa }, 'reference'],
  ['a reference of nobody', { reference: ogm(999), account: fromAlfa }, 'reference'],
  ['a reference of nobody beside a number', { reference: ogm(999), message: 'F-2026-00011' }, 'contradiction'],
  ['two references that differ', { reference: ogm(11), message: 'F-2026-00012' }, 'contradiction'],
  ['numbers of two customers', { message: 'F-2026-00011 F-2026-00031', amount: 220_99 }, 'contradiction'],
  ['an invoice that is paid', { reference: ogm(13), account: fromAlfa }, 'settled'],
  // by amount and account
  ['the account and the sum of one invoice', { account: fromAlfa }, { 11: 121_00 }],
  ['the account and the sum of all', { account: fromAlfa, amount: 181_50 }, { 11: 121_00, 12: 60_50 }],
  ['the account, and two invoices of this sum', { account: fromBeta }, 'twins'],
  ['the account and another sum', { account: fromAlfa, amount: 50_00 }, 'amount'],
  ['the sum before the invoice was issued', { account: fromAlfa, booked: '2026-10-30' }, 'settled'],
  ['the name and the sum alone', { payer: 'Gamma Taxi', amount: 99_99 }, 'unknown'],
  ['nothing that is known', { account: fromNobody, amount: 99_99 }, 'unknown'],
  // never by itself
  ['another currency', { reference: ogm(11), currency: 'GBP' }, 'currency'],
  ['a payment that is taken back', { reference: ogm(11), reversal: true }, 'reversal'],
])('%s', (_, change, expected) => {
  expect(outcomes([change])).toEqual([expected])
})

describe('lines of one file', () => {
  test('that pay an invoice twice: the second one is asked about', () => {
    expect(outcomes([{ reference: ogm(11) }, { reference: ogm(11) }])).toEqual([{ 11: 121_00 }, 'settled'])
  })

  test('that pay an invoice in parts: the last one pays it whole', () => {
    const parts = [40_00, 40_00, 41_00].map(amount => ({ reference: ogm(11), amount, account: fromAlfa }))
    expect(outcomes(parts)).toEqual([{ 11: 40_00 }, { 11: 40_00 }, { 11: 41_00 }])
  })

  test('teach an account', () => {
    const both = [
      { reference: ogm(11), account: fromNobody },
      { account: fromNobody, amount: 60_50 },
    ]
    expect(outcomes(both)).toEqual([{ 11: 121_00 }, { 12: 60_50 }])
    expect(outcomes(both.toReversed())).toEqual(['unknown', { 11: 121_00 }])
  })
})

test('an account from which several customers pay says nothing alone, and fits each of them', () => {
  const shared = { ...books, accounts: [alfa, gamma].map(customer => ({ account: fromAlfa, customer })) }
  expect(outcomes([{ account: fromAlfa, amount: 99_99 }], shared)).toEqual(['unknown'])
  expect(outcomes([{ account: fromAlfa, amount: 50_00, reference: ogm(31) }], shared)).toEqual([{ 31: 50_00 }])
})

test('what is proposed begins with what is named, then has the sum, and is not more than five', () => {
  const ask = (change: Partial<BankLine>) => matchLines([line(change)], books)[0]
  expect(ask({ reference: ogm(11), amount: 60_50, account: fromAlfa })).toEqual({
    question: 'amount',
    proposals: [11, 12],
  })
  expect(ask({})).toEqual({ question: 'unknown', proposals: [11, 21, 22] })
  expect(ask({ account: fromBeta })).toEqual({ question: 'twins', proposals: [21, 22] })
  const many = { ...books, invoices: Array.from({ length: 9 }, (_, nth) => invoice(100 + nth, beta, 10_00)) }
  expect(matchLines([line({ amount: 10_00 })], many)[0]).toMatchObject({ proposals: [100, 101, 102, 103, 104] })
})
