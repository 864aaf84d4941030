/**
 * The code on a label: which tyre, of which site (SPEC §5 "Barcode", §9; DESIGN §7 "Barcode"), or which stock location, and
 * how it is read from a scanner that acts as a keyboard.
 */
import { layoutNames, meanings, readings, type Keystroke, type Reading } from './keyboard.ts'

export { layoutNames, layouts, typeOn, typeScan, type Keystroke, type Layout } from './keyboard.ts'

/** What a label says: the tyre's id, and the number of the site that stores it. */
export type Scan = { tyre: number; site: number }
/** What the label of a stock location says. */
export type LocationScan = { location: number; site: number }
/** What any label of ours says. */
export type Label = Scan | LocationScan
export const isLocation = (label: Label): label is LocationScan => 'location' in label

/** SPEC §5: what every scan begins and ends with, and what stands between. */
export const scanStart = '#$['
export const scanEnd = ']$#'
const payloadLength = 16
/**
 * What a payload begins with. A tyre's is that of SPEC §5; a location's has another letter in two of its three places, letters
 * that lie on the same key in every layout, so that the one is never read as the other.
 */
const marks = { tyre: 'T$L', location: 'L$P' } as const
type Kind = keyof typeof marks
const kinds = Object.keys(marks) as Kind[]
/** The number of characters of a whole scan, without the Enter or Tab that many scanners add. */
export const scanLength = scanStart.length + payloadLength + scanEnd.length

const tyreDigits = 7
const siteDigits = 4
/** The highest ids that a label can carry. */
export const tyreMax = 36 ** tyreDigits - 1
export const siteMax = 36 ** siteDigits - 1

function base36(value: number, digits: number, what: string): string {
  if (!Number.isInteger(value) || value < 1 || value >= 36 ** digits) throw new RangeError(`no ${what}: ${value}`)
  return value.toString(36).toUpperCase().padStart(digits, '0')
}

function encode(kind: Kind, id: number, site: number): string {
  const ids = `${base36(id, tyreDigits, kind)}+${base36(site, siteDigits, 'site')}`
  return `${scanStart}${marks[kind]}${ids}%${scanEnd}`
}

/** The code for a label: 22 characters with its markers. Throws a RangeError for ids below 1 or beyond the digits. */
export const encodeBarcode = ({ tyre, site }: Scan): string => encode('tyre', tyre, site)

/** The same for the label of a stock location. */
export const encodeLocation = ({ location, site }: LocationScan): string => encode('location', location, site)

// Twelve characters with a plus between them: neither number can pass what a double holds exactly (36^10 < 2^53).
const whole: Readonly<Record<Kind, RegExp>> = {
  tyre: /^#\$\[T\$L(?=.{12}%)([0-9A-Z]+)\+([0-9A-Z]+)%\]\$#$/,
  location: /^#\$\[L\$P(?=.{12}%)([0-9A-Z]+)\+([0-9A-Z]+)%\]\$#$/,
}

function decode(kind: Kind, text: string): { id: number; site: number } | null {
  const [, id, site] = whole[kind].exec(text.trim().toUpperCase()) ?? []
  return id && site ? { id: Number.parseInt(id, 36), site: Number.parseInt(site, 36) } : null
}

/**
 * What a scanned text says; `null` when it is no label of ours (SPEC §5: 'Error decoding scanned barcode'). The plus may
 * stand anywhere in the payload, case doesn't count, and white space around it (an Enter, a Tab) is no part of it.
 */
export function decodeBarcode(text: string): Scan | null {
  const found = decode('tyre', text)
  return found && { tyre: found.id, site: found.site }
}

/** The same for a text that may be the code of a tyre or of a location. */
export function decodeLabel(text: string): Label | null {
  const tyre = decodeBarcode(text)
  if (tyre) return tyre
  const found = decode('location', text)
  return found && { location: found.id, site: found.site }
}

/** Every character of a scan; a dot for one of the two numbers or the plus. */
const forms = kinds.map(kind => `${scanStart}${marks[kind]}${'.'.repeat(12)}%${scanEnd}`)

