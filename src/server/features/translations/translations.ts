/** Texts over the wire: the files that i18next fetches, reports of missing texts, and the dictionary (docs/product/sites.md "Dictionary"). */
import { createHash } from 'node:crypto'
import { languageCodes, languages, type Language, type LanguageIso } from '#domain/people/account.ts'
import { Failure } from '#domain/failure.ts'
import { mailsWith } from '#domain/people/mail.ts'
import { maxRefusedTexts, type Translation } from '#contract/translations.ts'
import { Json, type Tx } from '../../db/database.ts'
import {
  flat,
  hasPlace,
  hasText,
  namespaces,
  shippedText,
  shippedTexts,
  translate,
  withOverrides,
} from '../../texts/texts.ts'
import { superusers, type Context, type Handlers } from '../handler.ts'
import { translateMessage } from '../imports/import.messages.ts'
import { FileRefused } from '../imports/import.refused.ts'
import { exampleMail } from '../mail/example.ts'
import { languageFile, textsIn } from './translations.files.ts'
import { placeholderProblems, planImport, refusalOf } from './translations.import.ts'
import * as sql from './translations.sql.ts'

/** The language codes by their two letters, as i18next asks. */
const codes = Object.fromEntries(languageCodes.map(code => [languages[code], code])) as Record<LanguageIso, Language>

/** The most keys in one report of missing texts. */
const maxReported = 100

export const locale: Handlers['locale'] = {
  async file({ input: { lng, ns }, tx, request }) {
    const shipped = shippedTexts(lng, ns)
    if (!shipped) throw new Failure('record.missing')
    const overrides = await tx.rows(sql.overridesOf, { language: codes[lng], namespace: ns })
    const text = JSON.stringify(overrides.length > 0 ? withOverrides(shipped, overrides) : shipped)
    request.etag(etagOf(text))
    return new Json(text)
  },

  async add({ input: { lng, ns, ...keys }, tx, now, request }) {
    if (!shippedTexts(lng, ns)) throw new Failure('record.missing')
    const reported = Object.keys(keys)
    if (reported.length > maxReported) throw new Failure('request.too_many', { seconds: 60 })
    const missing = [...new Set(reported.map(key => key.toWellFormed()))].filter(
      key => key.length <= 200 && !key.includes('\0') && !hasText(lng, ns, key) && hasPlace(ns, key),
    )
    if (missing.length > 0)
      await tx.run(sql.reportMissing, {
        language: codes[lng],
        namespace: ns,
        keys: missing,
        page: request.page,
        now,
      })
    return {}
  },

  async all({ tx }) {
    const kept = new Map((await tx.rows(sql.everyTranslation, {})).map(row => [placeOf(row), row]))
    const texts = [...shippedById()].flatMap(([_id, text]) =>
      kept.has(placeOf(text)) ? [] : { _id, ...text, changed: false },
    )
    return [...texts, ...[...kept.values()].map(text => ({ ...text, changed: true }))].toSorted(
      (a, b) =>
        a.namespace.localeCompare(b.namespace) || a.key.localeCompare(b.key) || a.language.localeCompare(b.language),
    )
  },

  async shipped({ request }) {
    shippedJson ??= JSON.stringify(everyShipped())
    request.etag(etagOf(shippedJson))
    return new Json(shippedJson)
  },

  async new(context) {
    const { tx } = context
    const { language, namespace, key, value } = context.input
    if (!hasPlace(namespace, key)) throw new Failure('record.missing')
    if (shippedText(languages[language], namespace, key) === null) {
      if (!(await tx.maybe(sql.knownKey, { namespace, key }))) throw new Failure('record.missing')
      if (await tx.maybe(sql.conflictingKey, { namespace, key })) throw new Failure('record.missing')
    }
    refusePlaceholders(language, namespace, key, value)
    return put({ language, namespace, key, value }, context)
  },

  async update(context) {
    const { id, value } = context.input
    const current = await lockText(context.tx, id)
    const { language, namespace, key } = current
    if (current.value === value) return current
    refusePlaceholders(language, namespace, key, value)
    return put({ language, namespace, key, value }, context)
  },

  async preview({ input: { kind, ...text }, now }) {
    const { language, namespace, key, value } = text
    const kinds = hasPlace(namespace, key) ? mailsWith(text) : []
    const shown = kind ?? kinds[0]
    if (shown === undefined || !kinds.includes(shown)) throw new Failure('record.missing')
    const { subject, text: plain, html } = await exampleMail(shown, text, now)
    const problems = placeholderProblems(shippedText(languages[language], namespace, key), key, value)
    return { kind: shown, subject, text: plain, html, ...problems }
  },

  async delete({ input: { id }, tx, who, now, request }) {
    await tx.asSystem()
    const current = await lockText(tx, id)
    // a shipped text that nobody changed
    if (current._id >= firstShipped) return current
    const deleted = await tx.one(sql.deleteTranslations, { ids: [current._id], actor: who.account, now })
    await textsChanged(tx, request)
    return deleted
  },

  missing: ({ tx }) => tx.json(sql.everyMissing, {}),

  async forget({ input: { texts }, tx, who, now, request }) {
    await tx.asSystem()
    request.notify('everyone', { site: superusers })
    return tx.one(sql.forgetMissing, { texts: JSON.stringify(texts), actor: who.account, now })
  },

  async export({ input: { language, form }, tx }) {
    return { text: languageFile(language, await tx.rows(sql.translationsOf, { language }), form) }
  },

  async import({ input: { language, text, dryRun }, tx, who, now, lang, request }) {
    const current = await tx.rows(sql.translationsOf, { language })
    const { counts, saved, restored, refused } = planImport(language, readTexts(text, lang), current)
    if (!dryRun && saved.length + restored.length > 0) {
      const actor = who.account
      await tx.asSystem()
      if (saved.length > 0) await tx.run(sql.putTranslations, { language, texts: JSON.stringify(saved), actor, now })
      if (restored.length > 0) await tx.run(sql.deleteTranslations, { ids: restored, actor, now })
      await textsChanged(tx, request)
    }
    const lines = refused.slice(0, maxRefusedTexts).map(({ where, refusal }) => ({
      where,
      reason: translate(lang, 'translations', `refusal.${refusal.text}`, refusal.facts),
    }))
    return { ...counts, lines }
  },
}

