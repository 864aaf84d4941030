/** Fits a text into a box: it gets smaller, then wraps, and ends in an ellipsis only where it would become unreadable. */

/** The height of a capital letter, the distance of two baselines, and the depth below the last one, at font size 1. */
export const capHeight = 0.73
export const lineHeight = 1.17
export const descent = 0.24
/** In mm: about the smallest size at which a 203 dpi printer makes letters that can be told apart. */
const readableSize = 1.75

/** Hundredths are finer than any printer; more digits only make the file longer. */
export const round = (length: number): number => Math.round(length * 100) / 100

/** The width of a text at font size 1. */
type Measure = (text: string) => number

export type FitLimits = {
  /** The font size that is wanted, and the smallest that is still readable, in mm. */
  readonly maxSize: number
  readonly minSize?: number | undefined
  /** Without it, as many lines as there is room for. */
  readonly maxLines?: number | undefined
}

/** The largest size at which a text fits into a box, and its lines at that size. */
export function fitWords(
  text: string,
  box: { readonly width: number; readonly height: number },
  { maxSize, minSize = readableSize, maxLines = Infinity }: FitLimits,
  measure: Measure,
): { readonly size: number; readonly lines: readonly string[] } {
  const words = wordsOf(text)
  const linesAt = (size: number): number =>
    Math.max(1, Math.min(maxLines, 1 + Math.floor((box.height - size * (capHeight + descent)) / (size * lineHeight))))
  const wrapAt = (size: number): string[] | null =>
    size * capHeight > box.height ? null : wrap(words, box.width / size, linesAt(size), measure)
  let size = maxSize
  let lines = wrapAt(size)
  while (!lines && size > minSize) lines = wrapAt((size = Math.max(minSize, round(size * 0.95))))
  return { size, lines: lines ?? truncate(words, box.width / size, linesAt(size), measure) }
}

/** A text as it stands on one line: no breaks, and no invisible characters that reverse other text. */
export const printable = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\s\p{Cc}\p{Z}]+/gu, ' ')
    // all but what keeps two letters of Persian apart
    .replaceAll(/(?!(?<=\p{Script=Arabic})\u200C)\p{Cf}/gu, '')
    .trim()

/** Letters that stay on one line; `spaced` where a space stands before them unless they begin a line. */
type Word = { readonly text: string; readonly spaced: boolean }

/** A letter of Chinese or Japanese, which are written without spaces, with the signs that don't end or begin a line; or what stands between. */
const piece =
  /[（［｛《「『【〈]*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][ー々、。，．！？：；）］｝》」』】〉…]*|[^（［｛《「『【〈\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|[（［｛《「『【〈]+/gu

const wordsOf = (text: string): Word[] =>
  text
    .split(' ')
    .filter(Boolean)
    .flatMap(word => (word.match(piece) ?? []).map((part, nth) => ({ text: part, spaced: nth === 0 })))

/** Words one after the other on one line. */
const joined = (words: readonly Word[]): string =>
  words.map(({ text, spaced }, nth) => (spaced && nth > 0 ? ` ${text}` : text)).join('')

/** The words in lines no wider than `width`; `null` when they need more lines than `maxLines` or a word is too wide. */
function wrap(words: readonly Word[], width: number, maxLines: number, measure: Measure): string[] | null {
  const space = measure(' ')
  const wrapped: string[] = []
  let line: Word[] = []
  let lineWidth = 0
  for (const word of words) {
    const wordWidth = measure(word.text)
    const before = word.spaced ? space : 0
    if (wordWidth > width) return null
    if (line.length > 0 && lineWidth + before + wordWidth > width) {
      wrapped.push(joined(line))
      line = []
    }
    lineWidth = line.length === 0 ? wordWidth : lineWidth + before + wordWidth
    line.push(word)
  }
  wrapped.push(joined(line))
  return wrapped.length <= maxLines ? wrapped : null
}

/** As much of a text as fits: words that are too wide are broken, and an ellipsis replaces the rest. */
function truncate(words: readonly Word[], width: number, maxLines: number, measure: Measure): string[] {
  const pieces = words.flatMap(word => (measure(word.text) <= width ? [word] : breakWord(word, width, measure)))
  const whole = wrap(pieces, width, maxLines, measure)
  if (whole) return whole
  const all = wrap(pieces, width, Infinity, measure) ?? pieces.map(word => word.text)
  const last = [...graphemes.segment(all.slice(maxLines - 1).join(' '))].map(({ segment }) => segment)
  while (last.length > 0 && measure(`${last.join('')}…`) > width) last.pop()
  return [...all.slice(0, maxLines - 1), `${last.join('').trimEnd()}…`]
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function breakWord({ text, spaced }: Word, width: number, measure: Measure): Word[] {
  const pieces: string[] = []
  let piece = ''
  for (const { segment } of graphemes.segment(text)) {
    if (piece !== '' && measure(piece + segment) > width) {
      pieces.push(piece)
      piece = ''
    }
    piece += segment
  }
  // as before a break, so that an ellipsis stands after a space
  return [...pieces, piece].map((part, nth) => ({ text: part, spaced: spaced || nth > 0 }))
}
