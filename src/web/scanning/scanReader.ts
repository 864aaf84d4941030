/**
 * Tells a barcode scanner that acts as a keyboard from a person who types (docs/product/warehouse.md "Intake", docs/product/warehouse.md "Barcodes").
 *
 * A scanner is recognised by its start marker, in any characters that a keyboard layout makes of it, or by its speed. Pure: it takes keystrokes with
 * their times and decides on each; `scanListener.ts` connects it to the page.
 */
import {
  type Keystroke,
  type Label,
  readScan,
  readText,
  scanLength,
  scanStart,
  startsScan,
} from '#domain/warehouse/barcode.ts'

/** The target of a key: a text field that may be in use, or anything else on the page. */
export type KeyTarget = 'page' | 'field'

export type Verdict =
  /** A person's key: leave it alone. */
  | { kind: 'pass' }
  /** A scanner's key: the page shall not react to it. */
  | { kind: 'swallow' }
  /** The label is complete. The key that completed it is swallowed. `since` is when its first key came. */
  | { kind: 'label'; label: Label; since: number }
  /** Something was scanned that is no label of ours (docs/product/warehouse.md "Barcodes"). */
  | { kind: 'unreadable'; since: number; text: string }

/**
 * Milliseconds between two keys. People who type fast stay above the first on average, slow radio scanners below the second.
 * Radio scanners send their closing Enter or Tab up to a second after the code; the tenth more is for clocks that round.
 */
export const pace = { speed: 65, marked: 300, suffix: 1100 } as const
/** From this many quick keys on, keys outside a field belong to a scanner: people don't press three keys in a tenth of a second on a button. */
const quickKeys = 3
/** The shortest codes in use on tyres and racks (EAN-8) have eight characters; fewer quick keys are no scan. */
const shortestCode = 8
const longestCode = 80
/** Some scanners send two keys at the end, such as Enter and Tab; the next one is a person's. */
const mostSuffixes = 2

const modifiers = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'NumLock', 'Fn', 'OS'])
const suffixes = new Set(['Enter', 'Tab'])
const pass: Verdict = { kind: 'pass' }
const swallow: Verdict = { kind: 'swallow' }

export type KeyPress = Keystroke & {
  /** Milliseconds on any monotonic clock. */
  at: number
  place: KeyTarget
  /** Control or Meta is held without Alt: a shortcut. (Control with Alt is how Windows reports AltGr.) */
  shortcut?: boolean
  /** The key is held down and repeats. */
  repeat?: boolean
}

// Several characters are the name of a key ("ArrowDown"); a dead key and a key that an input method took count by their place.
const prints = (key: string): boolean =>
  [...key].length === 1 || key === 'Dead' || key === 'Unidentified' || key === 'Process'

/** A reader of one keyboard. Call `key` for each keydown, and `pause` when no key came for a while. */
export function scanReader() {
  let strokes: Keystroke[] = []
  let since = 0
  let lastAt = Number.NEGATIVE_INFINITY
  let place: KeyTarget = 'page'
  let marked = false
  let suffixUntil = Number.NEGATIVE_INFINITY
  let suffixesLeft = 0

  /** A label that a pause ended before the rest of its keys was delivered. Their times show that they belong to it. */
  let cut: { strokes: Keystroke[]; since: number; until: number } | null = null

  /** The last keys, however slow: as many as a start marker has. */
  let recent: { stroke: Keystroke; at: number }[] = []

  const forget = () => {
    strokes = []
    marked = false
  }
  const awaitSuffix = (from: number) => {
    suffixUntil = from + pace.suffix
    suffixesLeft = mostSuffixes
  }
  const continuesCut = (at: number) => cut !== null && strokes.length === 0 && at <= cut.until
  const inBurst = (at: number) => strokes.length > 0 && at - lastAt <= (marked ? pace.marked : pace.speed)

  /** The verdict on a finished burst. In a field only the marker counts: a quick code may be meant for that field. */
  const finished = (): Verdict => {
    const scan = readScan(strokes)
    const text = readText(strokes)
    const scanned = marked ? strokes.length > quickKeys : place === 'page' && strokes.length >= shortestCode
    forget()
    if (scan || scanned) awaitSuffix(lastAt)
    if (scan) return { kind: 'label', label: scan, since }
    return scanned ? { kind: 'unreadable', since, text } : pass
  }

  /** A closing key, such as Enter: it ends a burst, and belongs to the label that was just read. */
  const closed = ({ at, place: where }: KeyPress): Verdict => {
    const quick = inBurst(at) && strokes.length >= quickKeys && where === 'page'
    const verdict = finished()
    const suffix = at <= suffixUntil && suffixesLeft > 0
    if (verdict.kind === 'pass' && !suffix && !quick) return pass
    suffixUntil = at + pace.speed
    suffixesLeft -= 1
    return verdict.kind === 'pass' ? swallow : verdict
  }

  /** Adds a key to the burst, and finds out whether the burst has begun with the marker of a label. */
  const record = ({ at, key, code, shift, alt }: KeyPress): void => {
    const stroke: Keystroke = alt === undefined ? { key, code, shift } : { key, code, shift, alt }
    if (strokes.length >= longestCode) strokes.shift()
    strokes.push(stroke)
    recent = [...recent.filter(entry => at - entry.at <= pace.marked * scanStart.length), { stroke, at }].slice(
      -scanStart.length,
    )
    lastAt = at
    if (marked) return
    if (startsScan(strokes)) marked = true
    else if (recent.length > strokes.length && startsScan(recent.map(entry => entry.stroke))) {
      marked = true
      strokes = recent.map(entry => entry.stroke)
      since = recent[0]?.at ?? at
    }
  }

  return {
    key(press: KeyPress): Verdict {
      const { at, key } = press
      if (modifiers.has(key)) return pass
      if (suffixes.has(key)) return closed(press)
      suffixUntil = Number.NEGATIVE_INFINITY
      if (!prints(key) || press.repeat || press.shortcut) {
        forget()
        return pass
      }
      if (cut && continuesCut(at)) {
        ;({ strokes, since } = cut)
        marked = true
      } else if (!inBurst(at)) {
        forget()
        place = press.place
        since = at
      }
      cut = null
      record(press)
      const scan = strokes.length >= scanLength ? readScan(strokes) : null
      if (scan) {
        forget()
        awaitSuffix(at)
        return { kind: 'label', label: scan, since }
      }
      return press.place === 'page' && (marked || strokes.length >= quickKeys) ? swallow : pass
    },

    /** No key came until `at`: a scan without a closing Enter is over. */
    pause(at: number): Verdict {
      if (strokes.length === 0 || inBurst(at)) return pass
      const ended = { strokes, since, until: lastAt + pace.marked }
      const wasMarked = marked
      const verdict = finished()
      cut = wasMarked && verdict.kind === 'unreadable' ? ended : null
      return verdict
    },

    /** A label came at once, without its keys: its closing key may still follow. */
    handed(at: number): void {
      forget()
      awaitSuffix(at)
    },

    /** Whether keys of a burst are waiting for their end: how long `pause` has to be waited for, in ms, or `null`. */
    patience(): number | null {
      if (strokes.length === 0) return null
      return (marked ? pace.marked : pace.speed) + 1
    },

    /** Whether the keys that wait have begun a label of ours. */
    isMarked: (): boolean => marked,

    /** Whether the next key would begin something new. */
    idle: (at: number) => !inBurst(at) && !continuesCut(at),
  }
}
