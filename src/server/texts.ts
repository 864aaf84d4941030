/**
 * The portal's texts on the server: shipped files of `texts/<language>/<namespace>.json` with the dictionary's rows over
 * them (SPEC §3 "Translation"), which the browser fetches per namespace. Refusals, labels and documents are worded here.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createInstance, type i18n } from 'i18next'
import { languages, languageIsoCodes, type Language, type LanguageIso } from '#domain/account.ts'

export type Texts = { [key: string]: string | Texts }

const folder = new URL('../../texts/', import.meta.url)

/** The namespaces that are shipped; only these can be asked for and reported on. */
export const namespaces: readonly string[] = readdirSync(new URL('en/', folder))
  .filter(name => name.endsWith('.json'))
  .map(name => name.slice(0, -5))
  .sort()

const shipped = Object.fromEntries(
  languageIsoCodes.map(lng => [
    lng,
    Object.fromEntries(
      namespaces.map(ns => [ns, JSON.parse(readFileSync(new URL(`${lng}/${ns}.json`, folder), 'utf8')) as Texts]),
    ),
  ]),
) as Record<LanguageIso, Record<string, Texts>>

/** A shipped text file, `null` for a namespace that does not exist. */
export const shippedTexts = (lng: LanguageIso, ns: string): Texts | null =>
  Object.hasOwn(shipped[lng], ns) ? (shipped[lng][ns] ?? null) : null

const keys = new Map<Texts, ReadonlySet<string>>()

/** The keys of a file (`a.b`), those with a plural under their common name. */
function keysOf(texts: Texts): ReadonlySet<string> {
  const known = keys.get(texts)
  if (known) return known
  const found = new Set<string>()
  const collect = (level: Texts, path: string): void => {
    for (const [name, value] of Object.entries(level)) {
      if (typeof value === 'object') collect(value, `${path}${name}.`)
      else found.add(path + name).add(path + name.replace(/_(zero|one|two|few|many|other)$/, ''))
    }
  }
  collect(texts, '')
  keys.set(texts, found)
  return found
}

/** Whether the shipped file has a text under this key (`a.b`), in any plural form. */
export function hasText(lng: LanguageIso, ns: string, key: string): boolean {
  const texts = shippedTexts(lng, ns)
  return texts !== null && keysOf(texts).has(key)
}

/** One override of the dictionary laid over texts, without touching the shipped object. */
export function withOverrides(texts: Texts, overrides: readonly { key: string; value: string }[]): Texts {
  const result = structuredClone(texts)
  for (const { key, value } of overrides) {
    const path = key.split('.')
    const last = path.pop() ?? ''
    let level = result
    for (const piece of path) {
      if (!Object.hasOwn(level, piece) || typeof level[piece] !== 'object') define(level, piece, {})
      level = level[piece] as Texts
    }
    define(level, last, value)
  }
  return result
}

// plain assignment would follow a key named __proto__
const define = (texts: Texts, key: string, value: string | Texts): void => {
  Object.defineProperty(texts, key, { value, enumerable: true, configurable: true, writable: true })
}

const speaker: i18n = createInstance()
await speaker.init({
  resources: shipped,
  ns: [...namespaces],
  fallbackLng: 'en',
  supportedLngs: languageIsoCodes,
  interpolation: { escapeValue: false },
})

/** A text in a language with its facts filled in; a list of facts is joined with commas. */
export function say(lang: Language, ns: string, key: string, facts: Readonly<Record<string, unknown>> = {}): string {
  const shown = Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [name, Array.isArray(fact) ? fact.join(', ') : fact]),
  )
  const translate = speaker.t as (key: string, options: object) => string // keys come from data, not from a screen
  return translate(key, { ...shown, ns, lng: languages[lang] })
}
