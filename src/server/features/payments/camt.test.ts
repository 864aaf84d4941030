/** Bank statements of several versions, and files that are none (docs/money.md "A bank file"). */
import { describe, expect, test } from 'vitest'
import { Failure } from '#domain/failure.ts'
import { camtFile, type CamtEntry } from '../../testing/statements.ts'
import { readCamt } from './camt.ts'

const payment = {
  payer: 'Garage "Alfa" & Sons',
  account: 'NL91ABNA0417164300',
  reference: '000000000101',
  message: 'Invoice of October',
}
const refusalOf = (file: Buffer | string) => {
  try {
    readCamt(Buffer.from(file))
    return null
  } catch (error) {
    if (error instanceof Failure) return { code: error.code, ...error.facts }
    throw error
  }
}

describe('a line', () => {
  test.each(['02', '04', '08'] as const)('is read the same from version %s', version => {
    const { lines, skipped } = readCamt(camtFile([{ amount: '1234.50', payments: [payment] }], { version }))
    expect(skipped).toBe(0)
    expect(lines).toEqual([
      {
        key: expect.any(Buffer),
        account: 'BE68539007547034',
        booked: '2026-11-15',
        amount: 123_450,
        currency: 'EUR',
        reversal: false,
        reference: '000000000101',
        message: 'Invoice of October',
        payer: 'Garage "Alfa" & Sons',
        payerAccount: 'NL91ABNA0417164300',
      },
    ])
    const [newest] = readCamt(camtFile([{ amount: '1234.50', payments: [payment] }])).lines
    expect(lines[0]?.key).toEqual(newest?.key)
  })

  test.each([
    ['121', 12_100],
    ['0.5', 50],
    ['99.90000', 9990],
  ])('of %s has %i cents', (amount, cents) => {
    expect(readCamt(camtFile([{ amount }])).lines[0]?.amount).toBe(cents)
  })

  test('of money that goes out, or is not booked yet, is skipped; one that the bank takes back is not', () => {
    const entries: CamtEntry[] = [
      { amount: '10.00', direction: 'DBIT' },
      { amount: '11.00', status: 'PDNG' },
      { amount: '12.00', direction: 'CRDT', reversal: true },
      { amount: '13.00', direction: 'DBIT', reversal: true },
      { amount: '14.00', reversal: false },
    ]
    const { lines, skipped } = readCamt(camtFile(entries))
    expect(skipped).toBe(3)
    expect(lines.map(({ amount, reversal }) => [amount, reversal])).toEqual([
      [1300, true],
      [1400, false],
    ])
  })

  test('of several payments is one for each, when the bank says their amounts', () => {
    const parts = [
      { amount: '70.00', message: 'one' },
      { amount: '30.00', message: 'other' },
    ]
    for (const version of ['02', '08'] as const)
      expect(readCamt(camtFile([{ amount: '100.00', payments: parts }], { version })).lines).toMatchObject([
        { amount: 7000, message: 'one' },
        { amount: 3000, message: 'other' },
      ])
    const unlike = parts.map(part => ({ ...part, amount: '70.00', payer: 'Somebody', account: payment.account }))
    expect(readCamt(camtFile([{ amount: '100.00', payments: unlike }])).lines).toMatchObject([
      { amount: 10_000, message: 'one other', payer: '', payerAccount: '' },
    ])
  })

  test('that names several references has all of them in its message', () => {
    const [line] = readCamt(
      camtFile([{ amount: '1.00', payments: [{ references: ['000000000101', '000000000202'] }] }]),
    ).lines
    expect(line).toMatchObject({ reference: '', message: '+++000/0000/00101+++ +++000/0000/00202+++' })
  })
})

describe('the key of a line', () => {
  const keys = (entries: readonly CamtEntry[], options?: Parameters<typeof camtFile>[1]) =>
    readCamt(camtFile(entries, options)).lines.map(({ key }) => key.toString('hex'))
  const entry = { amount: '121.00', payments: [payment] }

  test('tells twins of one file apart, in every file that has both', () => {
    const twins = keys([entry, entry])
    expect(new Set(twins).size).toBe(2)
    expect(keys([{ amount: '1.00' }, entry, entry]).slice(1)).toEqual(twins)
  })

  test('is the same in files of other periods when the bank numbers it, else in those of the same statement', () => {
    const numbered = { ...entry, bank: 'B-1' }
    expect(keys([numbered], { id: 'A' })).toEqual(keys([numbered], { id: 'B' }))
    expect(keys([entry], { id: 'A' })).not.toEqual(keys([entry], { id: 'B' }))
  })

  test.each<Partial<CamtEntry>>([
    { amount: '121.01' },
    { booked: '2026-11-16' },
    { bank: 'B-2' },
    { currency: 'USD' },
    { payments: [{ ...payment, message: 'Invoice of November' }] },
  ])('differs with %o', change => {
    expect(keys([{ ...entry, ...change }])).not.toEqual(keys([entry]))
  })
})

describe('a file is refused with the place', () => {
  const whole = camtFile([{ amount: '121.00', payments: [payment] }]).toString()
  const lineOf = (text: string) => whole.slice(0, whole.indexOf(text)).split('\n').length

  test.each([
    ['another message of ISO 20022', whole.replace('camt.053.001.08', 'camt.052.001.08'), 'camt.052.001.08'],
    ['an invoice', '<?xml version="1.0"?><Invoice xmlns="urn:oasis"></Invoice>', 'Invoice'],
    ['CODA', '0000015112672505', '?'],
    ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]), '?'],
    ['nothing', '', '?'],
  ])('when it is %s', (_, file, format) => {
    expect(refusalOf(file)).toEqual({ code: 'payments.not_camt', format })
  })

  test.each([
    ['ends too early', whole.slice(0, whole.indexOf('<CdtDbtInd>')), lineOf('121.00')],
    ['closes another element', whole.replace('</Sts>', '</Sta>'), lineOf('</Sts>')],
    ['declares entities', whole.replace('<Sts>', '<!ENTITY x "y"><Sts>'), lineOf('<Sts>')],
  ])('when it %s', (_, file, line) => {
    expect(refusalOf(file)).toEqual({ code: 'payments.file_xml', line })
  })

  test.each([
    ['Amt', whole.replace('121.00', '1,210.00')],
    ['Amt', whole.replace('121.00', '-121.00')],
    ['Amt', whole.replace('121.00', '0.001')],
    ['Amt/@Ccy', whole.replace('Ccy="EUR"', 'Cry="EUR"')],
    ['CdtDbtInd', whole.replace('<CdtDbtInd>CRDT</CdtDbtInd>', '')],
    ['Sts', whole.replace('<Sts><Cd>BOOK</Cd></Sts>', '')],
    ['BookgDt', whole.replaceAll('2026-11-15</Dt>', '2026-11-31</Dt>')],
  ])('when an entry has no %s', (name, file) => {
    expect(refusalOf(file)).toMatchObject({ code: 'payments.file_entry', statement: 1, entry: 1, element: name })
  })
})