/** A text by its `_id`: a row of the dictionary, locked, or the shipped text that no row replaces. @throws Failure `record.missing` */
async function lockText(tx: Tx, id: number): Promise<Translation> {
  const shipped = shippedById().get(id)
  if (!shipped) return tx.one(sql.lockTranslation, { id })
  const { value: _, ...place } = shipped
  return (await tx.maybe(sql.lockTranslationOf, place)) ?? { _id: id, ...shipped }
}

type Place = Pick<Translation, 'language' | 'namespace' | 'key' | 'value'>
type Request = Context<unknown, readonly ['superuser']>['request']

async function put(
  { language, ...text }: Place,
  { tx, who, now, request }: Pick<Context<unknown, readonly ['superuser']>, 'tx' | 'who' | 'now' | 'request'>,
): Promise<Translation> {
  await tx.asSystem()
  const saved = await tx.one(sql.putTranslations, {
    language,
    texts: JSON.stringify([text]),
    actor: who.account,
    now,
  })
  await textsChanged(tx, request)
  return saved
}

/** Notifies every open page of every site: all of them have fetched texts. */
async function textsChanged(tx: Tx, request: Request): Promise<void> {
  request.invalidateTexts()
  request.notify('everyone', { site: superusers })
  for (const { id } of await tx.rows(sql.sitesInUse, {})) request.notify('everyone', { site: id, answers: ['texts'] })
}

/** @throws Failure `translation.placeholders` or `translation.unknown_placeholders` */
function refusePlaceholders(language: Language, namespace: string, key: string, value: string): void {
  const refusal = refusalOf(shippedText(languages[language], namespace, key), key, value)
  if (refusal && refusal.text !== 'too_long') throw new Failure(`translation.${refusal.text}`, refusal.facts)
}

/** The texts of a file. @throws Failure `import.unusable` with the reason in the language */
function readTexts(text: string, lang: Language): ReturnType<typeof textsIn> {
  try {
    return textsIn(text)
  } catch (error) {
    if (error instanceof FileRefused)
      throw new Failure('import.unusable', { reason: translateMessage(lang, error.reason) })
    throw error
  }
}

let shippedJson: string | undefined

/** Every shipped text by namespace and key, in the order of the English files. Plural forms that English lacks come last. */
function everyShipped(): { namespace: string; key: string; texts: Partial<Record<Language, string>> }[] {
  return namespaces.flatMap(namespace => {
    const rows = new Map<string, Partial<Record<Language, string>>>()
    for (const language of ['eng', ...languageCodes] as const)
      for (const [key, text] of flat(shippedTexts(languages[language], namespace) ?? {}))
        rows.set(key, { ...rows.get(key), [language]: text })
    return [...rows].map(([key, texts]) => ({ namespace, key, texts }))
  })
}

/** Rows of the dictionary are numbered from 1; shipped texts, which have no row, from here on. */
const firstShipped = 2 ** 30
const placeOf = ({ language, namespace, key }: Omit<Place, 'value'>): string => `${language} ${namespace}:${key}`

let shippedIds: ReadonlyMap<number, Place> | undefined
/** Every shipped text by an id that its place alone decides, so that it is the same on every node and in the next version. */
function shippedById(): ReadonlyMap<number, Place> {
  if (shippedIds) return shippedIds
  const texts = new Map<number, Place>()
  for (const { namespace, key, texts: values } of everyShipped())
    for (const [language, value] of Object.entries(values) as [Language, string][]) {
      const text = { language, namespace, key, value }
      let id = firstShipped + (createHash('sha256').update(placeOf(text)).digest().readUInt32BE() % firstShipped)
      while (texts.has(id)) id += 1
      texts.set(id, text)
    }
  return (shippedIds = texts)
}

const etagOf = (text: string): string => `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
