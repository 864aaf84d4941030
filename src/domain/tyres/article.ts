/**
 * Tyre sizes as the trade writes them, and how an article is found by one (docs/product/tyres.md "Articles"). Sources: the ETRTO Standards Manual and ISO 4000-1, ISO 4209-1 and ISO 5751-1 for designations, load
 * indices and speed symbols; ECE regulation 117 for what counts as a truck tyre.
 */

import { lettersAndDigits } from '../texts/letters.ts'
import type { Season } from './tyre.ts'

/** The speed symbols and the speed in km/h that each stands for. */
export const speedSymbols = {
  A1: 5,
  A2: 10,
  A3: 15,
  A4: 20,
  A5: 25,
  A6: 30,
  A7: 35,
  A8: 40,
  B: 50,
  C: 60,
  D: 65,
  E: 70,
  F: 80,
  G: 90,
  J: 100,
  K: 110,
  L: 120,
  M: 130,
  N: 140,
  P: 150,
  Q: 160,
  R: 170,
  S: 180,
  T: 190,
  U: 200,
  H: 210,
  V: 240,
  W: 270,
  Y: 300,
} as const
type SpeedSymbol = keyof typeof speedSymbols
const isSpeedSymbol = (text: string): text is SpeedSymbol => Object.hasOwn(speedSymbols, text)

/** The highest load index. */
export const maxLoadIndex = 279

export type Dimension = {
  /** The section width, in `unit`. */
  width: number
  /** The height of the sidewall in % of the width; `null` where the size doesn't name it. */
  aspect: number | null
  /** The outer diameter in inch that a flotation size begins with: `31x10.50R15`. */
  diameter: number | null
  /** Radial, radial for high speed, bias belted, diagonal; a dash is a diagonal tyre too. */
  construction: 'R' | 'ZR' | 'B' | 'D' | '-'
  /** The diameter of the rim, in inch. */
  rim: number
  unit: 'mm' | 'inch'
  /** For vans (C), light trucks (LT), or trucks and buses by rim or load; `null` for everything else. */
  commercial: 'C' | 'LT' | 'truck' | null
  loadIndex: number | null
  /** The load index on dual wheels. */
  loadIndexDual: number | null
  speedSymbol: SpeedSymbol | null
  /** Marked XL, RF, reinforced, extra load or HL. */
  extraLoad: boolean
  /** The digits of the size, with which its search keys begin: `2055516`. */
  key: string
  /** The size in one spelling, without load, speed and marks: `205/55R16`, `195/75R16C`, `10.00R20`, `31x10.50R15LT`. */
  written: string
}

/** Letters and digits only, upper case, without accents: `205/55 R16` is `20555R16`. Letters of every script count: КАМА is not БЕЛШИНА. */
export const searchKey = lettersAndDigits

/** Upper case without accents. */
const folded = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase()

/** A metric size has an aspect, a flotation size an outer diameter; a size in inch has neither. */
const sizePattern =
  /^(?<prefix>HL|LT|P|T)? ?(?:(?<metric>\d{2,4}(?:\.\d)?) ?\/ ?(?<aspect>\d{2,3})|(?<diameter>\d{2}(?:\.\d{1,2})?) ?X ?(?<flotation>\d{1,2}(?:\.\d{1,2})?)|(?<plain>\d{1,3}(?:\.\d{1,2})?)) ?(?<letters>Z?R|[QSTUHVW]R|B|D|-) ?(?<rim>\d{1,2}(?:\.\d)?)(?![\d.]) ?(?:(?<suffix>CP?|LT)(?![A-Z]))?/
/** The parts of a size as they are written. */
type SizeTexts = { letters: string; rim: string } & Partial<
  Record<'prefix' | 'metric' | 'aspect' | 'diameter' | 'flotation' | 'plain' | 'suffix', string>
