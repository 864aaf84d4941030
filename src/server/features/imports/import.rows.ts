/**
 * What a row of an imported file says: a record to keep, or why it is refused, in words that the person at the terminal
 * can act on. A blank cell says nothing: it changes nothing on what is there already.
 */
import { z } from 'zod'
import { articleKeys, parseDimension, parseLoadIndex, speedSymbols, type ArticleKeys } from '#domain/article.ts'
import { templateFor, type UsualConfiguration } from '#domain/axle.ts'
import { normalizePlate } from '#domain/plate.ts'
import { vehicleKind, vehicleLimits, type VehicleKind } from '#domain/vehicle.ts'
import type { Facts } from '#domain/failure.ts'
import type texts from '../../../../texts/en/import.json'

/** The cells of a row by their column. A column that the file has not got, and a blank cell, are both `null`. */
export type Cells = (column: string) => string | null

/** Something to tell about a file: a text of the namespace `import` with its facts, worded for whoever hears it. */
export type Sentence = { readonly text: keyof typeof texts; readonly facts: Facts }

/** A row that is not taken in, and why. */
export class Refused extends Error {
  readonly why: Sentence
  constructor(text: Sentence['text'], facts: Facts = {}) {
    super(text)
    this.why = { text, facts }
  }
}

/** Says of a row that it is not taken in word for word. */
type Note = (text: Sentence['text'], facts?: Facts) => void

export type Source<T> = {
  /** Columns without which a file cannot be used; one of several names is enough. */
  readonly required: readonly (readonly string[])[]
  readonly optional: readonly string[]
  /** @throws Refused */
  read(cells: Cells, note: Note): T
  /** What two rows about the same thing have in common: a row is refused when one before it `is` what it `isn't` beside. */
  is(record: T): readonly string[]
  isNotBeside(record: T): readonly string[]
  /** What is said of a row about the same thing as one before it. */
  readonly twin: Sentence['text']
}

const whole = (cells: Cells, column: string, { from, to }: { from: number; to: number }): number | null => {
  const text = cells(column)
  if (text === null) return null
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < from || value > to) throw new Refused('not_whole', { column, text, from, to })
  return value
}

const needed = (column: string, text: string | null): string => {
  if (text === null) throw new Refused('blank', { column })
  return text
}

/** A text that must be kept whole or not at all. */
const atMost = (cells: Cells, column: string, limit: number): string | null => {
  const text = cells(column)
  if (text !== null && text.length > limit) throw new Refused('too_long', { column, text, length: text.length, limit })
  return text
}

