/** Reading the cells of a row: what is missing, malformed or too long refuses the row. */
import { z } from 'zod'
import type { Facts } from '#domain/failure.ts'
import { RowRefused, type Message } from './import.refused.ts'

/** The cells of a row by their column. A column that the file has not got, and a blank cell, are both `null`. */
export type Cells = (column: string) => string | null

/** Reports that a row is imported in a changed form. */
export type Adjusted = (text: Message['text'], facts?: Facts) => void

/** A whole number. @throws RowRefused when it is none, or out of range */
export const wholeNumber = (
  cells: Cells,
  column: string,
  { from, to }: { from: number; to: number },
): number | null => {
  const text = cells(column)
  if (text === null) return null
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < from || value > to) throw new RowRefused('not_whole', { column, text, from, to })
  return value
}

/** @throws RowRefused when the cell is blank */
export const required = (column: string, text: string | null): string => {
  if (text === null) throw new RowRefused('blank', { column })
  return text
}

/** A text that may not be shortened. @throws RowRefused when it is too long */
export const limited = (cells: Cells, column: string, limit: number): string | null => {
  const text = cells(column)
  if (text !== null && text.length > limit)
    throw new RowRefused('too_long', { column, text, length: text.length, limit })
  return text
}

/** A text that may be shortened at a word, which is reported. */
export const shortened = (text: string, column: string, limit: number, adjusted: Adjusted): string => {
  if (text.length <= limit) return text
  const cut = text
    .slice(0, limit - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
  const space = cut.lastIndexOf(' ')
  const short = `${cut.slice(0, space > limit / 2 ? space : undefined)}…`
  adjusted('shortened', { column, text, short })
  return short
}

/** @throws RowRefused when it is no e-mail address, or too long */
export const email = (cells: Cells, limit: number): string | null => {
  const text = limited(cells, 'email', limit)
  if (text !== null && !z.email().safeParse(text).success) throw new RowRefused('no_email', { text })
  return text
}