/**
 * The strokes as a scan, by a way to read them that may leave several characters open. Where the form names the
 * character, it has to be among them; elsewhere exactly one digit, letter or plus has to be.
 */
function fitted(strokes: readonly Keystroke[], reading: Reading, form: string): Label | null {
  let text = ''
  for (const [at, stroke] of strokes.entries()) {
    const named = form.charAt(at)
    const signs = new Set(
      reading(stroke)
        .map(sign => sign.toUpperCase())
        .filter(sign => (named === '.' ? /^[0-9A-Z+]$/.test(sign) : sign === named)),
    )
    const [sign] = signs
    if (sign === undefined || signs.size > 1) return null
    text += sign
  }
  return decodeLabel(text)
}

/** The strokes in the form of whichever label they have: no strokes have that of two. */
function fit(strokes: readonly Keystroke[], reading: Reading): Label | null {
  for (const form of forms) {
    const found = fitted(strokes, reading, form)
    if (found) return found
  }
  return null
}

const same = (a: Label, b: Label): boolean =>
  a.site === b.site &&
  (isLocation(a) ? isLocation(b) && a.location === b.location : !isLocation(b) && a.tyre === b.tyre)

/** What all readings that find something agree on; `null` when they find nothing, or different things. */
function agreed(scans: readonly (Label | null)[]): Label | null {
  const found = scans.filter(scan => scan !== null)
  const [first] = found
  return first && found.every(scan => same(scan, first)) ? first : null
}

const byKey: Reading = stroke => [stroke.key]
const byCode: readonly Reading[] = layoutNames.map(layout => stroke => meanings(layout, stroke))

const silent = new Set(
  'Shift Control Alt AltGraph Meta CapsLock NumLock ScrollLock Fn FnLock Hyper Super Symbol SymbolLock'.split(' '),
)
const isSilent = ({ key }: Keystroke): boolean => silent.has(key)
const isSuffix = ({ key }: Keystroke): boolean => key === 'Enter' || key === 'Tab' || key.trim() === ''

/** The strokes that make characters, without the modifiers around them and the Enter, Tab or spaces behind. */
function characters(strokes: readonly Keystroke[]): readonly Keystroke[] {
  const kept = strokes.filter(stroke => !isSilent(stroke))
  return kept.slice(0, kept.findLastIndex(stroke => !isSuffix(stroke)) + 1)
}

/**
 * What a scanner typed; `null` when it is no label of ours. The last 22 strokes that make a character count, so that a
 * prefix of the scanner's own and an Enter or Tab behind don't matter.
 *
 * Read in this order (DESIGN §7 "Barcode"): by the characters the machine made of the keys; by the keys themselves, as
 * a scanner set to US or to any other of the layouts pressed them (a scanner set to US types `à&é"` on a Belgian
 * AZERTY); where `code` is missing, by the characters as each layout makes them of each other. Caps lock, dead keys and
 * AltGr don't matter.
 *
 * Every pair of the six layouts can be read, with caps lock on or off, and without `code` too: no two of them type the
 * same characters for different scans. Only a dead key that a machine has joined with the next letter (`+E` as `È`, a
 * German machine under a scanner set to US) needs its `code`.
 */
export function readScan(strokes: readonly Keystroke[]): Label | null {
  const typed = characters(strokes).slice(-scanLength)
  if (typed.length < scanLength) return null
  return (
    fit(typed, byKey) ??
    agreed(byCode.map(reading => fit(typed, reading))) ??
    agreed(readings().map(reading => fit(typed, reading)))
  )
}

/**
 * Whether these strokes, or the last of them, begin a scan: the start marker is in them, in whatever characters the
 * layouts of scanner and machine make of it. For a listener that has to tell a scanner from a person early.
 */
export function startsScan(strokes: readonly Keystroke[]): boolean {
  const typed = characters(strokes)
  const ways = [byKey, ...byCode, ...(typed.some(stroke => stroke.code === '') ? readings() : [])]
  return typed.some((_, at) =>
    ways.some(reading =>
      Array.from(scanStart).every((sign, next) => {
        const stroke = typed[at + next]
        return stroke !== undefined && reading(stroke).includes(sign)
      }),
    ),
  )
}
