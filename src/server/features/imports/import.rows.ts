/**
 * The records in the rows of imported files. A reader returns the record to save or refuses the row, with a message that the person at
 * the terminal can act on. A blank cell leaves unchanged what exists already.
 */
import { articleKeys, parseDimension, parseLoadIndex, speedSymbols, type ArticleKeys } from '#domain/article.ts'
import { templateFor, type UsualConfiguration } from '#domain/axle.ts'
import { normalizePlate } from '#domain/plate.ts'
import { vehicleKind, vehicleLimits, type VehicleKind } from '#domain/vehicle.ts'
import { email, limited, required, shortened, wholeNumber, type Adjusted, type Cells } from './import.cells.ts'
import { RowRefused, type Message } from './import.messages.ts'

export type RowReader<T> = {
  /** Columns without which a file cannot be used; one of several names is enough. */
  readonly required: readonly (readonly string[])[]
  readonly optional: readonly string[]
  /** @throws RowRefused */
  read(cells: Cells, adjusted: Adjusted): T
  /** The keys of a record. */
  keys(record: T): readonly string[]
  /** A row is refused as a duplicate when one of these is a key of an earlier row. */
  conflictingKeys(record: T): readonly string[]
  /** The message about a duplicate. */
  readonly duplicate: Message['text']
}

// Vehicles --------------------------------------------------------------------------------------------------------------

export type VehicleRow = {
  license_plate: string
  type: VehicleKind
  brand: string
  /** `null`: the file has none; a new vehicle gets `word` instead. */
  description: string | null
  /** The file's word for the kind. */
  word: string
  number: string | null
  chassis_number: string | null
  driver_name: string | null
  driver_mobile: string | null
  driver_telephone: string | null
  driver_email: string | null
  template: UsualConfiguration | null
}

const vehicles: RowReader<VehicleRow> = {
  duplicate: 'same_vehicle',
  required: [['license_plate'], ['kind', 'type'], ['brand'], ['description']],
  optional: ['wheels', 'number', 'chassis_number', 'driver_name', 'mobile_no', 'telephone_no', 'email'],
  read(cells, adjusted) {
    const asWritten = required('license_plate', cells('license_plate'))
    const plate = normalizePlate(asWritten)
    if (plate === '') throw new RowRefused('no_plate', { text: asWritten })
    if (plate.length > 40) throw new RowRefused('plate_too_long', { text: asWritten })
    const column = cells('kind') === null && cells('type') !== null ? 'type' : 'kind'
    const word = required(column, cells(column))
    const type = vehicleKind(word)
    if (type === 'unknown') throw new RowRefused('no_kind', { column, text: word })
    const description = cells('description')
    if (description === null) adjusted('word_for_kind')
    const { brand, mobile_no, telephone_no, driver_name } = vehicleLimits
    return {
      license_plate: plate,
      type,
      brand: shortened(required('brand', cells('brand')), 'brand', brand, adjusted),
      description: description && shortened(description, 'description', vehicleLimits.description, adjusted),
      word: shortened(word, column, vehicleLimits.description, () => {}),
      number: limited(cells, 'number', 40),
      chassis_number: limited(cells, 'chassis_number', vehicleLimits.chassis_number),
      driver_name: limited(cells, 'driver_name', driver_name),
      driver_mobile: limited(cells, 'mobile_no', mobile_no),
      driver_telephone: limited(cells, 'telephone_no', telephone_no),
      driver_email: email(cells, vehicleLimits.email),
      template: templateFor(type, wholeNumber(cells, 'wheels', { from: 1, to: 99 })),
    }
  },
  keys: vehicle => [vehicleKey(vehicle)],
  conflictingKeys: vehicle => [vehicleKey(vehicle)],
}

/** A vehicle is identified by plate and kind: a light trailer carries the plate of its car. */
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

type Size = Pick<
  ArticleRow,
  'dimension' | 'width' | 'aspect' | 'construction' | 'rim' | 'load_index' | 'load_index_dual' | 'speed_symbol'
>

/** The size; columns for load and speed take precedence over what the dimension has. */
function sizeOf(cells: Cells): Size {
  const dimension = required('dimension', cells('dimension'))
  const size = parseDimension(dimension)
  if (!size) throw new RowRefused('no_size', { text: dimension })

  const loadText = cells('load_index')
  const load = loadText === null ? size : parseLoadIndex(loadText)
  if (!load) throw new RowRefused('no_load', { text: loadText ?? '' })
  const speed = (cells('speed_index') ?? cells('speed_symbol'))?.toUpperCase() ?? null
  if (speed !== null && !Object.hasOwn(speedSymbols, speed)) throw new RowRefused('no_speed', { text: speed })
  return {
    dimension,
    width: size.width,
    aspect: size.aspect,
    construction: size.construction,
    rim: size.rim,
    load_index: load.loadIndex,
    load_index_dual: load.loadIndexDual,
    speed_symbol: speed ?? size.speedSymbol,
  }
}

