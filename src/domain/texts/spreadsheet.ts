/** Values as spreadsheets and the trade write them (docs/product/files.md "Imports"). Each reader returns `null` for a text it can't read. */
import { lettersAndDigits } from './letters.ts'
import { addDays, fromYmd, isIsoDate, type IsoDate } from './date.ts'
import type { Axle, Position } from '../vehicles/axle.ts'
import { positionsOf } from '../vehicles/axle.ts'
import type { Language, Role } from '../people/account.ts'
import type { InsertionMethod } from '../site.ts'
import type { OfferedType, Rim, TyreStatus } from '../tyres/tyre.ts'

/** A text without accents, blanks and signs, in lower case: how words and headings are compared. Letters of every script count. */
export const wordKey = (text: string): string => lettersAndDigits(text).toLowerCase()

/** Day 1 of a spreadsheet is 1 January 1900; because of the leap day that it wrongly counts, later days begin one earlier. */
const dayZero = '1899-12-30'
/** The day of the number that a spreadsheet keeps. */
export const dayOfSerial = (serial: number): IsoDate => addDays(dayZero, Math.floor(serial))

/** A day: `2026-11-24`, `20261124`, `24/11/2026`, `24-11-26`, `24.11.2026`, or the number that a spreadsheet keeps, `46350`. */
export function dayIn(text: string): IsoDate | null {
  const plain = text.trim()
  const iso = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(plain)?.[0]
  if (iso !== undefined) return isIsoDate(iso) ? iso : null
  if (/^\d{8}$/.test(plain)) return fromYmd(plain)
  // from 1954 to 2118
  if (/^[2-7]\d{4}(?:\.\d+)?$/.test(plain)) return dayOfSerial(Number(plain))
  const [, day = '', month = '', year = ''] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?:$|\s)/.exec(plain) ?? []
  if (day === '') return null
  const date = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isIsoDate(date) ? date : null
}

const flags: Readonly<Record<string, boolean>> = Object.fromEntries([
  ...'y yes ja oui j o x t true waar vrai wahr 1'.split(' ').map(word => [word, true]),
  ...'n no nee non nein f false onwaar faux falsch 0'.split(' ').map(word => [word, false]),
])

/** Yes or no, in four languages, or as a cross. */
export const flagIn = (text: string): boolean | null => flags[wordKey(text)] ?? null

const rimWords: Readonly<Record<string, Rim>> = Object.fromEntries([
  ...'steel staal acier tole stahl stalen st s'.split(' ').map(word => [word, 'steel']),
  ...'aluminum aluminium alu alloy lm lichtmetaal leichtmetall al a'.split(' ').map(word => [word, 'aluminum']),
])

/** The kind of rim, in four languages. */
export const rimIn = (text: string): Rim | null =>
  rimWords[wordKey(text).replace(/(?:velgen|velg|felgen|felge|jantes|jante|rims|rim)$/, '')] ?? null

type ImportedStatus = Extract<TyreStatus, 'in_stock' | 'at_customer' | 'on_vehicle'>
const statusWords: Readonly<Record<string, ImportedStatus>> = Object.fromEntries([
  ...'instock stock stored opgeslagen opslag instorage gestockeerd voorraad stocke enstock engardiennage eingelagert lager'
    .split(' ')
    .map(word => [word, 'in_stock']),
  ...'atcustomer customer bijklant klant chezleclient client beimkunden kunde'
    .split(' ')
    .map(word => [word, 'at_customer']),
  ...'onvehicle vehicle mounted opvoertuig gemonteerd voertuig survehicule monte montiert amfahrzeug fahrzeug'
    .split(' ')
    .map(word => [word, 'on_vehicle']),
])

/** Where a tyre is, in four languages. */
export const statusIn = (text: string): ImportedStatus | null => statusWords[wordKey(text)] ?? null

const wordsOf = <T extends string>(words: Readonly<Record<T, string>>): Readonly<Record<string, T>> =>
  Object.fromEntries(
    (Object.entries(words) as [T, string][]).flatMap(([value, all]) =>
      [value, ...all.split(' ')].map(word => [wordKey(word), value]),
    ),
  )

const operationTypes = wordsOf<OfferedType>({
  to_stock: 'storage store opslag stockage einlagerung',
  to_customer: 'recall afroep restitution abruf',
  to_waste: 'disposal waste afvoer mise-au-rebut rebut entsorgung',
})
/** The type of an operation, in four languages. */
export const operationTypeIn = (text: string): OfferedType | null => operationTypes[wordKey(text)] ?? null

const insertionMethods = wordsOf<InsertionMethod>({
  per_tyre: 'per-band par-pneu pro-reifen je-reifen',
  global: 'once per-operation eenmalig une-fois einmal einmalig',
  text_line: 'line-of-text tekstregel ligne-de-texte textzeile',
})
/** How a service comes into a document, in four languages. */
export const insertionMethodIn = (text: string): InsertionMethod | null => insertionMethods[wordKey(text)] ?? null

type ImportedRole = Exclude<Role, 'superuser'>
const roleWords = wordsOf<ImportedRole>({
  user: 'customer klant gebruiker client utilisateur kunde benutzer',
  admin: 'administrator beheerder administrateur verwalter',
})
/** The role of an account, in four languages; nobody becomes a superuser by a file. */
export const roleIn = (text: string): ImportedRole | null => roleWords[wordKey(text)] ?? null

const languageWords = wordsOf<Language>({
  dut: 'nl nld nederlands dutch neerlandais niederlandisch',
  fre: 'fr fra frans french francais franzosisch',
  eng: 'en engels english anglais englisch',
  ger: 'de deu duits german allemand deutsch',
})
/** A language by its codes, or its name in four languages. */
export const languageIn = (text: string): Language | null => languageWords[wordKey(text)] ?? null

const sides = { left: ['left', 'links', 'gauche', 'l', 'g'], right: ['right', 'rechts', 'droite', 'droit', 'r', 'd'] }
const ends = {
  front: ['front', 'voor', 'avant', 'av', 'vorne', 'vorn', 'f', 'v'],
  rear: ['rear', 'back', 'achter', 'arriere', 'ar', 'hinten', 'h', 'b'],
}
/** The words of a corner, in either order: `frontleft`, `leftfront`. */
const corner = (end: keyof typeof ends, side: keyof typeof sides, ...more: readonly string[]) => ({
  end,
  side,
  words: new Set([
    ...more,
    ...ends[end].flatMap(endWord => sides[side].flatMap(sideWord => [endWord + sideWord, sideWord + endWord])),
  ]),
})
const corners = [
  corner('front', 'left'),
  corner('front', 'right'),
  // `RA` is rechts achter, `RL` is rear left
  corner('rear', 'left', 'la', 'al', 'rl', 'lr'),
  corner('rear', 'right', 'ra', 'rr'),
] as const

/**
 * A position on a vehicle of these axles: `2B`, or a corner as the trade calls it: `FL`, `linksvoor`, `AVG`, `HR`. A corner is the
 * outermost wheel of the first or the last axle.
 */
export function positionIn(text: string, axles: readonly Axle[]): Position | null {
  const positions = positionsOf(axles)
  const plain = wordKey(text)
  const exact = positions.find(position => position.toLowerCase() === plain)
  if (exact) return exact
  const match = corners.find(({ words }) => words.has(plain))
  if (!match) return null
  const number = match.end === 'front' ? '1' : positions.at(-1)?.replace(/\D/g, '')
  const onAxle = positions.filter(position => position.replace(/\D/g, '') === number)
  return onAxle.at(match.side === 'left' ? 0 : -1) ?? null
}
