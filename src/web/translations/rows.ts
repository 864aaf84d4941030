/** The dictionary: every key with its shipped texts and overrides, four languages side by side. */
import { folded } from '#domain/texts/folded.ts'
import type { MissingText, ShippedText, Translation } from '#contract/translations.ts'
import { languageCodes, type Language } from '#domain/people/account.ts'

export type Cell = {
  readonly shipped: string | null
  /** The translation that overrides it. */
  readonly over: Translation | null
  /** Whether the language has this key: not every language has every plural form. */
  readonly exists: boolean
}

export type Row = {
  /** `namespace:key`, which no other row has. */
  readonly name: string
  readonly namespace: string
  readonly key: string
  readonly cells: Readonly<Record<Language, Cell>>
  /** Everything in which a search looks. */
  readonly text: string
}

/** A text in one language, by the name of its row. */
export type Edited = { readonly name: string; readonly language: Language }

/** The text shown in the portal; `null` when there is none. */
export const textIn = ({ over, shipped }: Cell): string | null => over?.value ?? shipped

type Keyed = { readonly namespace: string; readonly key: string }
const nameOf = ({ namespace, key }: Keyed): string => `${namespace}:${key}`

/** All keys: the shipped ones, in the order of their files, then those that were added or found missing. */
export function rowsOf(
  shipped: readonly ShippedText[],
  translations: readonly Translation[],
  missing: readonly MissingText[],
): readonly Row[] {
  const texts = new Map(shipped.map(text => [nameOf(text), text.texts]))
  const over = new Map(translations.map(text => [`${text.language} ${nameOf(text)}`, text]))
  const keys = new Map<string, Keyed>([...shipped, ...translations, ...missing].map(text => [nameOf(text), text]))
  const order = new Map([...new Set(shipped.map(({ namespace }) => namespace))].map((name, nth) => [name, nth]))
  const rows = [...keys].map(([name, { namespace, key }]): Row => {
    const its = texts.get(name)
    const cell = (language: Language): Cell => {
      const own = over.get(`${language} ${name}`) ?? null
      const text = its?.[language] ?? null
      return { shipped: text, over: own, exists: its === undefined || text !== null || own !== null }
    }
    const cells = Object.fromEntries(languageCodes.map(language => [language, cell(language)])) as Row['cells']
    const words = languageCodes.flatMap(language => [cells[language].shipped, cells[language].over?.value])
    return { name, namespace, key, cells, text: folded([name, ...words].filter(Boolean).join('\n')) }
  })
  // added texts come last in their own file; rows of one file keep their order
  return rows.sort((first, other) => (order.get(first.namespace) ?? 999) - (order.get(other.namespace) ?? 999))
}

export type Wanted = {
  readonly filter: string
  readonly namespace: string | undefined
  readonly languages: readonly Language[]
  readonly show: 'changed' | 'missing' | undefined
}

/** The rows that contain all words of the filter and, in one of the languages, match `show`. */
export function wantedRows(rows: readonly Row[], { filter, namespace, languages, show }: Wanted): readonly Row[] {
  const words = folded(filter).split(/\s+/).filter(Boolean)
  return rows.filter(
    row =>
      (namespace === undefined || row.namespace === namespace) &&
      words.every(word => row.text.includes(word)) &&
      (show === undefined ||
        languages.some(language => {
          const cell = row.cells[language]
          return show === 'changed' ? cell.over !== null : cell.exists && textIn(cell) === null
        })),
  )
}
