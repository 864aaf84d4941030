/** The numbers by which companies are known in registers and on the Peppol network (docs/bookkeeping.md "Companies"). */
import { isBelgianEnterprise, isLuhn, vatNumberProblem } from './vat.ts'

type Scheme = {
  /** How it is called where it is used. */
  readonly name: string
  readonly is: (number: string) => boolean
  /** Whether it is of a register of companies, not of VAT numbers only. */
  readonly register: boolean
}

const form = (pattern: RegExp) => (number: string) => pattern.test(number)
const vatOf = (country: string) => (number: string) => number.startsWith(country) && vatNumberProblem(number) === null

/** Whether thirteen digits are a global location number: weights 3 and 1 from the right. */
const isGln = (number: string): boolean =>
  /^\d{13}$/.test(number) &&
  [...number].toReversed().reduce((sum, digit, nth) => sum + Number(digit) * (nth % 2 === 0 ? 1 : 3), 0) % 10 === 0

const isNorwegian = (number: string): boolean =>
  /^\d{9}$/.test(number) &&
  (11 - ([3, 2, 7, 6, 5, 4, 3, 2].reduce((sum, weight, nth) => sum + weight * Number(number[nth]), 0) % 11)) % 11 ===
    Number(number[8])

const isDanish = (number: string): boolean => vatNumberProblem(`DK${number}`) === null

/** By their code in the Electronic Address Scheme list of Peppol, which has that of ISO 6523 where there is one. */
export const companySchemes = {
  '0208': { name: 'KBO / BCE (BE)', is: isBelgianEnterprise, register: true },
  '0106': { name: 'KVK (NL)', is: form(/^\d{8}$/), register: true },
  '0190': { name: 'OIN (NL)', is: form(/^\d{20}$/), register: true },
  '0002': { name: 'SIREN (FR)', is: number => /^\d{9}$/.test(number) && isLuhn(number), register: true },
  '0009': { name: 'SIRET (FR)', is: number => /^\d{14}$/.test(number) && isLuhn(number), register: true },
  '0204': { name: 'Leitweg-ID (DE)', is: form(/^\d{2,12}(?:-[A-Z0-9]{1,30})?-\d{2}$/), register: true },
  '0184': { name: 'CVR (DK)', is: isDanish, register: true },
  '0192': { name: 'Organisasjonsnummer (NO)', is: isNorwegian, register: true },
  '0007': { name: 'Organisationsnummer (SE)', is: number => /^\d{10}$/.test(number) && isLuhn(number), register: true },
  '0088': { name: 'GLN', is: isGln, register: true },
  '9914': { name: 'USt-IdNr. (AT)', is: vatOf('AT'), register: false },
  '9920': { name: 'NIF-IVA (ES)', is: vatOf('ES'), register: false },
  '9925': { name: 'BTW / TVA (BE)', is: vatOf('BE'), register: false },
  '9930': { name: 'USt-IdNr. (DE)', is: vatOf('DE'), register: false },
  '9932': { name: 'VAT (GB)', is: vatOf('GB'), register: false },
  '9938': { name: 'TVA (LU)', is: vatOf('LU'), register: false },
  '9944': { name: 'BTW (NL)', is: vatOf('NL'), register: false },
  '9957': { name: 'TVA (FR)', is: vatOf('FR'), register: false },
} as const satisfies Record<string, Scheme>

/** A scheme as it was kept, `null` for none that is known. */
export const peppolSchemeOf = (scheme: string | null): CompanyScheme | null =>
  peppolSchemes.find(peppolScheme => peppolScheme === scheme) ?? null

export type CompanyScheme = keyof typeof companySchemes
/** In the order in which they are offered: integer-like keys would sort themselves. */
export const peppolSchemes = [
  '0208',
  '0106',
  '0190',
  '0002',
  '0009',
  '0204',
  '0184',
  '0192',
  '0007',
  '0088',
  '9914',
  '9920',
  '9925',
  '9930',
  '9932',
  '9938',
  '9944',
  '9957',
] as const satisfies readonly CompanyScheme[]
/** Those of company registers. */
export const registerSchemes = peppolSchemes.filter(scheme => companySchemes[scheme].register)

/** A number as it is kept and sent: without blanks and dots, in capitals. */
export const normalizeCompanyNumber = (text: string): string => text.replace(/[\s.]/g, '').toUpperCase()

/** Whether a number can be one of its scheme. */
export const isCompanyNumber = (scheme: CompanyScheme, number: string): boolean => companySchemes[scheme].is(number)
