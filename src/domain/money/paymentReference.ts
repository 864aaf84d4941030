/**
 * The references by which a bank says what a payment is for: the structured communication of Belgium (`+++090/9337/55493+++`, twelve digits of which
 * the last two are the first ten modulo 97, or 97), and the creditor reference of ISO 11649 (`RF18539007547034`).
 */
import { mod97 } from './vat.ts'

/** A structured communication for a number of ten digits at most, as twelve digits. */
export function structuredCommunication(base: number): string {
  const remainder = base % 97
  return `${String(base).padStart(10, '0')}${String(remainder === 0 ? 97 : remainder).padStart(2, '0')}`
}

/** Whether twelve digits are a structured communication. */
export const isStructuredCommunication = (digits: string): boolean =>
  /^\d{12}$/.test(digits) && structuredCommunication(Number(digits.slice(0, 10))) === digits

/** A structured communication as it is printed. */
export const formatCommunication = (digits: string): string =>
  `+++${digits.slice(0, 3)}/${digits.slice(3, 7)}/${digits.slice(7)}+++`

/** Whether a text, without blanks and in capitals, is a creditor reference by its check digits. */
export const isCreditorReference = (text: string): boolean =>
  /^RF\d{2}[A-Z0-9]{1,21}$/.test(text) && mod97(text.slice(4) + text.slice(0, 4)) === 1

/** The reference without anything between its letters and digits, in capitals. */
export const plainReference = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** A text names references, by what it holds. `wrong`: something that has the form of one, but not its check digits. */
export type NamedReferences = {
  /** Twelve digits each. */
  readonly communications: readonly string[]
  /** The part behind the check digits of a creditor reference. */
  readonly creditorReferences: readonly string[]
  readonly wrong: boolean
}

const communicationPattern = /(?:\+{3}|\*{3})\s*(\d{3})\s*\/\s*(\d{4})\s*\/\s*(\d{5})\s*(?:\+{3}|\*{3})/g
const creditorBegin = /(?<![A-Z0-9])RF\d{2}/gi
/** An ISO 11649 reference has 25 characters at most. */
const longestCreditor = 25

/**
 * The candidates for creditor references in a text: they are often printed in groups of four, so each group that follows may belong to it. Those
 * whose check digits are right, or else the first group alone.
 */
function creditorsIn(message: string): string[] {
  return [...message.matchAll(creditorBegin)].flatMap(({ index }) => {
    const groups = message.slice(index).toUpperCase().split(/[ ]+/)
    const candidates: string[] = []
    let text = ''
    for (const group of groups) {
      const [plain = ''] = /^[A-Z0-9]*/.exec(group) ?? []
      text += plain
      if (text.length > longestCreditor || plain === '') break
      if (text.length > 4) candidates.push(text)
      if (plain.length < group.length) break
    }
    const right = candidates.filter(isCreditorReference)
    return right.length > 0 ? right : candidates.slice(0, 1)
  })
}

/** The references in what the payer wrote. */
export function referencesIn(message: string): NamedReferences {
  const communications = [...message.matchAll(communicationPattern)].map(([, a, b, c]) => `${a}${b}${c}`)
  return sorted(communications, creditorsIn(message))
}

/** The references in the field that a bank has for one. Whatever else is in it is none, but may be an invoice's number. */
export function referencesOf(field: string): NamedReferences {
  const plain = plainReference(field)
  if (/^\d{12}$/.test(plain)) return sorted([plain], [])
  return /^RF\d{2}/.test(plain) ? sorted([], [plain]) : sorted([], [])
}

function sorted(communications: readonly string[], creditorReferences: readonly string[]): NamedReferences {
  const right = communications.filter(isStructuredCommunication)
  const rightCreditor = creditorReferences.filter(isCreditorReference)
  return {
    communications: [...new Set(right)],
    creditorReferences: [...new Set(rightCreditor.map(text => text.slice(4)))],
    wrong: right.length < communications.length || rightCreditor.length < creditorReferences.length,
  }
}
