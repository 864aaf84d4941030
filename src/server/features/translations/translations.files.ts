/** A language as a file, exported for translation elsewhere and imported again (docs/product/sites.md "Dictionary"). */
import { parse } from 'csv-parse/sync'
import { languages, type Language } from '#domain/people/account.ts'
import { csvFile, plainCell } from '#domain/texts/cell.ts'
import { tidyText } from '#domain/texts/translation.ts'
import type { Translation } from '#contract/translations.ts'
import { flat, namespaces, shippedTexts, withOverrides } from '../../texts/texts.ts'
import { csvRefusal, separatedText } from '../imports/csv.ts'
import { FileRefused } from '../imports/import.refused.ts'

const columns = ['namespace', 'key', 'value'] as const

/** All texts of a language: the shipped ones, replaced by those of the dictionary. */
export function languageFile(language: Language, translations: readonly Translation[], form: 'json' | 'csv'): string {
  const texts = namespaces.map(ns => {
    const overrides = translations.filter(({ namespace }) => namespace === ns)
    return [ns, withOverrides(shippedTexts(languages[language], ns) ?? {}, overrides)] as const
  })
  if (form === 'json') return `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`
  return csvFile([columns, ...texts.flatMap(([ns, group]) => flat(group).map(([key, text]) => [ns, key, text]))])
}

/** A text of a file, and where it is in the file. */
export type TextInFile = {
  readonly where: string
  readonly namespace: string
  readonly key: string
  readonly value: string
}

/** The texts of a file, JSON or CSV. @throws FileRefused */
export function textsIn(text: string): TextInFile[] {
  const plain = text.replace(/^\uFEFF/, '')
  if (plain.trim() === '') throw new FileRefused('empty')
  return /^\s*[{[]/.test(plain) ? textsInJson(plain) : textsInCsv(plain)
}

function textsInJson(text: string): TextInFile[] {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch (error) {
    throw new FileRefused('not_json', { reason: (error as Error).message }, { cause: error })
  }
  return Object.entries(read as object).flatMap(([namespace, texts]) =>
    leaves(texts, '').map(([key, value]) => ({
      where: `${namespace}:${key}`,
      namespace,
      key,
      value: tidyText(value),
    })),
  )
}

/** A foreign file may nest deeply; the portal's own files nest less than this. */
const maxDepth = 20

/** The texts below a value. Ignores values that are neither a text nor a group of texts. */
function leaves(value: unknown, path: string, depth = 0): [key: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (value === null || typeof value !== 'object' || depth > maxDepth) return []
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, path ? `${path}.${name}` : name, depth + 1))
}

function textsInCsv(text: string): TextInFile[] {
  const { content, delimiter, skipped } = separatedText(text)
  let rows: { record: string[]; info: { lines: number } }[]
  try {
    rows = parse(content, {
      delimiter,
      relaxColumnCount: true,
      skipEmptyLines: true,
      info: true,
    }) as never
  } catch (error) {
    throw csvRefusal(error)
  }
  const [header, ...body] = rows
  const names = (header?.record ?? []).map(name => name.trim().toLowerCase())
  const missing = columns.filter(column => !names.includes(column))
  if (missing.length > 0)
    throw new FileRefused('columns_missing', { columns: missing, header: names.join(', ') || '–' })
  const [namespaceAt = 0, keyAt = 0, valueAt = 0] = columns.map(column => names.indexOf(column))
  return body.map(({ record, info }) => {
    const cell = (at: number): string => plainCell(record[at] ?? '')
    const [namespace, key] = [cell(namespaceAt).trim(), cell(keyAt).trim()]
    return {
      where: `${info.lines + skipped}: ${namespace}:${key}`,
      namespace,
      key,
      value: tidyText(cell(valueAt)),
    }
  })
}
