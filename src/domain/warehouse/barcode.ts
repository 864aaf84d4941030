/**
 * The code on a label: which tyre of which site, or which stock location (docs/product/warehouse.md "Barcodes"), and how it is read from a
 * scanner that acts as a keyboard.
 */
import { damageCodes } from './damage.ts'
import { allReadings, layoutNames, possibleCharacters, type Keystroke, type Reading } from '../texts/keyboard.ts'

export { layoutNames, typeOn, typeScan, type Keystroke, type Layout } from '../texts/keyboard.ts'

/** The label of a tyre: the tyre's id, and the number of the site that stores it. */
export type Scan = { tyre: number; site: number }
/** The label of a stock location. */
export type LocationScan = { location: number; site: number }
/**
 * The commands on the command sheet, each in place of a button. A barcode holds the position of its command in this list, so a
 * command that has been printed keeps its position for ever.
 */
export const commands = [
  'confirm',
  'undo',
  'missing',
  'print',
  'next',
  'measure',
  'gate',
  'damaged',
  ...damageCodes,
] as const
export type Command = (typeof commands)[number]
/** The barcode of a command. */
export type CommandScan = { command: Command; site: number }
/** Any label of the portal. */
export type Label = Scan | LocationScan | CommandScan
export const isLocation = (label: Label): label is LocationScan => 'location' in label
export const isCommand = (label: Label): label is CommandScan => 'command' in label

/** The start marker of every scan. The payload stands between it and the end marker. */
export const scanStart = '#$['
export const scanEnd = ']$#'
const payloadLength = 16
/**
 * The first characters of a payload, by kind. Marks differ in two of their three characters, letters that are on the same key in
 * every layout, so no mark is ever read as another.
 */
const marks = { tyre: 'T$L', location: 'L$P', command: 'C$K' } as const
type Kind = keyof typeof marks
const kinds = Object.keys(marks) as Kind[]
/** The number of characters of a whole scan, without the Enter or Tab that many scanners add. */
export const scanLength = scanStart.length + payloadLength + scanEnd.length

const tyreDigits = 7
const siteDigits = 4
/** The highest ids that a label can carry. */
export const maxTyreId = 36 ** tyreDigits - 1
export const maxSiteId = 36 ** siteDigits - 1

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

/** The same for the barcode of a command. */
export const encodeCommand = ({ command, site }: CommandScan): string =>
  encode('command', commands.indexOf(command) + 1, site)

// Twelve characters with a plus between them: neither number can pass what a double holds exactly (36^10 < 2^53).
const scanPatterns: Readonly<Record<Kind, RegExp>> = {
  tyre: /^#\$\[T\$L(?=.{12}%)([0-9A-Z]+)\+([0-9A-Z]+)%\]\$#$/,
  location: /^#\$\[L\$P(?=.{12}%)([0-9A-Z]+)\+([0-9A-Z]+)%\]\$#$/,
  command: /^#\$\[C\$K(?=.{12}%)([0-9A-Z]+)\+([0-9A-Z]+)%\]\$#$/,
}

function decode(kind: Kind, text: string): { id: number; site: number } | null {
  const [, id, site] = scanPatterns[kind].exec(text.trim().toUpperCase()) ?? []
  return id && site ? { id: Number.parseInt(id, 36), site: Number.parseInt(site, 36) } : null
}

/**
 * The label of a scanned text; `null` when it is none of the portal. The plus may stand anywhere in the payload; case, and white
 * space around the text (an Enter, a Tab), are ignored.
 */
export function decodeBarcode(text: string): Scan | null {
  const payload = decode('tyre', text)
  return payload && { tyre: payload.id, site: payload.site }
}

/** The same for a text that may be any label. */
export function decodeLabel(text: string): Label | null {
  const tyre = decodeBarcode(text)
  if (tyre) return tyre
  const location = decode('location', text)
  if (location) return { location: location.id, site: location.site }
  const payload = decode('command', text)
  const command = payload && commands[payload.id - 1]
  return command ? { command, site: payload.site } : null
}

/** The characters of a scan, with a dot for those of the two numbers and the plus. */
const templates = kinds.map(kind => `${scanStart}${marks[kind]}${'.'.repeat(12)}%${scanEnd}`)

/**
 * The keystrokes as a scan, by a reading that may leave several characters open. Where the template names the character, it has to
 * be among them; elsewhere exactly one of them has to be a digit, letter or plus.
 */
