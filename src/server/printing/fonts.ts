/**
 * The fonts of everything that is printed, embedded so that a print looks the same wherever it is opened. Most texts need one. Letters
 * that it lacks are drawn with those of another, which is opened by need, and words in Hebrew or Arabic from right to left
 * (docs/decisions/0089).
 */
import { createRequire } from 'node:module'
import bidiOf from 'bidi-js'
import { openPart, partWith } from './chinese.ts'

const require = createRequire(import.meta.url)
const bidi = bidiOf()

/** Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic. */
const files = {
  plain: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'),
}
export type Face = keyof typeof files

/** Replaces a letter that no font has (docs/product/warehouse.md "Labels"). */
const substitute = '□'
/** How many different letters without a font a print names. */
const namedLetters = 20
/** Each face has all of these, and they run from left to right. */
const common =
  /^[\u0020-\u007E\u00A0-\u00AC\u00AE-\u024F\u0384-\u0386\u0388-\u038A\u0400-\u0525\u1E00-\u1EFB\u2013-\u201F\u2026\u20AC]*$/
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\u0660-\u0669]/u
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

type Direction = 'ltr' | 'rtl'
/** A part of a line that one font draws, in the order of its letters. */
type Run = { readonly font: string; readonly text: string }
/** Fields that pdfkit has for each page and font, and its types lack. */
type Document = PDFKit.PDFDocument & {
  info: Record<string, unknown>
  _font: { font: { hasGlyphForCodePoint(point: number): boolean }; ascender: number }
  _fontSize: number
  _fragment(text: string, x: number, y: number, options: FragmentOptions): void
}
type FragmentOptions = PDFKit.Mixins.TextOptions & { lineWidth?: number; direction?: Direction | undefined }

/** The direction of a text: that of its first letter with one. */
export const directionOf = (text: string): Direction =>
  rightToLeft.test(text) && bidi.getEmbeddingLevels(text, 'auto').paragraphs[0]?.level === 1 ? 'rtl' : 'ltr'

/** Which font draws which letters of a document. */
function chooserOf(document: Document, open: (font: string) => void) {
  const fonts = new Map<string, Document['_font']['font']>()
  const has = (font: string, point: number): boolean => {
    let opened = fonts.get(font)
    if (!opened) {
      open(font)
      fonts.set(font, (opened = document._font.font))
    }
    return opened.hasGlyphForCodePoint(point)
  }
  /** The Chinese letters of a face, registered under a name of their own. */
  const partOf = (face: Face, part: string): string => {
    const name = `${face} ${part}`
    // a font of fontkit is a source, which the types do not say
    if (!fonts.has(name)) document.registerFont(name, openPart(part, face) as never)
    return name
  }
  /**
   * Names a letter that is not printed as it is in the file itself, so that the screen that opens the print can say so: code points in
   * hexadecimal, those of a letter joined by a plus sign.
   */
  const noteMissing = (grapheme: string): void => {
    const name = [...grapheme].map(letter => (letter.codePointAt(0) ?? 0).toString(16)).join('+')
    missing.add(name.toUpperCase())
    // pdfkit writes the value apart from its name
    document.info['MissingLetters'] = `MissingLetters ${[...missing].slice(0, namedLetters).join(' ')}`
  }
  const missing = new Set<string>()
  const chosen = new Map<string, Run>()
  const choose = (face: Face, grapheme: string): Run => {
    // invisible characters are not printed, except those that keep two Arabic letters apart
    const letters = [...grapheme].filter(letter => !/(?!\u200C)[\p{Cf}\uFE00-\uFE0F]/u.test(letter))
    const [base = ''] = letters
    const point = base.codePointAt(0) ?? 0
    const candidates = face === 'plain' ? [face] : [face, 'plain']
    const fits = (font: string): boolean => letters.every(letter => has(font, letter.codePointAt(0) ?? 0))
    const whole = candidates.find(fits)
    if (whole !== undefined) return { font: whole, text: letters.join('') }
    const part = partWith(point)
    const others = part === undefined ? candidates : [...candidates, partOf(face, part)]
    const fitting = others.find(fits) ?? others.find(font => has(font, point))
    const drawn = fitting === undefined ? [] : letters.filter(letter => has(fitting, letter.codePointAt(0) ?? 0))
    if (drawn.length < letters.length) noteMissing(grapheme)
    if (fitting === undefined) return { font: face, text: /^\p{M}/u.test(base) ? '' : substitute }
    return { font: fitting, text: drawn.join('') }
  }
  return (face: Face, grapheme: string): Run => {
    const key = `${face}${grapheme}`
    let run = chosen.get(key)
    if (!run) chosen.set(key, (run = choose(face, grapheme)))
    return run
  }
}

