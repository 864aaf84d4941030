/** Reads XML in pieces, and tells of elements as they begin and end. Entities that a document declares itself are refused. */
import { FileRefused } from './import.refused.ts'

export type XmlReader = {
  /** An element begins; its name is without prefix, its attributes are as they are written. `line` counts the line on which it stands. */
  begin(name: string, attributes: string, line: () => number): void
  end(name: string): void
  text?(text: string): void
}

/** No document of a spreadsheet has elements in so many others. */
const mostDepth = 1000
/** No tag and no stretch of text is longer, in characters: a cell has at most 32,767. */
const longest = 1024 * 1024

/** The text is no XML from this line on. */
export class XmlBroken extends FileRefused {
  readonly line: number
  constructor(line: number, cause?: unknown) {
    super('workbook_broken', { reason: 'XML' }, { cause })
    this.line = line
  }
}

/** Stops reading early: the value was found. */
export class Enough extends Error {}

/** Reads a document to its end, or until its reader throws `Enough`. @throws FileRefused when it is no XML in UTF-8 */
export function readXml(pieces: Iterable<Buffer>, reader: XmlReader): void {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  let depth = 0
  let begun = false
  /** The lines before the text that is being taken, that text, and how much of it is taken. */
  let linesBefore = 0
  let taking = ''
  let taken = 0
  const line = (): number => linesBefore + lineBreaks(taking.slice(0, taken)) + 1
  const broken = (cause?: unknown): XmlBroken => new XmlBroken(line(), cause)
  /** Takes what stands between `<` and `>`. */
  const takeTag = (text: string, open: number, close: number): void => {
    const second = text[open + 1]
    if (second === '?') return
    if (second === '!') {
      if (text.startsWith('<![CDATA[', open)) reader.text?.(escaped(text.slice(open + 9, close - 2)))
      // a document type may declare entities
      else if (!text.startsWith('<!--', open)) throw broken()
      return
    }
    if (second === '/') {
      if (--depth < 0) throw broken()
      return reader.end(localName(text.slice(open + 2, close).trim()))
    }
    if (++depth > mostDepth) throw broken()
    begun = true
    const isEmpty = text[close - 1] === '/'
    const tag = text.slice(open + 1, isEmpty ? close - 1 : close)
    const blank = tag.search(/\s/)
    const name = localName(blank < 0 ? tag : tag.slice(0, blank))
    reader.begin(name, blank < 0 ? '' : tag.slice(blank), line)
    if (!isEmpty) return
    depth--
    reader.end(name)
  }
  /** Takes all that is whole, and returns the rest. */
  const take = (text: string, isLast: boolean): string => {
    taking = text
    for (let at = 0; ;) {
      taken = at
      const open = text.indexOf('<', at)
      if (open < 0) {
        if (isLast && text.slice(at).trim() !== '') throw broken()
        return isLast ? '' : text.slice(at)
      }
      const close = endOfTag(text, open)
      if (close < 0 && isLast) throw broken()
      // the text before it is told with it, in one piece
      if (close < 0) return text.slice(at)
      taken = open
      if (open > at && depth > 0) reader.text?.(text.slice(at, open))
      takeTag(text, open, close)
      at = close + 1
    }
  }
  try {
    for (const piece of pieces) {
      const text: string = rest + decoder.decode(piece, { stream: true })
      rest = take(text, false)
      linesBefore += lineBreaks(text.slice(0, text.length - rest.length))
      taking = ''
      if (rest.length > longest) throw broken()
    }
    rest = take(rest + decoder.decode(), true)
  } catch (error) {
    if (error instanceof Enough) return
    throw error instanceof TypeError ? broken(error) : error
  }
  if (depth !== 0 || !begun) throw broken()
}

function lineBreaks(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** Where a tag ends that begins here: a value in quotes may have the sign of its end. -1: not yet. */
function endOfTag(text: string, open: number): number {
  if (text.startsWith('<!--', open)) {
    const end = text.indexOf('-->', open + 4)
    return end < 0 ? -1 : end + 2
  }
  if (text.startsWith('<![CDATA[', open)) {
    const end = text.indexOf(']]>', open + 9)
    return end < 0 ? -1 : end + 2
  }
  let close = text.indexOf('>', open)
  // the quotes before it are closed in nearly every tag
  while (close >= 0 && isQuoteOpen(text, open, close)) close = text.indexOf('>', close + 1)
  return close
}

function isQuoteOpen(text: string, from: number, to: number): boolean {
  let quote = ''
  for (let at = from; at < to; at++) {
    const sign = text[at] ?? ''
    if (quote === '' && (sign === '"' || sign === "'")) quote = sign
    else if (sign === quote) quote = ''
  }
  return quote !== ''
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** A text without its entities. */
export const unescaped = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
        if (name !== undefined) return entities[name.toLowerCase()] ?? whole
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
        return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : ''
      })
    : text

const attributePatterns = new Map<string, RegExp>()

/** The value of an attribute with any prefix, or `null` without one. */
export function attributeOf(attributes: string, name: string): string | null {
  if (attributes === '') return null
  let pattern = attributePatterns.get(name)
  if (!pattern) {
    pattern = new RegExp(`[\\s:]${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    attributePatterns.set(name, pattern)
  }
  const match = pattern.exec(attributes)
  return match ? unescaped(match[1] ?? match[2] ?? '') : null
}
