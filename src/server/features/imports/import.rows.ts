/**
 * The records in the rows of imported files. A reader returns the record to save or refuses the row, with a message that the person at
 * the terminal can act on. A blank cell leaves unchanged what exists already.
 */
import {
  articleKeys,
  describeArticle,
  isEan,
  parseLoadIndex,
  plainEan,
  readSize,
  seasonIn,
  speedSymbols,
  withMarks,
  type ArticleKeys,
} from '#domain/tyres/article.ts'
import { templateFor, type UsualConfiguration } from '#domain/vehicles/axle.ts'
import type { Language, LanguageIso } from '#domain/people/account.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import { madeIn, normalizeDot } from '#domain/tyres/dot.ts'
import type { ImportKind } from '#domain/texts/importColumn.ts'
import { nameKey } from '#domain/texts/letters.ts'
import { isLocationName, maxCapacity, maxLocationNameLength, type LocationKind } from '#domain/warehouse/location.ts'
import { normalizePlate } from '#domain/vehicles/plate.ts'
import type { InsertionMethod } from '#domain/site.ts'
import { insertionMethodIn, languageIn, operationTypeIn, rimIn, roleIn, statusIn } from '#domain/texts/spreadsheet.ts'
import { shownText } from '#domain/texts/sheetCell.ts'
import { clampDepth, depth as depthLimits, type OfferedType, type Rim } from '#domain/tyres/tyre.ts'
import { tachometer } from '#domain/operations/operation.ts'
import { isDeceptive, normaliseUsername } from '#domain/people/username.ts'
import { normalizeVatNumber, vatNumberProblem } from '#domain/money/vat.ts'
import { vehicleKind, vehicleLimits, type VehicleKind, yearlyDistance } from '#domain/vehicles/vehicle.ts'
import { accountLimits } from '#contract/customers.ts'
import {
  code,
  day,
  decimal,
  digits,
  email,
  flag,
  limited,
  required,
  shortened,
  understood,
  wholeNumber,
  type Adjusted,
  type Cells,
} from './import.cells.ts'
import { RowRefused, type Message } from './import.refused.ts'
import type { Shown } from './import.shown.ts'

export type RowReader<T> = {
  /** @throws RowRefused */
  read(cells: Cells, adjusted: Adjusted): T
  /** The values of a record that will be saved, by column. */
  shows(record: T): Readonly<Record<string, Shown>>
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
  cost_centre: string | null
  yearly_distance: number | null
  contract_end: IsoDate | null
  driver_name: string | null
  driver_mobile: string | null
  driver_telephone: string | null
  driver_email: string | null
  template: UsualConfiguration | null
  /** The owner as the file names it, by code or name; `null`: the one of the import. */
  customer: string | null
}

const vehicles: RowReader<VehicleRow> = {
  duplicate: 'same_vehicle',
  read(cells, adjusted) {
    const plate = plateOf(cells)
    const word = required('kind', cells('kind'))
    const type = vehicleKind(word)
    if (type === 'unknown') throw new RowRefused('no_kind', { column: 'kind', text: word })
    const description = cells('description')
    if (description === null) adjusted('word_for_kind')
    const { brand, mobile_no, telephone_no, driver_name } = vehicleLimits
    return {
      license_plate: plate,
      type,
      brand: shortened(required('brand', cells('brand')), 'brand', brand, adjusted),
      description: description && shortened(description, 'description', vehicleLimits.description, adjusted),
      word: shortened(word, 'kind', vehicleLimits.description, () => {}),
      number: code(cells, 'number', 40),
      chassis_number: code(cells, 'chassis_number', vehicleLimits.chassis_number),
      cost_centre: code(cells, 'cost_centre', vehicleLimits.cost_centre),
      yearly_distance: wholeNumber(cells, 'yearly_distance', {
        from: yearlyDistance.min,
        to: yearlyDistance.max,
        unit: / ?km$/i,
      }),
      contract_end: day(cells, 'contract_end'),
      driver_name: limited(cells, 'driver_name', driver_name),
      driver_mobile: code(cells, 'mobile_no', mobile_no),
      driver_telephone: code(cells, 'telephone_no', telephone_no),
      driver_email: email(cells, vehicleLimits.email),
      template: templateFor(type, wholeNumber(cells, 'wheels', { from: 1, to: 99 })),
      customer: code(cells, 'customer', 100),
    }
  },
  shows: row => ({
    license_plate: { plate: row.license_plate },
    kind: { word: row.type, of: 'kind' },
    brand: row.brand,
    description: row.description,
    number: row.number,
    chassis_number: row.chassis_number,
    cost_centre: row.cost_centre,
    yearly_distance: { number: row.yearly_distance },
    contract_end: { day: row.contract_end },
    driver_name: row.driver_name,
    mobile_no: row.driver_mobile,
    telephone_no: row.driver_telephone,
    email: row.driver_email,
    customer: row.customer,
  }),
  keys: vehicle => [vehicleKey(vehicle)],
  conflictingKeys: vehicle => [vehicleKey(vehicle)],
}

