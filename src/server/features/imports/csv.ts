/** Separated text: its separator, and the faults of its syntax. */
import type { CsvError } from 'csv-parse'
import { FileRefused } from './import.refused.ts'

/** A text with separators. */
type SeparatedText = {
  /** Without the line that only names the separator. */
  readonly content: string
  readonly delimiter: string
  /** How many lines stand before the content. */
  readonly skipped: 0 | 1
}

/** The line as the portal's exports begin with it, and as programs save it again: in quotes, or filled up with separators. */
const namingLine = /^"?sep=([^\r\n"])"?[;,\t|]*(?:\r\n|\r|\n|$)/i

/** The content of a text and its separator, by the line that names it or by its first lines. */
export function separatedText(text: string): SeparatedText {
  const plain = text.replace(/^\uFEFF/, '')
  const [line, named] = namingLine.exec(plain) ?? []
  const content = plain.slice(line?.length ?? 0)
  const head = content.split(/\r\n|\r|\n/, 20).join('\n')
  return { content, delimiter: named ?? delimiterOf(head), skipped: line === undefined ? 0 : 1 }
}

/** The separator of a file, by its first lines: comma, semicolon, tab or bar. */
function delimiterOf(header: string): string {
  const count = (sign: string): number => header.split(sign).length
  return [',', ';', '\t', '|'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

/** The refusal of a file for an error of the CSV parser; any other error is returned as it is. */
export function csvRefusal(error: unknown): unknown {
  const { code, lines } = error as CsvError & { lines?: number }
  if (!code?.startsWith('CSV_')) return error
  if (code === 'CSV_QUOTE_NOT_CLOSED') return new FileRefused('quote_open')
  return new FileRefused('not_csv', { line: lines ?? '?' }, { cause: error })
}
