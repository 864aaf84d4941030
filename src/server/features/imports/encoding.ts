/** The encodings of text files: what a file says itself, what can be proved, and else a guess that people see and can change. */
import type { encodings } from '#contract/imports.ts'
import { FileRefused } from './import.refused.ts'

export type Encoding = (typeof encodings)[number]

/** How a text was read, and words of it that show whether that is right. */
export type ReadEncoding = { readonly name: Encoding; readonly samples: readonly string[] }

/** How many words show how letters were read. */
const samplesShown = 3

type Decoded = { readonly text: string; readonly encoding: ReadEncoding | null }

/**
 * The text of a file, in the encoding that somebody chose or that is found. @throws FileRefused when it is no text, or when it is UTF-8
 * but for some bytes: parts from two programs were put together, and no reading is right for both.
 */
export function decode(buffer: Buffer, chosen: Encoding | null): Decoded {
  const marked = markOf(buffer)
  if (marked) return { text: new TextDecoder(marked).decode(buffer), encoding: null }
  if (chosen) return shown(chosen, buffer)
  // texts have no zeros but in UTF-16
  if (buffer.includes(0)) {
    const wide = wideOf(buffer)
    if (!wide) throw new FileRefused('not_a_sheet')
    return shown(wide, buffer)
  }
  if (isUtf8(buffer)) return { text: buffer.toString('utf8'), encoding: null }
  const { letters, wrong, line } = utf8In(buffer)
  const saysUtf8 = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf
  if (saysUtf8 || (letters * 4 >= wrong && letters > 0)) throw new FileRefused('mixed_encodings', { line })
  return shown(guess(buffer), buffer)
}

function markOf(buffer: Buffer): Encoding | null {
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return 'utf-16le'
  if (buffer[0] === 0xfe && buffer[1] === 0xff) return 'utf-16be'
  return null
}

/** UTF-16 without its mark: in a table every second byte of nearly all signs is zero. */
function wideOf(buffer: Buffer): Encoding | null {
  const zeros = [0, 0]
  const head = buffer.subarray(0, 4000)
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (odd > head.length / 4 && even === 0) return 'utf-16le'
  return even > head.length / 4 && odd === 0 ? 'utf-16be' : null
}

function shown(name: Encoding, buffer: Buffer): Decoded {
  const text = new TextDecoder(name).decode(buffer)
  return { text, encoding: { name, samples: samplesOf(text) } }
}

/** Different words with other letters than A to Z, the longest beside them in their cell. */
function samplesOf(text: string): string[] {
  const samples = new Set<string>()
  for (const [cell] of text.matchAll(/[^\r\n\t;,|"]*[^\p{ASCII}][^\r\n\t;,|"]*/gu)) {
    samples.add(cell.trim().slice(0, 60))
    if (samples.size >= samplesShown) break
  }
  return [...samples]
}

/** How many letters of several bytes are right in UTF-8, how many bytes are not, and on which line the first of these is. */
function utf8In(buffer: Buffer): { letters: number; wrong: number; line: number } {
  let [letters, wrong, line, lines] = [0, 0, 0, 1]
  for (let at = 0; at < buffer.length;) {
    const byte = buffer[at] ?? 0
    if (byte < 0x80) {
      if (byte === 0x0a || (byte === 0x0d && buffer[at + 1] !== 0x0a)) lines++
      at++
      continue
    }
    const length = lengthOf(byte)
    const isLetter = length > 0 && isUtf8(buffer.subarray(at, at + length))
    if (isLetter) letters++
    else if (wrong++ === 0) line = lines
    at += isLetter ? length : 1
  }
  return { letters, wrong, line }
}

const lengthOf = (byte: number): number =>
  byte >= 0xf0 && byte < 0xf5 ? 4 : byte >= 0xe0 ? (byte < 0xf0 ? 3 : 0) : byte >= 0xc2 ? 2 : 0

const strict = new TextDecoder('utf-8', { fatal: true })
function isUtf8(bytes: Buffer): boolean {
  try {
    strict.decode(bytes)
    return true
  } catch {
    return false
  }
}

/**
 * The letters beside A to Z that the languages of an encoding use often, most often first. An encoding is likely in which a file's
 * bytes are such letters, and unlikely in which they are signs within words, or capitals behind small letters.
 */
const usual = {
  'windows-1252': 'éèàüöäçêëßïîôâûùóíáúñøåæœãõìòð',
  macintosh: 'éèàüöäçêëßïîôâûùóíáúñøåæœãõ',
  'windows-1250': 'áíéěšřčžýůúóąęłśżćńźőűöüäțşţăâîđ',
  'windows-1251': 'оаеинтсрвлкмдпуяызьбгчйхжюшцщэфъёіїєґјљњќѓџ',
  'windows-1253': 'αοιετσνηυρπκμλςωγδθβφχξζψάέήίόύώ',
  'windows-1254': 'ıüşöçğİâ',
  'windows-1257': 'āēīšūžčņļģķąęėįųõäöü',
} as const satisfies Partial<Record<Encoding, string>>

/** The most bytes that are looked at. */
const looked = 256 * 1024

function guess(buffer: Buffer): Encoding {
  const head = buffer.subarray(0, looked)
  const scores = (Object.keys(usual) as (keyof typeof usual)[]).map(name => [name, likelihood(name, head)] as const)
  // of two alike the first: Western Europe
  return scores.reduce((best, score) => (score[1] > best[1] ? score : best))[0]
}

function likelihood(name: keyof typeof usual, head: Buffer): number {
  const text = new TextDecoder(name).decode(head)
  const often = usual[name]
  let score = 0
  for (const [word] of text.matchAll(/[^\s;,|"]*[^\p{ASCII}][^\s;,|"]*/gu)) {
    for (const sign of word) {
      if (sign <= '\u007F') continue
      if (!/\p{L}/u.test(sign)) score -= 3
      else {
        const rank = often.indexOf(sign.toLowerCase())
        score += rank < 0 ? -2 : rank < often.length / 2 ? 2 : 1
      }
    }
    if (/\p{Ll}\p{Lu}/u.test(word)) score -= 3
    // no word has letters of two scripts
    if (/\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word)) score -= 6
    // three letters with accents in a row are a word of another script
    if (/[^\p{ASCII}]{3}/u.test(word) && /\p{Script=Latin}/u.test(word)) score -= 6
  }
  return score
}