/** A text that still says enough when it is cut at a word; the person is told. */
const shortened = (text: string, column: string, limit: number, note: Note): string => {
  if (text.length <= limit) return text
  const cut = text
    .slice(0, limit - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
  const space = cut.lastIndexOf(' ')
  const short = `${cut.slice(0, space > limit / 2 ? space : undefined)}…`
  note('shortened', { column, text, short })
  return short
}

const email = (cells: Cells, limit: number): string | null => {
  const text = atMost(cells, 'email', limit)
  if (text !== null && !z.email().safeParse(text).success) throw new Refused('no_email', { text })
  return text
}

// Vehicles --------------------------------------------------------------------------------------------------------------

export type VehicleRow = {
  license_plate: string
  type: VehicleKind
  brand: string
  /** `null`: the file says none; a new vehicle is then described by the word for its kind. */
  description: string | null
  word: string
  number: string | null
  chassis_number: string | null
  driver_name: string | null
  driver_mobile: string | null
  driver_telephone: string | null
  driver_email: string | null
  template: UsualConfiguration | null
}

const vehicles: Source<VehicleRow> = {
  twin: 'same_vehicle',
  required: [['license_plate'], ['kind', 'type'], ['brand'], ['description']],
  optional: ['wheels', 'number', 'chassis_number', 'driver_name', 'mobile_no', 'telephone_no', 'email'],
  read(cells, note) {
    const asWritten = needed('license_plate', cells('license_plate'))
    const plate = normalizePlate(asWritten)
    if (plate === '') throw new Refused('no_plate', { text: asWritten })
    if (plate.length > 40) throw new Refused('plate_too_long', { text: asWritten })
    const column = cells('kind') === null && cells('type') !== null ? 'type' : 'kind'
    const word = needed(column, cells(column))
    const type = vehicleKind(word)
    if (type === 'unknown') throw new Refused('no_kind', { column, text: word })
    const description = cells('description')
    if (description === null) note('word_for_kind')
    const { brand, mobile_no, telephone_no, driver_name } = vehicleLimits
    return {
      license_plate: plate,
      type,
      brand: shortened(needed('brand', cells('brand')), 'brand', brand, note),
      description: description && shortened(description, 'description', vehicleLimits.description, note),
      word: shortened(word, column, vehicleLimits.description, () => {}),
      number: atMost(cells, 'number', 40),
      chassis_number: atMost(cells, 'chassis_number', vehicleLimits.chassis_number),
      driver_name: atMost(cells, 'driver_name', driver_name),
      driver_mobile: atMost(cells, 'mobile_no', mobile_no),
      driver_telephone: atMost(cells, 'telephone_no', telephone_no),
      driver_email: email(cells, vehicleLimits.email),
      template: templateFor(type, whole(cells, 'wheels', { from: 1, to: 99 })),
    }
  },
  is: vehicle => [vehicleKey(vehicle)],
  isNotBeside: vehicle => [vehicleKey(vehicle)],
}

/** A light trailer carries the plate of its car: plate and kind make a vehicle the same as another. */
const vehicleKey = ({ license_plate, type }: VehicleRow): string => `${license_plate} ${type}`

// Articles --------------------------------------------------------------------------------------------------------------

const seasons: Readonly<Record<string, 'summer' | 'winter' | 'all_season' | 'snow'>> = {
  summer: 'summer',
  zomer: 'summer',
  été: 'summer',
  ete: 'summer',
  sommer: 'summer',
  s: 'summer',
  winter: 'winter',
  hiver: 'winter',
  w: 'winter',
  allseason: 'all_season',
  allseasons: 'all_season',
  '4season': 'all_season',
  '4seasons': 'all_season',
  vierseizoenen: 'all_season',
  '4seizoenen': 'all_season',
  toutessaisons: 'all_season',
  '4saisons': 'all_season',
  quatresaisons: 'all_season',
  ganzjahr: 'all_season',
  ganzjahres: 'all_season',
  allwetter: 'all_season',
  a: 'all_season',
  snow: 'snow',
  sneeuw: 'snow',
  neige: 'snow',
  schnee: 'snow',
}

type ArticleRow = ArticleKeys & {
  brand: string
  pattern: string
  description: string
  dimension: string
  width: number | null
  aspect: number | null
  construction: string | null
  rim: number | null
  load_index: number | null
  load_index_dual: number | null
  speed_symbol: string | null
  season: 'summer' | 'winter' | 'all_season' | 'snow' | null
  ean: string | null
  fuel_class: string | null
  wet_class: string | null
  noise_db: number | null
}

/** GS1: the sum of the digits, from the right by turns times 1 and 3, is a multiple of ten. */
const checkDigitFits = (ean: string): boolean =>
  [...ean].reverse().reduce((sum, digit, at) => sum + Number(digit) * (at % 2 ? 3 : 1), 0) % 10 === 0

const labelClass = (cells: Cells, column: string): string | null => {
  const text = cells(column)?.toUpperCase() ?? null
  if (text !== null && !/^[A-G]$/.test(text)) throw new Refused('no_class', { column, text })
  return text
}

/** Tyres carry their article's description, and are found by it in an index: a row of that holds 2,700 bytes. */
const longestDescription = 400

const articles: Source<ArticleRow> = {
  twin: 'same_article',
  required: [['brand'], ['dimension']],
  optional: [
    'pattern',
    'description',
    'load_index',
    'speed_index',
    'speed_symbol',
    'season',
    'ean',
    'fuel_class',
    'wet_class',
    'noise_db',
  ],
  read(cells, note) {
    const brand = needed('brand', cells('brand'))
    const pattern = cells('pattern') ?? ''
    const dimension = needed('dimension', cells('dimension'))
    const size = parseDimension(dimension)
    if (!size) throw new Refused('no_size', { text: dimension })

    const loadText = cells('load_index')
    const load = loadText === null ? null : parseLoadIndex(loadText)
    if (loadText !== null && !load) throw new Refused('no_load', { text: loadText })
    const loadIndex = load ? load.loadIndex : size.loadIndex
    const loadIndexDual = load ? load.loadIndexDual : size.loadIndexDual
    const speedText = (cells('speed_index') ?? cells('speed_symbol'))?.toUpperCase() ?? null
    if (speedText !== null && !Object.hasOwn(speedSymbols, speedText))
      throw new Refused('no_speed', { text: speedText })
    const speedSymbol = speedText ?? size.speedSymbol

    const seasonText = cells('season')
    const season = seasonText === null ? null : seasons[seasonText.toLowerCase().replaceAll(/[^a-zé0-9]/g, '')]
    if (season === undefined) throw new Refused('no_season', { text: seasonText ?? '' })
    const ean = cells('ean')?.replaceAll(/[\s-]/g, '') ?? null
    if (ean !== null && !/^(\d{8}|\d{12,14})$/.test(ean)) throw new Refused('ean_length', { text: ean })
    if (ean !== null && !checkDigitFits(ean)) throw new Refused('ean_check', { text: ean })

    const service = `${[loadIndex, loadIndexDual].filter(index => index !== null).join('/')}${speedSymbol ?? ''}`
    return {
      brand,
      pattern,
      description: shortened(
        cells('description') ?? [brand, pattern, dimension, service].filter(Boolean).join(' '),
        'description',
        longestDescription,
        note,
      ),
      dimension,
      width: size.width,
      aspect: size.aspect,
      construction: size.construction,
      rim: size.rim,
      load_index: loadIndex,
      load_index_dual: loadIndexDual,
      speed_symbol: speedSymbol,
      season,
      ean,
      fuel_class: labelClass(cells, 'fuel_class'),
      wet_class: labelClass(cells, 'wet_class'),
      noise_db: whole(cells, 'noise_db', { from: 40, to: 100 }),
      ...articleKeys({ dimension, loadIndex, speedSymbol, brand, pattern, ean }),
    }
  },
  is: row => [articleKey(row)],
  isNotBeside: row => [articleKey(row)],
}

/** What makes an article the same as another: the unique index `article_once`. */
const articleKey = (row: ArticleRow): string =>
  [
    row.brand_key,
    row.pattern.toUpperCase(),
    row.dimension,
    row.load_index ?? 0,
    row.load_index_dual ?? 0,
    row.speed_symbol ?? '',
  ].join('\t')

// Customers -------------------------------------------------------------------------------------------------------------

type CustomerRow = {
  code: string | null
  name: string
  company: string | null
  street: string | null
  zipcode: string | null
  city: string | null
  email: string | null
}

const customers: Source<CustomerRow> = {
  twin: 'same_customer',
  required: [['name']],
  optional: ['code', 'company', 'street', 'zipcode', 'city', 'email'],
  read: cells => ({
    code: atMost(cells, 'code', 40),
    name: needed('name', atMost(cells, 'name', 100)),
    company: atMost(cells, 'company', 100),
    street: atMost(cells, 'street', 100),
    zipcode: atMost(cells, 'zipcode', 20),
    city: atMost(cells, 'city', 100),
    email: email(cells, 100),
  }),
  // Two codes are two customers, whatever they are called; without a code, name and postcode have to tell them apart.
  is: row => (row.code ? [`code ${row.code.toLowerCase()}`, `coded ${namedAt(row)}`] : [`bare ${namedAt(row)}`]),
  isNotBeside: row =>
    row.code
      ? [`code ${row.code.toLowerCase()}`, `bare ${namedAt(row)}`]
      : [`bare ${namedAt(row)}`, `coded ${namedAt(row)}`],
}

const namedAt = ({ name, zipcode }: CustomerRow): string =>
  `${name.toLowerCase()}\t${(zipcode ?? '').toLowerCase().replaceAll(' ', '')}`

export const sources = { vehicles, articles, customers } as const
export type Kind = keyof typeof sources
