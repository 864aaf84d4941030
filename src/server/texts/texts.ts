/**
 * The portal's texts on the server: the shipped files `texts/<language>/<namespace>.json`, whose texts rows of the dictionary
 * replace (docs/product/sites.md "Languages"). The browser fetches them per namespace; refusals, labels and documents use them here.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createInstance, type i18n, type Resource } from 'i18next'
import { languages, languageIsoCodes, type Language, type LanguageIso } from '#domain/people/account.ts'
import { numbersInTexts } from '#domain/texts/number.ts'

export type Texts = { [key: string]: string | Texts }

const folder = new URL('../../../texts/', import.meta.url)

/** The shipped namespaces. Others can be neither fetched nor reported. */
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

/** The texts of a file with their keys (`a.b`), in the order of the file. */
export const flat = (texts: Texts, path = ''): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([name, text]) =>
    typeof text === 'object' ? flat(text, `${path}${name}.`) : [[path + name, text] satisfies [string, string]],
  )

const keys = new Map<Texts, ReadonlySet<string>>()

/** The keys of a file (`a.b`). A plural is also under the key without its form. */
function keysOf(texts: Texts): ReadonlySet<string> {
  const keysOf = keys.get(texts)
  if (keysOf) return keysOf
  const plain = new Set(flat(texts).flatMap(([key]) => [key, key.replace(/_(zero|one|two|few|many|other)$/, '')]))
  keys.set(texts, plain)
  return plain
}

/** The entry of a file at a key: a text, a group of texts, or nothing. */
function at(texts: Texts, key: string): string | Texts | undefined {
  let level: string | Texts | undefined = texts
  for (const piece of key.split('.'))
    level = typeof level === 'object' && Object.hasOwn(level, piece) ? level[piece] : undefined
  return level
}

/** The shipped text of exactly this key, `null` where this language has none. */
export function shippedText(lng: LanguageIso, ns: string, key: string): string | null {
  const shipped = at(shippedTexts(lng, ns) ?? {}, key)
  return typeof shipped === 'string' ? shipped : null
}

/** Whether a key can have a text without hiding others: no group of texts becomes a text, and no text a group. */
export function hasPlace(ns: string, key: string): boolean {
  const pieces = key.split('.')
  if (pieces.some(piece => piece === '' || piece === '__proto__')) return false
  return languageIsoCodes.every(lng => {
    const texts = shippedTexts(lng, ns)
    if (!texts || typeof at(texts, key) === 'object') return false
    return pieces.every((_, nth) => nth === 0 || typeof at(texts, pieces.slice(0, nth).join('.')) !== 'string')
  })
}

/** Whether the shipped file has a text under this key (`a.b`), in any plural form. */
export function hasText(lng: LanguageIso, ns: string, key: string): boolean {
  const texts = shippedTexts(lng, ns)
  return texts !== null && keysOf(texts).has(key)
}

/** A copy of the texts with the overrides of the dictionary. */
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

async function translatorOf(resources: Resource): Promise<i18n> {
  const instance: i18n = createInstance().use(numbersInTexts)
  await instance.init({
    resources,
    ns: [...namespaces],
    fallbackLng: 'en',
    supportedLngs: languageIsoCodes,
    interpolation: { escapeValue: false, alwaysFormat: true },
  })
  return instance
}

// a copy: overrides must not change the shipped texts
const translator = await translatorOf(structuredClone(shipped))

/** A row of the dictionary: a text that replaces the shipped one, or that there is no shipped one of. */
export type Override = {
  readonly language: Language
  readonly namespace: string
  readonly key: string
  readonly value: string
}
let overridden: readonly string[] = []

/** From now on `translate` uses these texts; one that is not among them is as it was shipped. */
export function overrideTexts(overrides: readonly Override[]): void {
  const bundles = Map.groupBy(overrides, ({ language, namespace }) => `${languages[language]} ${namespace}`)
  for (const bundle of new Set([...overridden, ...bundles.keys()])) {
    const [lng = '', ns = ''] = bundle.split(' ')
    const texts = shippedTexts(lng as LanguageIso, ns)
    // a namespace of an earlier release, which nothing uses
    if (!texts) continue
    translator.removeResourceBundle(lng, ns)
    translator.addResourceBundle(lng, ns, withOverrides(texts, bundles.get(bundle) ?? []))
  }
  overridden = [...bundles.keys()]
}

export type Translate = (lang: Language, ns: string, key: string, facts?: Readonly<Record<string, unknown>>) => string

const translateWith =
  (texts: i18n): Translate =>
  (lang, ns, key, facts = {}) => {
    const shown = Object.fromEntries(
      Object.entries(facts).map(([name, fact]) => [name, Array.isArray(fact) ? fact.join(', ') : fact]),
    )
    const translateKey = texts.t as (key: string, options: object) => string // keys come from data, not from a screen
    return translateKey(key, { ...shown, ns, lng: languages[lang] })
  }

/** A text in a language with its facts filled in. A fact that is a list is joined with commas. */
export const translate: Translate = translateWith(translator)

/** The same with one text in place of the one in effect, which everybody else still gets: it is not saved. */
export async function translateUnsaved({ language, namespace, ...text }: Override): Promise<Translate> {
  const lng = languages[language]
  const { data } = translator.services.resourceStore
  const texts = withOverrides(translator.getResourceBundle(lng, namespace) as Texts, [text])
  return translateWith(await translatorOf({ ...data, [lng]: { ...data[lng], [namespace]: texts } }))
}

/** The texts of a language by `namespace:key`. */
export const textsFor =
  (lang: Language) =>
  (key: string, facts: Readonly<Record<string, unknown>> = {}): string => {
    const [namespace = '', name = ''] = key.split(':')
    return translate(lang, namespace, name, facts)
  }