>
const servicePattern = /^ ?\(?(\d{2,3})(?: ?\/ ?(\d{2,3}))? ?(A[1-8]|[A-Z])?\)?(?= |$|\()/
const markPattern =
  /^ ?(?:(XL|RF|REINF|REINFORCED|EXTRA LOAD|EL)|TL|TT|M\/C|M\+S|3PMSF|RFT|ROF|ZP|SSR|RUNFLAT|RUN FLAT|\d{1,2} ?PR)(?= |$|\()/

/** A load index as catalogues write it, also with the one for dual wheels: `91`, `107/105`. `null` when it can't be one. */
export function parseLoadIndex(text: string): { loadIndex: number; loadIndexDual: number | null } | null {
  const [, single, dual] = /^(\d{1,3})(?: ?\/ ?(\d{1,3}))?$/.exec(text.trim()) ?? []
  if (single === undefined) return null
  const loadIndex = Number(single)
  const loadIndexDual = dual === undefined ? null : Number(dual)
  if (loadIndex > maxLoadIndex) return null
  // Two wheels side by side carry a little less each, never more and never half.
  if (loadIndexDual !== null && (loadIndexDual > loadIndex || loadIndexDual < loadIndex - 20)) return null
  return { loadIndex, loadIndexDual }
}

type Service = Pick<Dimension, 'loadIndex' | 'loadIndexDual' | 'speedSymbol' | 'extraLoad'>

/** The load, speed and marks that follow a size. A second load and speed, in brackets, is ignored. */
function parseService(text: string): Service | null {
  const parsed: Service = { loadIndex: null, loadIndexDual: null, speedSymbol: null, extraLoad: false }
  // The speed alone, as people search for it: 205/55R16 V
  const trimmed = text.trim()
  if (isSpeedSymbol(trimmed)) return { ...parsed, speedSymbol: trimmed }
  let rest = text.trimEnd()
  while (rest !== '') {
    const mark = markPattern.exec(rest)
    if (mark) {
      parsed.extraLoad ||= mark[1] !== undefined
      rest = rest.slice(mark[0].length)
      continue
    }
    const [service, single = '', dual, speed = null] = servicePattern.exec(rest) ?? []
    if (service === undefined) return null
    const load = parseLoadIndex(dual === undefined ? single : `${single}/${dual}`)
    if (!load || (speed !== null && !isSpeedSymbol(speed))) return null
    if (parsed.loadIndex === null) Object.assign(parsed, load, { speedSymbol: speed })
    else if (!service.includes('(')) return null
    rest = rest.slice(service.length)
  }
  return parsed
}

/** The digits of a number. */
const digitsOf = (number: string): string => number.replace('.', '')
/** The digits of a flotation size's width: `31x10.5R15` and `31x10.50R15` are the same size. */
function twoDecimals(width: string, point = ''): string {
  const [whole = '', decimals] = width.split('.')
  return decimals === undefined ? whole : `${whole}${point}${decimals.padEnd(2, '0')}`
}

/**
 * A size as the trade writes it: `205/55R16 91V`, `225/45 ZR17 94Y XL`, `195/75R16C 107/105R`, `315/80 R22.5 156/150L`,
 * `31x10.50R15LT`, `P215/65R15 95H`, `7.50R16`, `10R22.5`, `120/70ZR17 (58W)`, `130/90B16`, `6.50-16LT`. Load, speed and
 * marks may be missing. `null` for anything else.
 */
export function parseDimension(text: string): Dimension | null {
  const line = respelled(
    folded(text)
      .replaceAll(/(\d),(\d)/g, '$1.$2')
      .replaceAll(/\s+/g, ' ')
      .replaceAll('×', 'X')
      .trim(),
  )
  const size = sizePattern.exec(line)
  const service = size && parseService(line.slice(size[0].length))
  if (!size || !service) return null
  const texts = size.groups as SizeTexts
  const measures = measuresOf(texts)
  if (!isPossible(measures)) return null

  // In 205/55HR16 the speed stands before the R.
  const speedBeforeR = /^[QSTUHVW]R$/.test(texts.letters)
  const dimension = {
    ...measures,
    ...service,
    construction: speedBeforeR ? 'R' : (texts.letters as Dimension['construction']),
    speedSymbol: service.speedSymbol ?? (speedBeforeR ? (texts.letters.charAt(0) as SpeedSymbol) : null),
    extraLoad: service.extraLoad || texts.prefix === 'HL',
  }
  return {
    ...dimension,
    commercial: commercialMark(texts) ?? (isTruck(dimension) ? 'truck' : null),
    key: sizeKey(texts),
    written: writtenSize(texts, dimension.construction),
  }
}

/** A metric size with one sign between its three numbers, as lists have it: `205/55/16`, `205-55-16`, `205.55.16`, `205 55 16`. */
const evenly = /^(\d\d5)([/. -])([2-9][05])\2(1\d|2[0-6])(?![\d.])/
/** The same in one number, `2055516`; as a word of a search it is found by its digits. */
const compact = /^(\d\d5)([2-9][05])(1\d|2[0-4])$/
/** The old spelling of `185R14C`. */
const withoutRatio = /^(\d\d5)\/(1\d)(?=CP?\b)/

/** A size with what people write around it taken off, and a radial one in the spelling that has its R. */
const respelled = (line: string): string =>
  line
    .replace(/^\((.*)\)$/, '$1')
    .replace(/^Ø ?/, '')
    .replace(/^([^"”]*\d)(?:''|["”])/, '$1')
    .replace(evenly, '$1/$3R$4')
    .replace(withoutRatio, '$1R$2')

/** The one spelling of a size: load, speed and the marks of a car or a reinforced tyre are told beside it. */
function writtenSize(texts: SizeTexts, construction: string): string {
  const { prefix, metric, aspect, diameter, flotation = '', plain, rim } = texts
  const before =
    metric === undefined
      ? diameter === undefined
        ? (plain ?? '')
        : `${diameter}x${twoDecimals(flotation, '.')}`
      : `${metric}/${aspect}`
  return `${prefix === 'T' ? 'T' : ''}${before}${construction}${rim}${commercialMark(texts) ?? ''}`
}

type Measures = Pick<Dimension, 'width' | 'aspect' | 'diameter' | 'rim' | 'unit'>

function measuresOf({ metric, aspect, diameter, flotation, plain, rim }: SizeTexts): Measures {
  const width = Number(metric ?? flotation ?? plain)
  return {
    width,
    aspect: aspect === undefined ? null : Number(aspect),
    diameter: diameter === undefined ? null : Number(diameter),
    rim: Number(rim),
    unit: width < 60 ? 'inch' : 'mm',
  }
}

/** Whether there can be a tyre of such measures. */
function isPossible({ width, aspect, diameter, rim, unit }: Measures): boolean {
  if (width < 2 || rim < 4 || rim > 63) return false
  // From 50 inches on there are earthmover tyres only; in millimetres nothing is so narrow.
  if (width >= 50 && width < 60 && rim < 49) return false
  if (aspect !== null && (aspect < 20 || aspect > 110)) return false
  if (diameter !== null) return diameter > rim
  // In 255-45 20 the 45 is no rim.
  return aspect !== null || unit === 'inch' || rim <= 20
}

const commercialMark = ({ prefix, suffix }: SizeTexts): 'C' | 'LT' | null =>
  suffix === 'LT' || prefix === 'LT' ? 'LT' : suffix === undefined ? null : 'C'

/** The digits of a size, with which its search keys begin. */
const sizeKey = ({ metric, aspect = '', diameter = '', flotation, plain = '', rim }: SizeTexts): string =>
  [
    digitsOf(diameter),
    flotation === undefined ? digitsOf(metric ?? plain) : twoDecimals(flotation),
    aspect,
    digitsOf(rim),
  ].join('')

/**
 * Whether a size without C or LT is a truck's. Rims with a half inch from 17.5 on are made for trucks only, sizes in inch from
 * 20 on nearly so; otherwise the load decides. Unmarked tyres for off-road cars carry as much: flotation sizes, and metric sizes
 * with a load for dual wheels.
 */
function isTruck(size: Omit<Dimension, 'commercial' | 'key' | 'written'>): boolean {
  const { rim, unit, aspect, diameter, construction, loadIndex, loadIndexDual } = size
  if (rim % 1 === 0.5 && rim >= 17.5) return true
  if (diameter !== null) return false
  if (unit === 'inch' && aspect === null && construction === 'R' && rim >= 20) return true
  return loadIndex !== null && loadIndex >= 122 && (aspect === null || loadIndexDual === null)
}

/** Where in a description its size begins: behind the brand or before it. */
const sizeStart = /(?:HL|LT|P|T)?\d{1,3}(?:[.,]\d+)?(?: ?[/x×X] ?\d|[RBD-]\d)/g

/** The size in the description of a tyre: `Michelin Alpin 6 205/55R16 91H`; `null` where there is none. */
export function dimensionIn(description: string): Dimension | null {
  for (const { index } of description.matchAll(sizeStart)) {
    const words = description.slice(index).split(' ')
    // The size is at most four words long, and what follows it is a brand or a pattern.
    for (let end = Math.min(words.length, 5); end > 0; end -= 1) {
      const size = parseDimension(words.slice(0, end).join(' '))
      if (size) return size
    }
  }
  return null
}

/** The keys that an article is looked up by. They consist of digits and upper case letters and are compared byte by byte. */
export type ArticleKeys = {
  /** The digits of the size with the speed symbol: `2055516V`. */
  speed_key: string
  /** The same with the load index between: `205551691V`; of two load indices the one for single wheels. */
  load_key: string
  /** The letters and digits of the brand. */
  brand_key: string
  /** Everything that a text search looks through, upper case without accents. */
  words: string
}

/**
 * The keys that an article is stored with. A size that can't be parsed is found by its letters and digits. `loadIndex`
 * and `speedSymbol` count before those in the size's own text.
 */
export function articleKeys({
  dimension,
  loadIndex,
  speedSymbol,
  brand = '',
  pattern = '',
  ean,
}: {
  dimension: string
  loadIndex?: number | null | undefined
  speedSymbol?: string | null | undefined
  brand?: string
  pattern?: string
  ean?: string | null | undefined
}): ArticleKeys {
  const parsed = parseDimension(dimension)
  const size = parsed?.key ?? searchKey(dimension)
  const load = loadIndex ?? parsed?.loadIndex ?? ''
  const speed = searchKey(speedSymbol ?? parsed?.speedSymbol ?? '')
  const speed_key = `${size}${speed}`
  const load_key = `${size}${load}${speed}`
  const words = [brand, pattern, dimension, `${load}${speed}`, speed_key, load_key, plainEan(ean ?? '')]
  return {
    speed_key,
    load_key,
    brand_key: searchKey(brand),
    words: folded(words.join(' ')).replaceAll(/\s+/g, ' ').trim(),
  }
}

export type ArticleSearch =
  | { kind: 'dimension'; prefix: string; brand: string | null }
  | { kind: 'text'; words: string[]; brand: string | null }

/**
 * A search of articles: a size with speed, or with load and speed, then optionally `*` and the beginning of a brand:
 * `2055516V*mich`. Of the size only digits and letters count, and it may be unfinished; the keys of `articleKeys` begin with
 * `prefix`. Anything else before the `*` is a text search, whose words all have to be found; a size among them becomes the digits
 * of its key.
 */
export function parseArticleSearch(text: string): ArticleSearch {
  const at = text.indexOf('*')
  const sought = folded(at < 0 ? text : text.slice(0, at)).trim()
  const brand = at < 0 ? null : searchKey(text.slice(at + 1)) || null
  const prefix = sizePrefix(sought)
  if (prefix !== null) return { kind: 'dimension', prefix, brand }
  const words = sought.split(/\s+/).filter(Boolean)
  return {
    kind: 'text',
    words: words.map(word => (isEan(word) ? plainEan(word) : (parseDimension(word)?.key ?? word))),
    brand,
  }
}

// Digits of a size, its construction and rim or not, van or light truck or not, load or not, speed or not.
const typedSize = /^(?:HL|LT|P|T)?(\d+)(?:X(\d+))?(?:(ZR?|[RBD])(\d*))?(?:(?:CP?|LT)(\d*))?(A[1-8]|[A-Z])?(?:XL|RF)?$/
/** With fewer digits it is no size yet; with more, and without a speed symbol, an EAN. */
const minDigits = 3
const maxDigits = 11
/** A size with width, aspect and rim; a letter behind it is the speed, before it is the construction. */
const wholeDigits = 7

function sizePrefix(sought: string): string | null {
  const parsed = parseDimension(sought)
  if (parsed) return `${parsed.key}${parsed.loadIndex ?? ''}${parsed.speedSymbol ?? ''}`
  const typed = typedSize.exec(searchKey(withoutDual(sought)))
  if (!typed) return null
  const parts = typed.slice(1).map((part: string | undefined) => part ?? '')
  const [first, second, letters, third, fourth, last] = parts as [string, string, string, string, string, string]
  const digits = `${first}${second}${third}${fourth}`
  const speed = last || (third === '' ? letters : '')
  if (digits.length < minDigits || (speed === '' && digits.length > maxDigits)) return null
  if (last === '' && digits.length < wholeDigits) return digits
  if (speed === 'Z' || speed === 'ZR') return digits
  return speed === '' || isSpeedSymbol(speed) ? `${digits}${speed}` : null
}

// A whole metric size without separators: only rims with a half inch have three digits.
const compactDual = /^(\d{5}(?:175|195|225|245|(?!175|195|225|245)[12]\d))C?(\d{2,3})(\d{2,3})([A-Z])$/
/** With fewer digits the slash belongs to the size: `205 60/16`. */
const minDigitsBeforeDual = 5
const spacedDual = /^(\S.*) (\d{2,3}) ?\/ ?(\d{2,3}) ?([A-Z]?)$/

/** Keys have one load index: of `1957516 107/105R` and `1957516C107105R` the one for dual wheels is left out. */
function withoutDual(sought: string): string {
  const [, size, load, dual, speed] = compactDual.exec(sought) ?? spacedDual.exec(sought) ?? []
  if (size === undefined || size.replaceAll(/\D/g, '').length < minDigitsBeforeDual) return sought
  return parseLoadIndex(`${load}/${dual}`) ? `${size}${load}${speed}` : sought
}

// Articles as files describe them -------------------------------------------------------------------------------------

/** Words for the seasons in four languages. */
const seasonWords: Readonly<Record<string, Season>> = {
  summer: 'summer',
  zomer: 'summer',
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
  allwetterreifen: 'all_season',
  winterband: 'winter',
  winterbanden: 'winter',
  winterreifen: 'winter',
  pneuhiver: 'winter',
  zomerband: 'summer',
  zomerbanden: 'summer',
  sommerreifen: 'summer',
  ganzjahresreifen: 'all_season',
}

/** The season that a word names, in four languages; `null` for none. */
export const seasonIn = (text: string): Season | null => seasonWords[lettersAndDigits(text).toLowerCase()] ?? null

/**
 * The digits of an EAN as it is kept: a UPC of 12 digits and a GTIN of 14 that begins with 0 are the EAN of 13 digits of the same
 * product, one of 13 that begins with five zeros is the EAN-8. Blanks, dashes and the prefix that scanners put before a code
 * (ISO 15424: `]E0`) are left out. Another text stays as it is.
 */
export function plainEan(text: string): string {
  const digits = text
    .trim()
    .replace(/^\]E[0-4]/i, '')
    .replaceAll(/[\s-]/g, '')
  if (!/^(\d{8}|\d{12,14})$/.test(digits)) return digits
  const whole = digits.padStart(13, '0').replace(/^0(?=\d{13}$)/, '')
  return whole.length === 13 ? whole.replace(/^00000(?=\d{8}$)/, '') : whole
}

/** Whether this is an EAN of 8, 12, 13 or 14 digits with the right check digit. */
export const isEan = (text: string): boolean => {
  const ean = plainEan(text)
  return /^(\d{8}|\d{13,14})$/.test(ean) && hasValidCheckDigit(ean)
}

/** GS1: the sum of the digits, from the right times 1 and 3 in turn, is a multiple of ten. */
const hasValidCheckDigit = (ean: string): boolean =>
  [...ean].reverse().reduce((sum, digit, at) => sum + Number(digit) * (at % 2 ? 3 : 1), 0) % 10 === 0

/** The name of an article that has no description of its own. */
export const describeArticle = ({
  brand,
  pattern,
  dimension,
  loadIndex,
  loadIndexDual,
  speed,
}: {
  brand: string
  pattern: string
  dimension: string
  loadIndex: number | null
  loadIndexDual: number | null
  speed: string | null
}): string => {
  const service = `${[loadIndex, loadIndexDual].filter(index => index !== null).join('/')}${speed ?? ''}`
  return [brand, pattern, dimension, service].filter(Boolean).join(' ')
}

/** A size in one spelling, without load and speed: `205/55R16`, `195/75R16C`. A text that is no size is returned as it is written. */
export const plainSize = (text: string): string => parseDimension(text)?.written ?? text

/** A size as a file has it, with what stands around it. */
export type SizeReading = {
  readonly size: Dimension
  /** How many tyres it says: `4x 205/55R16`. */
  readonly count: number | null
  /** The DOT code behind it, as it is written. */
  readonly dot: string | null
  /** Marks of makers and what else follows: `AO`, `ContiSeal`. */
  readonly rest: string
}

const counted = /^(\d{1,2}) ?[xX×*] ?(?=(?:HL|LT|P|T)?\d{3}\D)/
/** Text after a size that is neither load, speed nor a mark, but must not be lost from a description. */
const telling = /^(?:\+|&|[xX×]\d+|\d+[xX×]?|\d+(?:st|stk|pcs|stuks))$/i

/**
 * A size with what a file says around it; load, speed and marks may stand in any order. `null` where there is no size, two of them, or
 * where a number follows that could be a load or a quantity and can't be read.
 */
export function readSize(text: string): SizeReading | null {
  const plain = text.normalize('NFKC').replaceAll(/\*/g, ' * ').replaceAll(/\s+/g, ' ').trim()
  const count = counted.exec(plain)
  const line = (count ? plain.slice(count[0].length) : plain).replace(compact, '$1/$2R$3')
  const words = line.split(' ')
  let end = Math.min(words.length, 6)
  while (end > 0 && !parseDimension(words.slice(0, end).join(' '))) end--
  if (end === 0) return null
  let taken = words.slice(0, end).join(' ')
  const rest: string[] = []
  let dot: string | null = null
  for (let at = end; at < words.length; at++) {
    const word = words[at] ?? ''
    const pair = `${taken} ${word} ${words[at + 1] ?? ''}`
    if (/^DOT/i.test(word) && dot === null) {
      // groups of letters and digits, of which the last has week and year
      const last = words.findIndex((group, nth) => nth >= at && /\d{4}$/.test(group))
      dot = words.slice(at, last < 0 ? undefined : last + 1).join(' ')
      at = last < 0 ? words.length : last
    } else if (parseDimension(`${taken} ${word}`)) taken += ` ${word}`
    else if (words[at + 1] !== undefined && parseDimension(pair)) {
      taken = pair
      at++
    } else rest.push(word)
  }
  const size = parseDimension(taken)
  const isUnclear = rest.some(
    (word, at) => telling.test(word) || parseDimension(rest.slice(at).join(' ')) || parseDimension(word),
  )
  if (!size || isUnclear || (size.loadIndex === null && rest.some(word => /^\(?\d/.test(word)))) return null
  return { size, count: count ? Number(count[1]) : null, dot, rest: rest.join(' ') }
}

/** A description with what followed the size, unless it says that already. */
export const withMarks = (description: string, marks: string): string =>
  marks === '' || description.toUpperCase().includes(marks.toUpperCase()) ? description : `${description} ${marks}`