/** A text in stretches of one direction, from left to right as they are printed. Of those that run to the left each word is one. */
export function stretchesOf(
  text: string,
  direction: Direction,
): { readonly text: string; readonly reversed: boolean }[] {
  if (!rightToLeft.test(text)) return [{ text, reversed: false }]
  const { levels } = bidi.getEmbeddingLevels(text, direction)
  const mirrored = bidi.getMirroredCharactersMap(text, levels)
  // the letters of a piece are laid out together: a word that runs to the left, or all between two that do
  const pieces: { text: string; readonly level: number; readonly alone: boolean }[] = []
  for (const { segment, index } of graphemes.segment(text)) {
    const level = levels[index] ?? 0
    const letter = mirrored.get(index) ?? segment
    // a font would turn the digits of Arabic around, too
    const alone = level % 2 === 1 ? letter === ' ' : rightToLeft.test(letter)
    const last = pieces.at(-1)
    if (last?.level === level && !last.alone && !alone) last.text += letter
    else pieces.push({ text: letter, level, alone })
  }
  // rule L2 of the Unicode Bidirectional Algorithm: from the highest level down each sequence that is at least as high turns around
  const highest = Math.max(...pieces.map(({ level }) => level))
  for (let level = highest; level > 0; level--)
    for (let start = 0; start < pieces.length; start++) {
      let end = start
      while (end < pieces.length && (pieces[end]?.level ?? 0) >= level) end++
      if (end - start > 1) pieces.splice(start, end - start, ...pieces.slice(start, end).reverse())
      start = end
    }
  return pieces.map(piece => ({ text: piece.text, reversed: piece.level % 2 === 1 }))
}

/**
 * Makes the faces known to a document under their names. From then on it measures, wraps and draws each text with the fonts that its
 * letters need; a line is aligned to the left or the right.
 */
export function registerFonts(pdf: PDFKit.PDFDocument): void {
  const document = pdf as Document
  for (const [face, file] of Object.entries(files)) document.registerFont(face, file)
  const original = {
    font: document.font.bind(document),
    text: document.text.bind(document) as (...all: unknown[]) => PDFKit.PDFDocument,
    widthOfString: document.widthOfString.bind(document),
    fragment: document._fragment.bind(document),
  }
  let face: Face = 'plain'
  const choose = chooserOf(document, font => void original.font(font))

  const runsOf = (text: string, direction: Direction): Run[] => {
    const runs: { font: string; text: string }[] = []
    for (const stretch of stretchesOf(text, direction)) {
      const drawn: { font: string; text: string }[] = []
      for (const { segment } of graphemes.segment(stretch.text)) {
        const run = choose(face, segment)
        const last = drawn.at(-1)
        if (last?.font === run.font) last.text += run.text
        else drawn.push({ ...run })
      }
      // a font turns its letters around itself where one of them says so
      if (stretch.reversed)
        for (const run of drawn.reverse())
          if (!/[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(run.text)) run.text = [...run.text].reverse().join('')
      runs.push(...drawn)
    }
    original.font(face)
    return runs.filter(run => run.text !== '')
  }
  const withFont = <T>(font: string, work: () => T): T => {
    original.font(font)
    const result = work()
    original.font(face)
    return result
  }
  const widthOf = ({ font, text }: Run): number => withFont(font, () => original.widthOfString(text))

  document.font = (name: string) => {
    face = name as Face
    return original.font(name)
  }
  document.text = ((text: string, ...rest: unknown[]) => {
    const direction = directionOf(text)
    if (direction === 'ltr') return original.text(text, ...rest)
    const options = rest.find(argument => typeof argument === 'object') ?? {}
    return original.text(text, ...rest.filter(argument => typeof argument !== 'object'), {
      direction,
      ...options,
    })
  }) as Document['text']
  document.widthOfString = (text: string, options?: PDFKit.Mixins.TextOptions) =>
    common.test(text)
      ? original.widthOfString(text, options)
      : runsOf(text, 'ltr').reduce((width, run) => width + widthOf(run), 0)
  document._fragment = (text, x, y, options) => {
    if (common.test(text)) return original.fragment(text, x, y, options)
    const { align, lineWidth, direction = 'ltr', ...style } = options
    const runs = runsOf(text.trimEnd(), direction)
    const width = runs.reduce((sum, run) => sum + widthOf(run), 0)
    let left = align === 'right' && options.width ? x + (lineWidth ?? width) - width : x
    // all stand on the line of the face
    const baseline = options.baseline ?? -(document._font.ascender / 1000) * document._fontSize
    for (const run of runs) {
      const textWidth = widthOf(run)
      // with a width that is known pdfkit does not measure, which would take the font of the face again
      const alone = { ...style, width: undefined, textWidth, wordCount: 1, baseline } as unknown as FragmentOptions
      withFont(run.font, () => original.fragment(run.text, left, y, alone))
      left += textWidth
    }
  }
}
