/**
 * Which invoices a line of a bank statement pays (docs/money.md "Paid or not"). A line is matched when its reference, or its amount and account, leave
 * no doubt; else it is asked about. Amounts are whole cents.
 */
import type { IsoDate } from '../texts/date.ts'
import { folded } from '../texts/folded.ts'
import { plainReference, referencesIn, referencesOf } from './paymentReference.ts'

export type PayableInvoice = {
  readonly id: number
  readonly customer: number
  /** As it is printed: `F-2026-00012`. */
  readonly number: string
  /** Its structured communication, twelve digits; null where it has none. */
  readonly reference: string | null
  readonly issued: IsoDate
  readonly due: IsoDate
  /** The amount left to pay; 0 for one that is paid, credited or written off. */
  readonly open: number
}

export type BankLine = {
  readonly amount: number
  readonly currency: string
  /** The bank takes an earlier payment back. */
  readonly reversal: boolean
  /** The content of the bank's field for a structured reference. */
  readonly reference: string
  /** The message of the payer. */
  readonly message: string
  readonly payer: string
  /** The account that the money came from; '' where the bank does not say. */
  readonly account: string
  readonly booked: IsoDate
}

/** The knowledge before the lines: invoices, also settled ones that somebody may name, and who paid from which account before. */
export type Books = {
  readonly invoices: readonly PayableInvoice[]
  readonly accounts: readonly { readonly account: string; readonly customer: number }[]
  readonly names: readonly { readonly name: string; readonly customer: number }[]
}

/**
 * Why a line asks. `other_payer`: its account or name is another customer's. `contradiction`: what it names does not agree.
 * `settled`: nothing is left of what it names. `amount`: it is another sum than what it names, or than what its payer owes. `reference`: it
 * names something that is no invoice's. `twins`: several invoices have its amount. `undone`: it paid something, and somebody took that back.
 */
export const bankQuestions = [
  'currency',
  'reversal',
  'contradiction',
  'other_payer',
  'settled',
  'amount',
  'reference',
  'twins',
  'unknown',
  'undone',
] as const
type BankQuestion = (typeof bankQuestions)[number]

type Part = { readonly invoice: number; readonly amount: number }
/** `rest`: what is left of the amount after all that is named was paid; the customer has it in hand. */
export type Matched = { readonly customer: number; readonly parts: readonly Part[]; readonly rest: number }
/** `proposals`: invoices that it may be for, the likeliest first. */
type Asked = { readonly question: BankQuestion; readonly proposals: readonly number[] }
export type Outcome = Matched | Asked

export const isMatched = (outcome: Outcome): outcome is Matched => 'parts' in outcome

/** The most proposals of a line. */
const maxProposals = 5

type Standing = { -readonly [K in keyof PayableInvoice]: PayableInvoice[K] }

/** The invoices by what a line may name, with what is left of each as lines are matched. */
class OpenBooks {
  readonly byReference = new Map<string, Standing>()
  readonly byNumber = new Map<string, Standing>()
  readonly byCustomer: Map<number, Standing[]>
  readonly byAmount: Map<number, Standing[]>
  readonly #byId = new Map<number, Standing>()
  readonly #accounts = new Map<string, Set<number>>()
  readonly #names = new Map<string, Set<number>>()

