/**
 * The contents of a payment's QR code, with which a banking app fills in a SEPA credit transfer: EPC069-12 of the European Payments
 * Council, version 2, UTF-8.
 */
import { isBic, isIban } from './iban.ts'

export type Payment = {
  /** The beneficiary, 70 characters at most; longer ones are cut. */
  readonly name: string
  readonly iban: string
  /** Not needed within the European Economic Area; '' without. */
  readonly bic: string
  /** Whole cents, from 1 to 99,999,999,999. */
  readonly cents: number
} & (
  | {
      /** The message of the payer: 140 characters at most; longer ones are cut. */
      readonly remittance: string
    }
  | {
      /** A structured communication: the twelve digits stand where the format has the creditor's reference. */
      readonly communication: string
    }
)

const maxCents = 99_999_999_999

/** Lines break the format, and a character is one code point. */
const fitted = (text: string, length: number): string =>
  [...text.replace(/\s+/g, ' ').trim()].slice(0, length).join('').trim()

/** The text of the code; `null` where nothing can be paid by one: no account, no name, or no amount. */
export function epcQr({ name, iban, bic, cents, ...reference }: Payment): string | null {
  const beneficiary = fitted(name, 70)
  if (!isIban(iban) || beneficiary === '' || !Number.isInteger(cents) || cents < 1 || cents > maxCents) return null
  const amount = `EUR${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
  const lines = ['BCD', '002', '1', 'SCT', isBic(bic) ? bic : '', beneficiary, iban, amount]
  // the purpose is empty; then comes a reference, or else what the payer reads
  const last = 'communication' in reference ? [reference.communication] : ['', fitted(reference.remittance, 140)]
  return [...lines, '', ...last].join('\n').trimEnd()
}
