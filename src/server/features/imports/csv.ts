/** Texts with separators: their separator, and what is wrong with them. */
import type { CsvError } from 'csv-parse'
import { FileRefused } from './import.refused.ts'

export const firstLine = (text: string): string => text.split(/\r|\n/, 1)[0] ?? ''

/** The separator of a file, by its first lines: comma, semicolon, tab or bar. */
export function delimiterOf(header: string): string {
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