  constructor({ invoices, accounts, names }: Books) {
    const standing = invoices.map(invoice => ({ ...invoice }))
    for (const invoice of standing) {
      if (invoice.reference !== null) this.byReference.set(invoice.reference, invoice)
      this.byNumber.set(plainReference(invoice.number), invoice)
      this.#byId.set(invoice.id, invoice)
    }
    const oldestFirst = standing.toSorted((a, b) => a.due.localeCompare(b.due) || a.id - b.id)
    this.byCustomer = Map.groupBy(oldestFirst, invoice => invoice.customer)
    this.byAmount = Map.groupBy(oldestFirst, invoice => invoice.open)
    for (const { account, customer } of accounts) this.learn(account, customer)
    for (const { name, customer } of names) add(this.#names, nameKey(name), customer)
  }

  /** Notes that a customer pays from an account. */
  learn(account: string, customer: number): void {
    if (account !== '') add(this.#accounts, account, customer)
  }

  /** The customers who paid from this account before. */
  payersFrom = (account: string): ReadonlySet<number> => this.#accounts.get(account) ?? none

  /** The customers of whom this is the name. */
  payersNamed = (name: string): ReadonlySet<number> => this.#names.get(nameKey(name)) ?? none

  openOf = (customer: number): Standing[] => (this.byCustomer.get(customer) ?? []).filter(({ open }) => open > 0)

  take(parts: readonly Part[]): void {
    for (const { invoice, amount } of parts) {
      const standing = this.#byId.get(invoice)
      if (standing) standing.open -= amount
    }
  }
}

const none: ReadonlySet<number> = new Set()
const nameKey = (name: string): string =>
  folded(name)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
function add(map: Map<string, Set<number>>, key: string, customer: number): void {
  if (key === '') return
  const all = map.get(key)
  if (all) all.add(customer)
  else map.set(key, new Set([customer]))
}

const sumOf = (invoices: readonly Standing[]): number => invoices.reduce((sum, { open }) => sum + open, 0)

/** The names in lines: structured communications, and numbers of invoices without anything between their letters and digits. */
export function namesIn(lines: readonly Pick<BankLine, 'reference' | 'message'>[]): {
  references: string[]
  numbers: string[]
} {
  const texts = lines.map(({ reference, message }) => ({
    field: referencesOf(reference),
    written: referencesIn(message),
    reference,
    message,
  }))
  const numbers = texts.flatMap(({ field, written, reference, message }) => [
    ...field.creditorReferences,
    ...written.creditorReferences,
    ...[reference, message].flatMap(text => [...text.matchAll(numberPattern)].map(([whole]) => plainReference(whole))),
  ])
  const references = texts.flatMap(({ field, written }) => [...field.communications, ...written.communications])
  return { references: [...new Set(references)], numbers: [...new Set(numbers)] }
}

/** The outcome of each line, in their order: what one pays is paid when the next one is looked at. */
export function matchLines(lines: readonly BankLine[], books: Books): Outcome[] {
  const open = new OpenBooks(books)
  return lines.map(line => {
    const outcome = matchLine(line, open)
    if (isMatched(outcome)) {
      open.take(outcome.parts)
      open.learn(line.account, outcome.customer)
    }
    return outcome
  })
}

/** The invoices that each line may be for, the likeliest first; none of them is taken for paid. */
export function proposalsOf(lines: readonly BankLine[], books: Books): number[][] {
  const open = new OpenBooks(books)
  return lines.map(line => proposalsFor(line, namedBy(line, open).invoices, open))
}

function matchLine(line: BankLine, books: OpenBooks): Outcome {
  const named = namedBy(line, books)
  const payers = payersOf(line, books)
  const ask = (question: BankQuestion): Asked => ({ question, proposals: proposalsFor(line, named.invoices, books) })
  if (line.reversal) return ask('reversal')
  if (line.currency !== 'EUR') return ask('currency')
  if (named.contradicts) return ask('contradiction')
  const [first] = named.invoices
  if (first) {
    const question = doubtAbout(line, named.invoices, { customer: first.customer, payers, books })
    return question === null ? payWhole(line, named.invoices, first.customer) : ask(question)
  }
  if (named.wrong) return ask('reference')
  return matchByAccount(line, books) ?? ask(questionWithoutName(line, books))
}

/** The invoices that a line names, each once. */
function namedBy(line: BankLine, books: OpenBooks) {
  const field = referencesOf(line.reference)
  const message = referencesIn(line.message)
  const inField = look(field, line.reference, books)
  const inMessage = look(message, line.message, books)
  const invoices = [...new Set([...inField.invoices, ...inMessage.invoices])]
  const isOther = inField.invoices.length > 0 && inMessage.invoices.some(invoice => !inField.invoices.includes(invoice))
  return {
    invoices,
    wrong: field.wrong || message.wrong || inField.unknown || inMessage.unknown,
    contradicts:
      isOther ||
      new Set(invoices.map(({ customer }) => customer)).size > 1 ||
      (invoices.length > 0 && (field.wrong || message.wrong || inField.unknown || inMessage.unknown)),
  }
}

/** `unknown`: it names a structured reference that no invoice has. */
function look(
  {
    communications,
    creditorReferences,
  }: Pick<ReturnType<typeof referencesOf>, 'communications' | 'creditorReferences'>,
  text: string,
  books: OpenBooks,
): { invoices: Standing[]; unknown: boolean } {
  const structured = [
    ...communications.map(digits => books.byReference.get(digits)),
    ...creditorReferences.map(reference => books.byNumber.get(reference)),
  ]
  const ours = structured.filter(invoice => invoice !== undefined)
  return { invoices: [...ours, ...numbersIn(text, books)], unknown: ours.length < structured.length }
}

/** Numbers are written with any sign between their parts, or none. */
const numberPattern = /(?<![A-Z0-9])([A-Z0-9]{1,8})[^A-Z0-9]{0,2}(20\d{2})[^A-Z0-9]{0,2}(\d{5,9})(?![A-Z0-9])/gi

const numbersIn = (text: string, books: OpenBooks): Standing[] =>
  [...text.matchAll(numberPattern)].flatMap(([whole]) => books.byNumber.get(plainReference(whole)) ?? [])

/** The customers whose payment it can be by its account, or else by its name; empty: nothing is known. */
function payersOf({ account, payer }: BankLine, books: OpenBooks): ReadonlySet<number> {
  const byAccount = books.payersFrom(account)
  return byAccount.size > 0 ? byAccount : books.payersNamed(payer)
}

type Naming = { customer: number; payers: ReadonlySet<number>; books: OpenBooks }

/** Why a line does not pay what it names; null where it does. */
function doubtAbout(
  { amount }: BankLine,
  invoices: readonly Standing[],
  { customer, payers, books }: Naming,
): BankQuestion | null {
  if (payers.size > 0 && !payers.has(customer)) return 'other_payer'
  const open = sumOf(invoices)
  if (open <= 0) return 'settled'
  if (amount === open) return null
  // a part, or too much: only from whom it can be, of one invoice, and when no other sum of the customer's would fit better
  if (payers.size === 0 || invoices.length > 1) return 'amount'
  const others = books.openOf(customer).filter(invoice => !invoices.includes(invoice))
  const sums = new Set([...others.map(invoice => invoice.open), sumOf(others)])
  if (sums.has(amount) || sums.has(amount - open)) return 'amount'
  return null
}

/** Pays invoices with a line; what they don't need is left over. */
function payWhole({ amount }: BankLine, invoices: readonly Standing[], customer: number): Matched {
  let rest = amount
  const parts = invoices.flatMap(({ id, open }) => {
    const part = Math.min(open, rest)
    rest -= part
    return part > 0 ? [{ invoice: id, amount: part }] : []
  })
  return { customer, parts, rest }
}

/** Pays with a known account, when one invoice has the amount, or all of them together. */
function matchByAccount(line: BankLine, books: OpenBooks): Matched | null {
  const candidates = candidatesOf(line, books)
  if (candidates === null) return null
  const { customer, open } = candidates
  const same = open.filter(invoice => invoice.open === line.amount)
  if (same.length === 1) return payWhole(line, same, customer)
  return same.length === 0 && open.length > 1 && sumOf(open) === line.amount ? payWhole(line, open, customer) : null
}

/** The open invoices of the only customer who pays from this account; null without one. None was issued after the payment. */
function candidatesOf({ account, booked }: BankLine, books: OpenBooks) {
  const payers = books.payersFrom(account)
  const [customer] = payers
  if (customer === undefined || payers.size > 1) return null
  return { customer, open: books.openOf(customer).filter(({ issued }) => issued <= booked) }
}

function questionWithoutName(line: BankLine, books: OpenBooks): BankQuestion {
  const candidates = candidatesOf(line, books)
  if (candidates === null) return 'unknown'
  if (candidates.open.some(({ open }) => open === line.amount)) return 'twins'
  return candidates.open.length === 0 ? 'settled' : 'amount'
}

/** The invoices that a line may be for: what it names, what its payer owes with this amount, others with this amount, and what else its payer owes. */
function proposalsFor(line: BankLine, named: readonly Standing[], books: OpenBooks): number[] {
  const payers = payersOf(line, books)
  const owed = [...payers].flatMap(customer => books.openOf(customer))
  const isEur = line.currency === 'EUR'
  const same = isEur ? (books.byAmount.get(line.amount) ?? []).filter(({ open }) => open === line.amount) : []
  const likely = [
    ...named.filter(({ open }) => open > 0),
    ...owed.filter(({ open }) => isEur && open === line.amount),
    ...(payers.size === 0 ? same : []),
    ...owed,
  ]
  return [...new Set(likely.map(({ id }) => id))].slice(0, maxProposals)
}