function seasonOf(cells: Cells): ArticleRow['season'] {
  const text = cells('season')
  if (text === null) return null
  const season = seasons[text.toLowerCase().replaceAll(/[^a-zé0-9]/g, '')]
  if (season === undefined) throw new RowRefused('no_season', { text })
  return season
}

function eanOf(cells: Cells): string | null {
  const ean = cells('ean')?.replaceAll(/[\s-]/g, '') ?? null
  if (ean === null) return null
  if (!/^(\d{8}|\d{12,14})$/.test(ean)) throw new RowRefused('ean_length', { text: ean })
  if (!hasValidCheckDigit(ean)) throw new RowRefused('ean_check', { text: ean })
  return ean
}

/** GS1: the sum of the digits, from the right times 1 and 3 in turn, is a multiple of ten. */
const hasValidCheckDigit = (ean: string): boolean =>
  [...ean].reverse().reduce((sum, digit, at) => sum + Number(digit) * (at % 2 ? 3 : 1), 0) % 10 === 0

const labelClass = (cells: Cells, column: string): string | null => {
  const text = cells(column)?.toUpperCase() ?? null
  if (text !== null && !/^[A-G]$/.test(text)) throw new RowRefused('no_class', { column, text })
  return text
}

/** An article's description is copied to its tyres and indexed there; an index entry has at most 2,700 bytes. */
const maxDescriptionLength = 400

const articles: RowReader<ArticleRow> = {
  duplicate: 'same_article',
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
  read(cells, adjusted) {
    const brand = required('brand', cells('brand'))
    const pattern = cells('pattern') ?? ''
    const { dimension, ...size } = sizeOf(cells)
    const season = seasonOf(cells)
    const ean = eanOf(cells)
    const { load_index: loadIndex, load_index_dual: loadIndexDual, speed_symbol: speedSymbol } = size
    const service = `${[loadIndex, loadIndexDual].filter(index => index !== null).join('/')}${speedSymbol ?? ''}`
    return {
      brand,
      pattern,
      description: shortened(
        cells('description') ?? [brand, pattern, dimension, service].filter(Boolean).join(' '),
        'description',
        maxDescriptionLength,
        adjusted,
      ),
      dimension,
      ...size,
      season,
      ean,
      fuel_class: labelClass(cells, 'fuel_class'),
      wet_class: labelClass(cells, 'wet_class'),
      noise_db: wholeNumber(cells, 'noise_db', { from: 40, to: 100 }),
      ...articleKeys({ dimension, loadIndex, speedSymbol, brand, pattern, ean }),
    }
  },
  keys: row => [articleKey(row)],
  conflictingKeys: row => [articleKey(row)],
}

/** What identifies an article, as the unique index `article_once` has it. */
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

const customers: RowReader<CustomerRow> = {
  duplicate: 'same_customer',
  required: [['name']],
  optional: ['code', 'company', 'street', 'zipcode', 'city', 'email'],
  read: cells => ({
    code: limited(cells, 'code', 40),
    name: required('name', limited(cells, 'name', 100)),
    company: limited(cells, 'company', 100),
    street: limited(cells, 'street', 100),
    zipcode: limited(cells, 'zipcode', 20),
    city: limited(cells, 'city', 100),
    email: email(cells, 100),
  }),
  // Two codes are two customers, whatever their names; without a code, name and postcode identify a customer.
  keys: row =>
    row.code
      ? [`code ${row.code.toLowerCase()}`, `with code ${nameAndPostcode(row)}`]
      : [`without code ${nameAndPostcode(row)}`],
  conflictingKeys: row =>
    row.code
      ? [`code ${row.code.toLowerCase()}`, `without code ${nameAndPostcode(row)}`]
      : [`without code ${nameAndPostcode(row)}`, `with code ${nameAndPostcode(row)}`],
}

const nameAndPostcode = ({ name, zipcode }: CustomerRow): string =>
  `${name.toLowerCase()}\t${(zipcode ?? '').toLowerCase().replaceAll(' ', '')}`

export const rowReaders = { vehicles, articles, customers } as const
export type ImportKind = keyof typeof rowReaders
