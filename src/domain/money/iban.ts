/** Bank accounts by IBAN (ISO 13616), and banks by BIC (ISO 9362). */
import { mod97 } from './vat.ts'

/** An IBAN as it is kept and sent: without blanks, in capitals. */
export const normalizeIban = (text: string): string => text.replace(/\s/g, '').toUpperCase()

/** The lengths where the portal's sites have accounts; elsewhere any that ISO 13616 allows. */
const lengths: Readonly<Record<string, number>> = {
  AT: 20,
  BE: 16,
  CH: 21,
  CZ: 24,
  DE: 22,
  DK: 18,
  ES: 24,
  FI: 18,
  FR: 27,
  GB: 22,
  IE: 22,
  IT: 27,
  LI: 21,
  LU: 20,
  NL: 18,
  NO: 15,
  PL: 28,
  PT: 25,
  SE: 24,
}

/** Whether a text, normalized, is an IBAN: its country, length and check digits. */
export function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false
  const length = lengths[iban.slice(0, 2)]
  return (length === undefined || iban.length === length) && mod97(iban.slice(4) + iban.slice(0, 4)) === 1
}

/** An IBAN in groups of four, as it is printed. */
export const formatIban = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1 ')

/** Whether a text has the form of a BIC, with or without a branch; not whether such a bank exists. */
export const isBic = (bic: string): boolean => /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(bic)
