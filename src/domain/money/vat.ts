/**
 * VAT identification numbers: their form in each country, and their check digits where they are published (docs/bookkeeping.md
 * "VAT numbers"). A number that passes may still be nobody's: only the tax offices know.
 */

/** A number as it is kept and sent: without blanks and dots, in capitals. */
export const normalizeVatNumber = (text: string): string => text.replace(/[\s.\-/]/g, '').toUpperCase()

/** Why a text is no VAT number: of no country that we know, of another form than the country's, or mistyped. */
export type VatNumberProblem = 'country' | 'form' | 'digit'

const digitsOf = (text: string): number[] => [...text].map(Number)
const weighted = (digits: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, nth) => sum + weight * (digits[nth] ?? 0), 0)

/** A number of any length modulo `by`. */
function modulo(digits: string, by: number): number {
  let rest = 0
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % by
  return rest
}

/** Whether the last digit is right by Luhn's rule. */
export const isLuhn = (digits: string): boolean =>
  digitsOf(digits)
    .toReversed()
    .reduce((sum, digit, nth) => sum + (nth % 2 === 0 ? digit : digit * 2 > 9 ? digit * 2 - 9 : digit * 2), 0) %
    10 ===
  0

/** ISO 7064 mod 97-10 of letters and digits, as IBAN and others use it: 1 when the check digits are right. */
export const mod97 = (text: string): number =>
  modulo([...text].map(sign => (/\d/.test(sign) ? sign : String(sign.charCodeAt(0) - 55))).join(''), 97)

/** Belgian enterprise numbers: 97 less the remainder of the first eight digits by 97. */
export const isBelgianEnterprise = (number: string): boolean =>
  /^\d{10}$/.test(number) && 97 - (Number(number.slice(0, 8)) % 97) === Number(number.slice(8))

/** ISO 7064 mod 11,10. */
function isMod1110(digits: string): boolean {
  let product = 10
  for (const digit of digitsOf(digits.slice(0, -1))) {
    const sum = (digit + product) % 10 || 10
    product = (2 * sum) % 11
  }
  return (11 - product) % 10 === Number(digits.at(-1))
}

const elevenLess = (digits: readonly number[], weights: readonly number[]): number =>
  11 - (weighted(digits, weights) % 11)

const frenchSigns = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'
function isFrench(number: string): boolean {
  const [key, siren] = [number.slice(0, 2), number.slice(2)]
  // numbers of Monaco are no SIREN
  if (!siren.startsWith('000') && !isLuhn(siren)) return false
  if (/^\d\d$/.test(key)) return Number(key) === modulo(`${siren}12`, 97)
  const [first, second] = [frenchSigns.indexOf(key.charAt(0)), frenchSigns.indexOf(key.charAt(1))]
  const check = /^\d/.test(key) ? first * 24 + second - 10 : first * 34 + second - 100
  return (Number(siren) + 1 + Math.floor(check / 11)) % 11 === check % 11
}

function isDutch(number: string): boolean {
  const eleven = weighted(digitsOf(number.slice(0, 8)), [9, 8, 7, 6, 5, 4, 3, 2]) % 11
  // sole traders have numbers of a newer kind, which are checked as a whole
  return eleven === Number(number.charAt(8)) || mod97(`NL${number}`) === 1
}