/** The plate of a row. @throws RowRefused */
function plateOf(cells: Cells): string {
  const asWritten = required('license_plate', code(cells, 'license_plate', 100))
  const plate = normalizePlate(asWritten)
  if (plate === '') throw new RowRefused('no_plate', { text: asWritten })
  if (plate.length > 40) throw new RowRefused('plate_too_long', { text: asWritten })
  return plate
}

/** A vehicle is identified by plate and kind: a light trailer carries the plate of its car. */
const vehicleKey = ({ license_plate, type, customer }: VehicleRow): string =>
  `${license_plate} ${type} ${customer?.toLowerCase() ?? ''}`

// Articles --------------------------------------------------------------------------------------------------------------

export type ArticleRow = ArticleKeys & {
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

/** A size that is told in parts: 205, 55 and 16 are `205/55R16`. `R16C` and `ZR17` keep their letters, `16"` has none. */
function sizeOfParts(cells: Cells): string | null {
  const [width, aspect, rim] = (['width', 'aspect', 'rim_diameter'] as const).map(part => cells(part))
  if (!width || !rim) return null
  const letters = /^[A-Z-]*/i.exec(rim)?.[0] ?? ''
  const inches = rim
    .slice(letters.length)
    .replace(/"$|''$|”$/, '')
    .trim()
  return `${width}${aspect ? `/${aspect}` : ''}${letters || 'R'}${inches}`
}

/** A size with what a file says around it: how many tyres, their DOT code, and marks for the description. */
type RowSize = Size & { readonly count: number | null; readonly dot: string | null; readonly marks: string }

/** The size; columns for load and speed take precedence over what the dimension has. */
function sizeOf(cells: Cells): RowSize {
  const written = code(cells, 'dimension', 100) ?? required('dimension', sizeOfParts(cells))
  const read = readSize(written)
  if (!read) throw new RowRefused('no_size', { text: written })
  const { size, count, dot, rest: marks } = read

  const loadText = cells('load_index')
  const load = loadText === null ? size : parseLoadIndex(loadText)
  if (!load) throw new RowRefused('no_load', { text: loadText ?? '' })
  const speed = cells('speed_index')?.toUpperCase() ?? null
  if (speed !== null && !Object.hasOwn(speedSymbols, speed)) throw new RowRefused('no_speed', { text: speed })
  return {
    dimension: size.written,
    width: size.width,
    aspect: size.aspect,
    construction: size.construction,
    rim: size.rim,
    load_index: load.loadIndex,
    load_index_dual: load.loadIndexDual,
    speed_symbol: speed ?? size.speedSymbol,
    count,
    dot,
    marks,
  }
}

function seasonOf(cells: Cells): ArticleRow['season'] {
  const text = cells('season')
  if (text === null) return null
  const season = seasonIn(text)
  if (season === null) throw new RowRefused('no_season', { text })
  return season
}

/** An EAN as it is kept; a spreadsheet takes the zeros before it away. */
function eanOf(cells: Cells): string | null {
  const cell = cells.cell('ean')
  const text = digits(cells, 'ean')
  if (text === null) return null
  const isNumber = typeof cell !== 'string' && /^\d{9,12}$/.test(text)
  const ean = plainEan(isNumber ? text.padStart(13, '0') : text)
  if (!/^(\d{8}|\d{13,14})$/.test(ean)) throw new RowRefused('ean_length', { text })
  if (!isEan(ean)) throw new RowRefused('ean_check', { text })
  return ean
}

const labelClass = (cells: Cells, column: string): string | null => {
  const text = cells(column)?.toUpperCase() ?? null
  if (text !== null && !/^[A-G]$/.test(text)) throw new RowRefused('no_class', { column, text })
  return text
}

/** An article's description is copied to its tyres and indexed there; an index entry has at most 2,700 bytes. */
const maxDescriptionLength = 400

/** The name of an article whose row gives no description. */
const nameOf = (
  article: { brand: string; pattern: string; dimension: string },
  {
    load_index: loadIndex,
    load_index_dual: loadIndexDual,
    speed_symbol: speed,
  }: Pick<Size, 'load_index' | 'load_index_dual' | 'speed_symbol'>,
): string => describeArticle({ ...article, loadIndex, loadIndexDual, speed })

/** The article of a row that names a brand and a size. */
function articleOf(cells: Cells, adjusted: Adjusted): ArticleRow {
  const brand = required('brand', cells('brand'))
  const pattern = cells('pattern') ?? ''
  const { dimension, count, dot, marks, ...size } = sizeOf(cells)
  // an article has tyres of every week, and any number of them
  if (count !== null) adjusted('count_left_out', { column: 'dimension', text: count })
  if (dot !== null) adjusted('dot_left_out', { column: 'dimension', text: dot })
  const ean = eanOf(cells)
  const { load_index: loadIndex, speed_symbol: speedSymbol } = size
  return {
    brand,
    pattern,
    description: shortened(
      withMarks(cells('description') ?? nameOf({ brand, pattern, dimension }, size), marks),
      'description',
      maxDescriptionLength,
      adjusted,
    ),
    dimension,
    ...size,
    season: seasonOf(cells),
    ean,
    fuel_class: labelClass(cells, 'fuel_class'),
    wet_class: labelClass(cells, 'wet_class'),
    noise_db: wholeNumber(cells, 'noise_db', { from: 40, to: 100, unit: / ?dB$/i }),
    ...articleKeys({ dimension, loadIndex, speedSymbol, brand, pattern, ean }),
  }
}

/** The parts of an article's size that will be saved. */
const sizeShown = (
  row: Pick<ArticleRow, 'dimension' | 'load_index' | 'load_index_dual' | 'speed_symbol'>,
): Record<string, Shown> => {
  const load = [row.load_index, row.load_index_dual].filter(index => index !== null).join('/')
  return {
    dimension: `${row.dimension} ${load}${row.speed_symbol ?? ''}`.trim(),
    load_index: load,
    speed_index: row.speed_symbol,
  }
}

const articles: RowReader<ArticleRow> = {
  duplicate: 'same_article',
  read: articleOf,
  shows: row => ({
    ...sizeShown(row),
    brand: row.brand,
    pattern: row.pattern,
    description: row.description,
    season: { word: row.season, of: 'season' },
    ean: row.ean,
    fuel_class: row.fuel_class,
    wet_class: row.wet_class,
    noise_db: { number: row.noise_db },
  }),
  keys: row => [articleKey(row)],
  conflictingKeys: row => [articleKey(row)],
}

/** The identity of an article, as the unique index `article_once` has it. */
export const articleKey = (
  row: Pick<ArticleRow, 'brand_key' | 'pattern' | 'dimension' | 'load_index' | 'load_index_dual' | 'speed_symbol'>,
): string =>
  [
    row.brand_key,
    row.pattern.toUpperCase(),
    row.dimension,
    row.load_index ?? 0,
    row.load_index_dual ?? 0,
    row.speed_symbol ?? '',
  ].join('\t')

// Customers -------------------------------------------------------------------------------------------------------------

export type CustomerRow = {
  code: string | null
  name: string
  company: string | null
  street: string | null
  zipcode: string | null
  city: string | null
  email: string | null
  vat_number: string | null
}

const customers: RowReader<CustomerRow> = {
  duplicate: 'same_customer',
  read: cells => ({
    code: code(cells, 'code', 40),
    name: required('name', limited(cells, 'name', 100)),
    company: limited(cells, 'company', 100),
    street: limited(cells, 'street', 100),
    zipcode: code(cells, 'zipcode', 20),
    city: limited(cells, 'city', 100),
    email: email(cells, 100),
    vat_number: vatNumber(cells),
  }),
  shows: row => ({ ...row }),
  // Different codes are different customers, even with equal names; without a code, name and postcode identify a customer.
  keys: row =>
    row.code
      ? [`code ${nameKey(row.code)}`, `with code ${nameAndPostcode(row)}`]
      : [`without code ${nameAndPostcode(row)}`],
  conflictingKeys: row =>
    row.code
      ? [`code ${nameKey(row.code)}`, `without code ${nameAndPostcode(row)}`]
      : [`without code ${nameAndPostcode(row)}`, `with code ${nameAndPostcode(row)}`],
}

/** A VAT number, by the rules of the customer's form. */
function vatNumber(cells: Cells): string | null {
  const text = code(cells, 'vat_number', 100)
  if (text === null) return null
  const number = normalizeVatNumber(text)
  const problem = vatNumberProblem(number)
  if (problem !== null) throw new RowRefused(`vat_${problem}`, { text })
  return number
}

/** The key that finds a customer without a code. Postcodes are written with blanks and without. */
export const nameAndPostcode = ({ name, zipcode }: Pick<CustomerRow, 'name' | 'zipcode'>): string =>
  `${nameKey(name)}\t${nameKey(zipcode ?? '').replaceAll(' ', '')}`

// Tyres -----------------------------------------------------------------------------------------------------------------

/** One tyre, or several of the same kind, as a row has them. */
export type TyreRow = {
  license_plate: string
  type: VehicleKind | null
  customer: string | null
  /** With a brand it can be an article of the catalogue. */
  article: Omit<ArticleRow, 'fuel_class' | 'wet_class' | 'noise_db'>
  /** The text after the size: marks of makers, for the description. */
  marks: string
  /** As written; what it means depends on the vehicle. */
  position: string | null
  quantity: number
  set: string | null
  depth: number | null
  depth_date: IsoDate | null
  location: string | null
  site_name: string | null
  stored_since: IsoDate | null
  paid_until: IsoDate | null
  status: ReturnType<typeof statusIn>
  rims: Rim | null
  bolts: boolean | null
  hubcaps: boolean | null
  /** As they are kept. */
  dot: string | null
  retreaded: string | null
  memo: string | null
}

/** A DOT code as it is kept; a spreadsheet takes the zero of `0719` away. */
function dotIn(text: string): string | null {
  const code = normalizeDot(/^\d{3}$/.test(text) ? `0${text}` : text)
  return madeIn(code) ? code : null
}

/** A DOT code that follows a size. @throws RowRefused when it is none */
function dotOfSize(text: string | null): string | null {
  const dot = text === null ? null : dotIn(text)
  if (text !== null && dot === null) throw new RowRefused('no_dot', { column: 'dimension', text })
  return dot
}

/** The longest name of a set, in characters. */
const maxSetName = 40

/** Only with a brand is it one of the catalogue. */
function articleOfTyre(cells: Cells): Pick<RowSize, 'count' | 'dot' | 'marks'> & { article: TyreRow['article'] } {
  const brand = limited(cells, 'brand', 60) ?? ''
  const pattern = limited(cells, 'pattern', 100) ?? ''
  const { dimension, count, dot, marks, ...size } = sizeOf(cells)
  const ean = eanOf(cells)
  const article = {
    brand,
    pattern,
    description: nameOf({ brand, pattern, dimension }, size),
    dimension,
    ...size,
    season: seasonOf(cells),
    ean,
    ...articleKeys({ dimension, loadIndex: size.load_index, speedSymbol: size.speed_symbol, brand, pattern, ean }),
  }
  return { article, count, dot, marks }
}

/** How many tyres a row is; the size may say it, too. @throws RowRefused when both do, and differ */
function quantityOf(cells: Cells, count: number | null): number {
  const quantity = wholeNumber(cells, 'quantity', { from: 1, to: 20 })
  const wanted = quantity ?? count ?? 1
  if (wanted > 20 || wanted < 1 || (count !== null && count !== wanted))
    throw new RowRefused('not_whole', { column: 'quantity', text: count ?? '', from: 1, to: 20 })
  return wanted
}

const tyres: RowReader<TyreRow> = {
  // rows of tyres may be alike: two of one size without a position are two tyres
  duplicate: 'same_vehicle',
  read(cells, adjusted) {
    const plate = plateOf(cells)
    const type = understood(
      cells,
      'kind',
      text => {
        const kind = vehicleKind(text)
        return kind === 'unknown' ? null : kind
      },
      'no_kind',
    )
    const written = decimal(cells, 'depth', 'no_depth', adjusted, { most: depthLimits.max, unit: / ?mm$/i })
    const depth = written === null ? null : clampDepth(written)
    if (written !== null && depth !== written)
      adjusted('depth_clamped', { column: 'depth', text: shownText(cells.cell('depth')), depth: depth ?? 0 })
    const { article, count, dot, marks } = articleOfTyre(cells)
    return {
      license_plate: plate,
      type,
      customer: code(cells, 'customer', 100),
      article,
      marks,
      position: code(cells, 'position', 100),
      quantity: quantityOf(cells, count),
      set: code(cells, 'tyre_set', maxSetName),
      depth,
      depth_date: day(cells, 'depth_date'),
      location: code(cells, 'location', 200),
      site_name: code(cells, 'site_name', 100),
      stored_since: day(cells, 'stored_since'),
      paid_until: day(cells, 'paid_until'),
      status: understood(cells, 'status', statusIn, 'no_status'),
      rims: understood(cells, 'rims', rimIn, 'no_rims'),
      bolts: flag(cells, 'bolts'),
      hubcaps: flag(cells, 'hubcaps'),
      dot: understood(cells, 'dot', dotIn, 'no_dot') ?? dotOfSize(dot),
      retreaded: understood(cells, 'retreaded', dotIn, 'no_dot'),
      memo: limited(cells, 'memo', 500),
    }
  },
  shows: row => ({
    license_plate: { plate: row.license_plate },
    kind: { word: row.type, of: 'kind' },
    customer: row.customer,
    ...sizeShown(row.article),
    brand: row.article.brand,
    pattern: row.article.pattern,
    season: { word: row.article.season, of: 'season' },
    ean: row.article.ean,
    position: row.position,
    quantity: { number: row.quantity },
    tyre_set: row.set,
    depth: { number: row.depth },
    depth_date: { day: row.depth_date },
    location: row.location,
    site_name: row.site_name,
    stored_since: { day: row.stored_since },
    paid_until: { day: row.paid_until },
    status: { word: row.status, of: 'status' },
    rims: { word: row.rims, of: 'rims' },
    bolts: { flag: row.bolts },
    hubcaps: { flag: row.hubcaps },
    dot: row.dot,
    retreaded: row.retreaded,
    memo: row.memo,
  }),
  keys: () => [],
  conflictingKeys: () => [],
}

// Locations -------------------------------------------------------------------------------------------------------------

/** A location: the names on the way down to it, from its warehouse. A blank capacity or walk changes nothing. */
export type LocationRow = {
  way: { kind: LocationKind; name: string }[]
  capacity: number | null
  walk: number | null
}

/** The columns that name a location, by the level of the tree. */
const levels = { site: 'site_name', zone: 'zone', rack: 'rack', shelf: 'shelf', place: 'place' } as const
/** The column of a level; carts and lanes are not imported. */
export const columnOfLevel = (kind: LocationKind): string =>
  kind in levels ? levels[kind as keyof typeof levels] : kind

/** The last number of the walk, as on the screen. */
const maxWalk = 1_000_000_000

const locations: RowReader<LocationRow> = {
  duplicate: 'same_location',
  read(cells) {
    required('site_name', code(cells, 'site_name', maxLocationNameLength))
    const way = (Object.keys(levels) as (keyof typeof levels)[]).flatMap(kind => {
      const column = levels[kind]
      const name = code(cells, column, maxLocationNameLength)
      if (name === null) return []
      if (!isLocationName(name, kind)) throw new RowRefused('no_location_name', { column, text: name })
      return [{ kind, name }]
    })
    return {
      way,
      capacity: wholeNumber(cells, 'capacity', { from: 0, to: maxCapacity }),
      walk: wholeNumber(cells, 'walk', { from: 0, to: maxWalk }),
    }
  },
  shows: row => ({
    ...Object.fromEntries(row.way.map(({ kind, name }) => [columnOfLevel(kind), name])),
    capacity: { number: row.capacity },
    walk: { number: row.walk },
  }),
  keys: row => [locationKey(row)],
  conflictingKeys: row => [locationKey(row)],
}

const locationKey = ({ way }: LocationRow): string => way.map(({ name }) => name.toLowerCase()).join('\t')

// Services --------------------------------------------------------------------------------------------------------------

/** A service of the site; `null` changes nothing. */
export type ServiceRow = {
  name: string
  operation_type: OfferedType
  article_number: string | null
  article_insertion_method: InsertionMethod | null
  description_en: string | null
  description_nl: string | null
  description_fr: string | null
  description_de: string | null
  price_excl: number | null
}

/** The largest price, in EUR, as in the form of a service. */
const maxPrice = 99_999_999

function priceOf(cells: Cells, adjusted: Adjusted): number | null {
  const price = decimal(cells, 'price', 'no_price', adjusted, { unit: /^(?:€|EUR) ?| ?(?:€|EUR)$/i })
  if (price !== null && (price < 0 || price > maxPrice || Math.abs(price * 100 - Math.round(price * 100)) > 1e-6))
    throw new RowRefused('no_price', { column: 'price', text: shownText(cells.cell('price')) })
  return price
}

const services: RowReader<ServiceRow> = {
  duplicate: 'same_service',
  read(cells, adjusted) {
    const number = code(cells, 'article_number', 20)
    if (number !== null && !/^\d+$/.test(number))
      throw new RowRefused('no_article_number', { column: 'article_number', text: number })
    const description = (language: LanguageIso) => limited(cells, `description_${language}`, 200)
    const name = required('name', limited(cells, 'name', 60))
    required('operation_type', cells('operation_type'))
    return {
      name,
      operation_type: understood(cells, 'operation_type', operationTypeIn, 'no_operation_type') ?? 'to_stock',
      article_number: number,
      article_insertion_method: understood(cells, 'insertion_method', insertionMethodIn, 'no_insertion_method'),
      description_en: description('en'),
      description_nl: description('nl'),
      description_fr: description('fr'),
      description_de: description('de'),
      price_excl: priceOf(cells, adjusted),
    }
  },
  shows: ({ operation_type: type, article_insertion_method: method, price_excl: price, ...row }) => ({
    ...row,
    operation_type: { word: type, of: 'operation' },
    insertion_method: { word: method, of: 'insertion' },
    price: { number: price },
  }),
  keys: row => [serviceKey(row)],
  conflictingKeys: row => [serviceKey(row)],
}

/** A service is found again by its name and its type of operation. */
export const serviceKey = ({ name, operation_type: type }: Pick<ServiceRow, 'name' | 'operation_type'>): string =>
  `${type} ${name.toLowerCase()}`

// Accounts --------------------------------------------------------------------------------------------------------------

/** An account of the site; `null` changes nothing. */
export type AccountRow = {
  username: string
  fullname: string | null
  email: string | null
  customer: string | null
  role: ReturnType<typeof roleIn>
  language: Language | null
}

const accounts: RowReader<AccountRow> = {
  duplicate: 'same_account',
  read(cells) {
    const asWritten = required('username', code(cells, 'username', accountLimits.username))
    const username = normaliseUsername(asWritten)
    if (username === '' || username.length > accountLimits.username || isDeceptive(username))
      throw new RowRefused('name_deceptive', { text: asWritten })
    return {
      username,
      fullname: limited(cells, 'fullname', accountLimits.fullname),
      email: email(cells, accountLimits.email),
      customer: code(cells, 'customer', 100),
      role: understood(cells, 'role', roleIn, 'no_role'),
      language: understood(cells, 'language', languageIn, 'no_language'),
    }
  },
  shows: ({ username, fullname, email: address, customer, role }) => ({
    username,
    fullname,
    email: address,
    customer,
    role: { word: role, of: 'role' },
  }),
  keys: row => [row.username.toLowerCase()],
  conflictingKeys: row => [row.username.toLowerCase()],
}

// Odometers -------------------------------------------------------------------------------------------------------------

/** How far a vehicle had run; `day`: `null` for today. */
export type OdometerRow = { license_plate: string; km: number; day: IsoDate | null }

const odometers: RowReader<OdometerRow> = {
  duplicate: 'same_reading',
  read(cells) {
    const km = wholeNumber(cells, 'odometer', { from: tachometer.min, to: tachometer.max, unit: / ?km$/i })
    if (km === null) throw new RowRefused('blank', { column: 'odometer' })
    return { license_plate: plateOf(cells), km, day: day(cells, 'odometer_date') }
  },
  shows: row => ({
    license_plate: { plate: row.license_plate },
    odometer: { number: row.km },
    odometer_date: { day: row.day },
  }),
  keys: row => [readingKey(row)],
  conflictingKeys: row => [readingKey(row)],
}

const readingKey = ({ license_plate, km, day: date }: OdometerRow): string => `${license_plate} ${date ?? ''} ${km}`

export const rowReaders = {
  vehicles,
  tyres,
  articles,
  customers,
  locations,
  services,
  accounts,
  odometers,
} as const satisfies Record<ImportKind, unknown>
