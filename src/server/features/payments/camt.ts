/**
 * Bank statements as CAMT.053 of ISO 20022 (docs/money.md "A bank file"). Of its versions only those elements are read that all of them have; where a
 * party or a state moved into an element of its own, it is looked for in both places.
 */
import { createHash } from 'node:crypto'
import { Failure } from '#domain/failure.ts'
import { isIsoDate, type IsoDate } from '#domain/texts/date.ts'
import { formatCommunication, isStructuredCommunication, plainReference } from '#domain/money/paymentReference.ts'
import { attributeOf, readXml, unescaped, XmlBroken } from '../imports/xml.ts'

/** Money that came in, or a payment that the bank takes back. */
export type StatementLine = {
  /** Of what the bank says of it: the same in every file that has the line. */
  readonly key: Buffer
  /** The site's account. */
  readonly account: string
  readonly booked: IsoDate
  /** In whole cents. */
  readonly amount: number
  readonly currency: string
  readonly reversal: boolean
  readonly reference: string
  readonly message: string
  readonly payer: string
  readonly payerAccount: string
}
/** `skipped`: entries of money that went out, and those that are not booked yet. */
export type BankStatement = { readonly lines: readonly StatementLine[]; readonly skipped: number }

const namespace = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.\d\d$/
const pieceSize = 64 * 1024

type Element = {
  readonly name: string
  readonly attributes: string
  text: string
  readonly children: Element[]
}
type Content = Omit<StatementLine, 'key'>
/** `bank`: the number that the bank has given it; '' without one. */
type Numbered = Content & { readonly bank: string; readonly endToEnd: string; readonly statement: string }

/**
 * The lines of a file.
 * @throws Failure `payments.not_camt` for another file, `payments.file_xml` with the line from which it is no XML, `payments.file_entry` with the place
 * of an entry that lacks something
 */
export function readCamt(bytes: Uint8Array): BankStatement {
  const reader = new CamtReader()
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    readXml(piecesOf(buffer), reader)
  } catch (error) {
    if (error instanceof XmlBroken)
      throw reader.begun
        ? new Failure('payments.file_xml', { line: error.line })
        : new Failure('payments.not_camt', { format: '?' })
    throw error
  }
  return { lines: withKeys(reader.lines), skipped: reader.skipped }
}

function* piecesOf(buffer: Buffer): Generator<Buffer> {
  for (let from = 0; from < buffer.length; from += pieceSize) yield buffer.subarray(from, from + pieceSize)
}

/** Keeps the elements of one entry, or of the head of a statement, at a time. */
class CamtReader {
  readonly lines: Numbered[] = []
  skipped = 0
  /** Whether it is a statement at all. */
  begun = false
  #statement = { number: 0, id: '', account: '' }
  #entry = 0
  readonly #path: string[] = []
  readonly #open: Element[] = []
  #line = () => 0