function isAustrian(number: string): boolean {
  const sum = digitsOf(number.slice(1, 8)).reduce((total, digit, nth) => {
    const value = nth % 2 === 0 ? digit : digit * 2
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return (10 - ((sum + 4) % 10)) % 10 === Number(number.charAt(8))
}

const spanishLetters = 'TRWAGMYFPDXBNJZSQVHLCKE'
function isSpanish(number: string): boolean {
  const [first, last] = [number.charAt(0), number.charAt(8)]
  if (/[XYZ\d]/.test(first)) {
    const person = number.slice(0, 8).replace(/^[XYZ]/, letter => String('XYZ'.indexOf(letter)))
    return spanishLetters[Number(person) % 23] === last
  }
  if (/[KLM]/.test(first)) return spanishLetters[Number(number.slice(1, 8)) % 23] === last
  const check = digitsOf('0123456789').find(digit => isLuhn(`${number.slice(1, 8)}${digit}`)) ?? 0
  return last === String(check) || last === 'JABCDEFGHI'[check]
}

function isBritish(number: string): boolean {
  if (/^[GH]/.test(number)) return true
  const rest = weighted(digitsOf(number), [8, 7, 6, 5, 4, 3, 2, 10, 1]) % 97
  return rest === 0 || (Number(number.slice(0, 3)) >= 100 && (rest === 42 || rest === 55))
}

function isIrish(number: string): boolean {
  const digits = digitsOf(number.slice(0, 7))
  const second = number.length === 9 ? 'WABCDEFGHI'.indexOf(number.charAt(8)) : 0
  const rest = (weighted(digits, [8, 7, 6, 5, 4, 3, 2]) + 9 * second) % 23
  return 'WABCDEFGHIJKLMNOPQRSTUV'[rest] === number.charAt(7)
}

const british = /^(?:\d{9}(?:\d{3})?|GD[0-4]\d\d|HA[5-9]\d\d)$/

type Kind = { form: RegExp; check?: (number: string) => boolean }

/** By prefix, what follows it. Countries without `check` are checked by form only. */
const kinds: Readonly<Record<string, Kind>> = {
  AT: { form: /^U\d{8}$/, check: isAustrian },
  BE: { form: /^[01]\d{9}$/, check: isBelgianEnterprise },
  BG: { form: /^\d{9,10}$/ },
  CHE: {
    form: /^\d{9}(?:MWST|TVA|IVA)$/,
    check: number => elevenLess(digitsOf(number), [5, 4, 3, 2, 7, 6, 5, 4]) % 11 === Number(number.charAt(8)),
  },
  CY: { form: /^\d{8}[A-Z]$/ },
  CZ: { form: /^\d{8,10}$/ },
  DE: { form: /^[1-9]\d{8}$/, check: isMod1110 },
  DK: { form: /^\d{8}$/, check: number => weighted(digitsOf(number), [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0 },
  EE: { form: /^\d{9}$/ },
  EL: { form: /^\d{9}$/ },
  ES: { form: /^(?:[A-Z]\d{7}[A-Z\d]|\d{8}[A-Z])$/, check: isSpanish },
  FI: { form: /^\d{8}$/, check: number => weighted(digitsOf(number), [7, 9, 10, 5, 8, 4, 2, 1]) % 11 === 0 },
  FR: { form: /^[0-9A-HJ-NP-Z]{2}\d{9}$/, check: isFrench },
  GB: { form: british, check: isBritish },
  HR: { form: /^\d{11}$/, check: isMod1110 },
  HU: { form: /^\d{8}$/ },
  IE: { form: /^\d{7}[A-W][A-IW]?$/, check: isIrish },
  IT: { form: /^\d{11}$/, check: isLuhn },
  LT: { form: /^(?:\d{9}|\d{12})$/ },
  LU: { form: /^\d{8}$/, check: number => Number(number.slice(0, 6)) % 89 === Number(number.slice(6)) },
  LV: { form: /^\d{11}$/ },
  MT: { form: /^\d{8}$/ },
  NL: { form: /^\d{9}B(?!00)\d{2}$/, check: isDutch },
  NO: { form: /^\d{9}(?:MVA)?$/ },
  PL: {
    form: /^\d{10}$/,
    check: number => weighted(digitsOf(number), [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === Number(number.charAt(9)),
  },
  PT: {
    form: /^[1-9]\d{8}$/,
    check: number => {
      const check = elevenLess(digitsOf(number), [9, 8, 7, 6, 5, 4, 3, 2])
      return (check > 9 ? 0 : check) === Number(number.charAt(8))
    },
  },
  RO: { form: /^[1-9]\d{1,9}$/ },
  SE: { form: /^\d{10}01$/, check: number => isLuhn(number.slice(0, 10)) },
  SI: { form: /^[1-9]\d{7}$/ },
  SK: { form: /^[1-9]\d{9}$/ },
  XI: { form: british, check: isBritish },
}

/** The problem of a VAT number that begins with its country's prefix; `null` when it is valid. */
export function vatNumberProblem(text: string): VatNumberProblem | null {
  const number = normalizeVatNumber(text)
  const prefix = number.startsWith('CHE') ? 'CHE' : number.slice(0, 2)
  const kind = kinds[prefix]
  if (!kind) return 'country'
  const rest = number.slice(prefix.length)
  if (!kind.form.test(rest)) return 'form'
  return kind.check && !kind.check(rest) ? 'digit' : null
}

/** The countries of the VAT area of the European Union, by ISO 3166-1. */
const euCountries = [
  'AT',
  'BE',
  'BG',
  'CY',
  'CZ',
  'DE',
  'DK',
  'EE',
  'ES',
  'FI',
  'FR',
  'GR',
  'HR',
  'HU',
  'IE',
  'IT',
  'LT',
  'LU',
  'LV',
  'MT',
  'NL',
  'PL',
  'PT',
  'RO',
  'SE',
  'SI',
  'SK',
] as const
/** The countries that a party of an invoice can be in. */
export const invoiceCountries = [...euCountries, 'CH', 'GB', 'LI', 'NO'] as const

/** Whether a country (ISO 3166-1 alpha-2) is in the EU. */
export const isInEu = (country: string): boolean => (euCountries as readonly string[]).includes(country)

/** The country of a VAT number that has no problem: the tax offices call Greece `EL`, and Northern Ireland `XI`. */
export function countryOfVatNumber(text: string): string {
  const prefix = normalizeVatNumber(text).slice(0, 2)
  return prefix === 'EL' ? 'GR' : prefix === 'XI' ? 'GB' : prefix
}
