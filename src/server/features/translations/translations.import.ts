/** The changes that an import of a language makes, and the texts it refuses. */
import { languages, type Language } from '#domain/people/account.ts'
import { maxTranslationLength, wrongPlaceholders } from '#domain/texts/translation.ts'
import type { Translation } from '#contract/translations.ts'
import { shippedText } from '../../texts/texts.ts'
import type { TextInFile } from './translations.files.ts'

/** A key below `refusal` of the namespace `translations`, and its facts. */
type Refusal<T = 'placeholders' | 'unknown_placeholders' | 'too_long' | 'twice' | 'unknown'> = {
  readonly text: T
  readonly facts: { readonly placeholders?: string[] }
}

/** Why a text can't replace the shipped one, null when it can. Without a shipped one any text can be used. */
export function refusalOf(
  shipped: string | null,
  key: string,
  value: string,
): Refusal<'placeholders' | 'unknown_placeholders' | 'too_long'> | null {
  if (value.length > maxTranslationLength) return { text: 'too_long', facts: {} }
  if (shipped === null || value === '') return null
  const { lost, unknown } = placeholderProblems(shipped, key, value)
  if (lost.length > 0) return { text: 'placeholders', facts: { placeholders: lost } }
  if (unknown.length > 0) return { text: 'unknown_placeholders', facts: { placeholders: unknown } }
  return null
}

/** The placeholders that a text lacks and those that nothing fills, in braces. Without a shipped text any can be used. */
export function placeholderProblems(
  shipped: string | null,
  key: string,
  value: string,
): { lost: string[]; unknown: string[] } {
  const { lost, unknown } = shipped === null ? { lost: [], unknown: [] } : wrongPlaceholders(key, shipped, value)
  return { lost: inBraces(lost), unknown: inBraces(unknown) }
}

const inBraces = (names: readonly string[]): string[] => names.map(name => `{{${name}}}`)

type Plan = {
  readonly counts: Record<'row_count' | 'added' | 'changed' | 'restored' | 'unchanged' | 'refused', number>
  readonly saved: readonly Pick<Translation, 'namespace' | 'key' | 'value'>[]
  /** Ids of translations to delete: the file has the shipped text. */
  readonly restored: number[]
  readonly refused: readonly { readonly where: string; readonly refusal: Refusal }[]
}

/** Compares the texts of a file with the dictionary and the shipped texts of its language. An empty text changes nothing. */
export function planImport(language: Language, texts: readonly TextInFile[], dictionary: readonly Translation[]): Plan {
  const translations = new Map(dictionary.map(row => [`${row.namespace}:${row.key}`, row]))
  const seen = new Set<string>()
  const saved: { namespace: string; key: string; value: string }[] = []
  const restored: number[] = []
  const refused: { where: string; refusal: Refusal }[] = []
  const counts = { row_count: 0, added: 0, changed: 0, restored: 0, unchanged: 0, refused: 0 }

  for (const { where, namespace, key, value } of texts) {
    const name = `${namespace}:${key}`
    const current = translations.get(name)
    const shipped = shippedText(languages[language], namespace, key)
    const isKnown = current !== undefined || shipped !== null
    const refusal = isKnown ? (refusalOf(shipped, key, value) ?? repeated(seen, name)) : unknownText
    seen.add(name)
    counts.row_count++
    if (refusal) {
      counts.refused++
      refused.push({ where, refusal })
    } else if (value === '' || value === (current?.value ?? shipped)) counts.unchanged++
    else if (current && value === shipped) {
      counts.restored++
      restored.push(current._id)
    } else {
      counts[current ? 'changed' : 'added']++
      saved.push({ namespace, key, value })
    }
  }
  return { counts, saved, restored, refused }
}

const unknownText: Refusal = { text: 'unknown', facts: {} }
const repeated = (seen: ReadonlySet<string>, name: string): Refusal | null =>
  seen.has(name) ? { text: 'twice', facts: {} } : null