  begin(name: string, attributes: string, line: () => number): void {
    this.#line = line
    if (this.#path.length === 0) this.#refuseOther(name, attributes)
    this.#path.push(name)
    const isKept = this.#open.length > 0 || (this.#path.length === 4 && ['Id', 'Acct', 'Ntry'].includes(name))
    if (this.#path.length === 3 && name === 'Stmt') {
      this.#statement = { number: this.#statement.number + 1, id: '', account: '' }
      this.#entry = 0
    }
    if (!isKept) return
    const element: Element = { name, attributes, text: '', children: [] }
    this.#open.at(-1)?.children.push(element)
    this.#open.push(element)
  }

  text(text: string): void {
    const element = this.#open.at(-1)
    if (element) element.text += text
  }

  end(name: string): void {
    if (this.#path.pop() !== name) throw new XmlBroken(this.#line())
    const element = this.#open.pop()
    if (!element || this.#open.length > 0) return
    if (name === 'Id') this.#statement.id = textOf(element)
    else if (name === 'Acct') this.#statement.account = accountOf(element)
    else this.#takeEntry(element)
  }

  #refuseOther(name: string, attributes: string): void {
    const declared = /xmlns(?::\w+)?\s*=\s*["']([^"']*)["']/g
    const spaces = [...attributes.matchAll(declared)].map(([, space = '']) => space)
    if (name !== 'Document' || !spaces.some(space => namespace.test(space))) {
      const iso = spaces.find(space => space.startsWith('urn:iso:std:iso:20022'))
      throw new Failure('payments.not_camt', { format: iso?.split(':').at(-1) ?? name.slice(0, 40) })
    }
    this.begun = true
  }

  #takeEntry(entry: Element): void {
    this.#entry += 1
    const refuse = (element: string): never => {
      throw new Failure('payments.file_entry', {
        statement: this.#statement.number,
        entry: this.#entry,
        element,
        line: this.#line(),
      })
    }
    const lines = linesOfEntry(entry, refuse)
    if (lines === null) this.skipped += 1
    else
      for (const line of lines)
        this.lines.push({ ...line, account: this.#statement.account, statement: this.#statement.id })
  }
}

type Refuse = (element: string) => never

/** The lines of an entry: one for each payment that the bank has put together in it. Null for one that is skipped. */
function linesOfEntry(entry: Element, refuse: Refuse): Omit<Numbered, 'account' | 'statement'>[] | null {
  const amount = moneyOf(child(entry, 'Amt'), refuse)
  const direction = textOf(child(entry, 'CdtDbtInd'))
  if (direction !== 'CRDT' && direction !== 'DBIT') refuse('CdtDbtInd')
  const state = child(entry, 'Sts')
  const status = textOf(child(state, 'Cd')) || textOf(state)
  if (status === '') refuse('Sts')
  const reversal = ['true', '1'].includes(textOf(child(entry, 'RvslInd')))
  const booked = dateOf(child(entry, 'BookgDt')) ?? dateOf(child(entry, 'ValDt')) ?? refuse('BookgDt')
  if (status !== 'BOOK' || (direction === 'DBIT') !== reversal || amount.cents === 0) return null
  const facts = { booked, reversal, bank: textOf(child(entry, 'AcctSvcrRef')) }
  const payments = children(entry, 'NtryDtls').flatMap(details => children(details, 'TxDtls'))
  const note = textOf(child(entry, 'AddtlNtryInf'))
  const amounts = payments.map(payment => amountOfPayment(payment, refuse))
  const isSplit =
    payments.length > 1 &&
    amounts.every(part => part?.currency === amount.currency && part.cents > 0) &&
    amounts.reduce((sum, part) => sum + (part?.cents ?? 0), 0) === amount.cents
  if (isSplit)
    return payments.map((payment, nth) => ({
      ...facts,
      ...partiesOf(payment, note),
      amount: amounts[nth]?.cents ?? 0,
      currency: amount.currency,
      bank: textOf(path(payment, 'Refs', 'AcctSvcrRef')) || facts.bank,
    }))
  const whole = { ...facts, amount: amount.cents, currency: amount.currency }
  const [first] = payments
  if (first && payments.length === 1) return [{ ...whole, ...partiesOf(first, note) }]
  // payments that the bank does not tell apart: only what all of them say may be read by somebody
  const messages = payments.map(payment => partiesOf(payment, '').message).filter(Boolean)
  const message = cut(messages.join(' ') || note, 2000)
  return [{ ...whole, reference: '', message, payer: '', payerAccount: '', endToEnd: '' }]
}

function partiesOf(payment: Element, note: string) {
  const parties = child(payment, 'RltdPties')
  const party = child(parties, 'Dbtr') ?? child(parties, 'UltmtDbtr')
  const remittance = child(payment, 'RmtInf')
  const structured = children(remittance, 'Strd')
  const references = structured.map(part => textOf(path(part, 'CdtrRefInf', 'Ref'))).filter(Boolean)
  const messages = [
    ...children(remittance, 'Ustrd').map(textOf),
    ...structured.flatMap(part => children(part, 'RfrdDocInf').map(document => textOf(child(document, 'Nb')))),
    ...structured.flatMap(part => children(part, 'AddtlRmtInf').map(textOf)),
    // a payment for several invoices
    ...(references.length > 1 ? references.map(readable) : []),
  ].filter(Boolean)
  const additional = textOf(child(payment, 'AddtlTxInf')) || note
  return {
    reference: references.length === 1 ? cut(references[0] ?? '', 140) : '',
    message: cut(messages.length > 0 || references.length > 0 ? messages.join(' ') : additional, 2000),
    payer: cut(textOf(path(party, 'Pty', 'Nm')) || textOf(child(party, 'Nm')), 140),
    payerAccount: accountOf(child(parties, 'DbtrAcct')),
    endToEnd: textOf(path(payment, 'Refs', 'EndToEndId')),
  }
}

const readable = (reference: string): string => {
  const plain = plainReference(reference)
  return isStructuredCommunication(plain) ? formatCommunication(plain) : reference
}

function amountOfPayment(payment: Element, refuse: Refuse): { cents: number; currency: string } | null {
  const amount = child(payment, 'Amt') ?? path(payment, 'AmtDtls', 'TxAmt', 'Amt')
  return amount ? moneyOf(amount, refuse) : null
}

function moneyOf(amount: Element | undefined, refuse: Refuse): { cents: number; currency: string } {
  const match = /^(\d{1,10})(?:\.(\d{1,2})0*)?$/.exec(textOf(amount))
  const currency = attributeOf(amount?.attributes ?? '', 'Ccy') ?? ''
  if (!match) return refuse('Amt')
  if (!/^[A-Z]{3}$/.test(currency)) return refuse('Amt/@Ccy')
  return { cents: Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')), currency }
}

function dateOf(element: Element | undefined): IsoDate | null {
  const text = (textOf(child(element, 'Dt')) || textOf(child(element, 'DtTm'))).slice(0, 10)
  return isIsoDate(text) ? text : null
}

/** An account: by its IBAN, or another number where it has none. */
function accountOf(account: Element | undefined): string {
  const number = textOf(path(account, 'Id', 'IBAN')) || textOf(path(account, 'Id', 'Othr', 'Id'))
  return cut(number.replace(/\s/g, '').toUpperCase(), 34)
}

const child = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find(each => each.name === name)
const children = (element: Element | undefined, name: string): Element[] =>
  element?.children.filter(each => each.name === name) ?? []
const path = (element: Element | undefined, ...names: string[]): Element | undefined =>
  names.reduce<Element | undefined>((at, name) => child(at, name), element)
// PostgreSQL keeps no NUL
const textOf = (element: Element | undefined): string =>
  unescaped(element?.text ?? '')
    .replaceAll('\0', '')
    .replaceAll(/\s+/g, ' ')
    .trim()
const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed()

/** Adds the keys. Lines that are equal to the letter are told apart by their order; those without a number of the bank by their statement, too. */
function withKeys(lines: readonly Numbered[]): StatementLine[] {
  const seen = new Map<string, number>()
  return lines.map(({ bank, endToEnd, statement, ...line }) => {
    const content = JSON.stringify([
      line.account,
      line.booked,
      line.amount,
      line.currency,
      line.reversal,
      bank === '' ? ['', statement] : bank,
      endToEnd,
      line.payerAccount,
      line.payer,
      line.reference,
      line.message,
    ])
    const nth = seen.get(content) ?? 0
    seen.set(content, nth + 1)
    return { key: createHash('sha256').update(`${nth} ${content}`).digest(), ...line }
  })
}