function match(strokes: readonly Keystroke[], reading: Reading, template: string): Label | null {
  let text = ''
  for (const [at, stroke] of strokes.entries()) {
    const expected = template.charAt(at)
    const signs = new Set(
      reading(stroke)
        .map(sign => sign.toUpperCase())
        .filter(sign => (expected === '.' ? /^[0-9A-Z+]$/.test(sign) : sign === expected)),
    )
    const [sign] = signs
    if (sign === undefined || signs.size > 1) return null
    text += sign
  }
  return decodeLabel(text)
}

/** The label that the keystrokes match: they never match two. */
function matchAny(strokes: readonly Keystroke[], reading: Reading): Label | null {
  for (const template of templates) {
    const label = match(strokes, reading, template)
    if (label) return label
  }
  return null
}

const encodeLabel = (label: Label): string =>
  isLocation(label) ? encodeLocation(label) : isCommand(label) ? encodeCommand(label) : encodeBarcode(label)
const same = (a: Label, b: Label): boolean => encodeLabel(a) === encodeLabel(b)

/** The label on which all readings that find one agree; `null` when none finds one, or they find different ones. */
function agreed(scans: readonly (Label | null)[]): Label | null {
  const labels = scans.filter(scan => scan !== null)
  const [first] = labels
  return first && labels.every(scan => same(scan, first)) ? first : null
}

const byKey: Reading = stroke => [stroke.key]
const byCode: readonly Reading[] = layoutNames.map(layout => stroke => possibleCharacters(layout, stroke))

const modifiers = new Set(
  'Shift Control Alt AltGraph Meta CapsLock NumLock ScrollLock Fn FnLock Hyper Super Symbol SymbolLock'.split(' '),
)
const isModifier = ({ key }: Keystroke): boolean => modifiers.has(key)
const isSuffix = ({ key }: Keystroke): boolean => key === 'Enter' || key === 'Tab' || key.trim() === ''

/** The keystrokes that make characters, without modifiers and without Enter, Tab or spaces at the end. */
function characters(strokes: readonly Keystroke[]): readonly Keystroke[] {
  const kept = strokes.filter(stroke => !isModifier(stroke))
  return kept.slice(0, kept.findLastIndex(stroke => !isSuffix(stroke)) + 1)
}

/**
 * The label that a scanner typed; `null` when it is not one of the portal's. The last 22 keystrokes that produce a character count, so
 * a prefix that the scanner adds, and an Enter or Tab at the end, don't matter.
 *
 * Keystrokes are read in this order: by the characters that the machine produced; by the physical keys, as a scanner set to any of the
 * layouts pressed them (a scanner set to US types `à&é"` on a Belgian AZERTY); where `code` is missing, by the characters of one layout
 * read as another. Caps lock, dead keys and AltGr don't matter.
 *
 * Every pair of the six layouts can be read, with caps lock on or off, and without `code` too: no two of them type the
 * same characters for different scans. Only a dead key that a machine has joined with the next letter (`+E` as `È`, a
 * German machine under a scanner set to US) needs its `code`.
 */
export function readScan(strokes: readonly Keystroke[]): Label | null {
  const typed = characters(strokes).slice(-scanLength)
  if (typed.length < scanLength) return null
  return (
    matchAny(typed, byKey) ??
    agreed(byCode.map(reading => matchAny(typed, reading))) ??
    agreed(allReadings().map(reading => matchAny(typed, reading)))
  )
}

/**
 * Whether these keystrokes, or the last of them, begin a scan: whether they contain the start marker in the characters that any pair
 * of scanner and machine layouts produces. For a listener that has to tell a scanner from a person early.
 */
export function startsScan(strokes: readonly Keystroke[]): boolean {
  const typed = characters(strokes)
  const ways = [byKey, ...byCode, ...(typed.some(stroke => stroke.code === '') ? allReadings() : [])]
  return typed.some((_, at) =>
    ways.some(reading =>
      Array.from(scanStart).every((sign, next) => {
        const stroke = typed[at + next]
        return stroke !== undefined && reading(stroke).includes(sign)
      }),
    ),
  )
}

/**
 * A scanned text that is no label of ours, such as an EAN or a document number: the characters that the machine produced, or those of
 * the physical keys where the former contain characters that such codes don't have (a scanner set to US types `à&é"` on a Belgian AZERTY).
 */
export function readText(strokes: readonly Keystroke[]): string {
  const typed = characters(strokes)
  const text = typed.map(({ key }) => key).join('')
  const byKeys = typed
    .map(({ code }) => /^(?:Digit|Numpad|Key)([0-9A-Z])$/.exec(code)?.[1] ?? (code === 'Minus' ? '-' : ''))
    .join('')
  return /^[0-9A-Za-z#./ -]+$/.test(text) || byKeys.length < typed.length ? text : byKeys
}
