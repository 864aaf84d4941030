/** Texts over the wire: the files that a browser fetches, and the dictionary over them (SPEC §1, §3 "Translation", §7). */
import { z } from 'zod'
import { languageCodes } from '#domain/account.ts'
import { tidyText, translationMax } from '#domain/translation.ts'
import { type AnswerName, call, feature } from './call.ts'
import { givenId, id, moment, tooMuch } from './wire.ts'

const lng = z.enum(['nl', 'fr', 'en', 'de'])
const ns = z.string().regex(/^[a-zA-Z]{1,40}$/)
const language = z.enum(languageCodes)
const key = z.string().min(1).max(200)
const nothing = z.unknown().transform(() => ({}))

const value = z
  .string()
  .max(translationMax * 2)
  .transform(tidyText)
  .pipe(z.string().min(1).max(translationMax))

/** A text by where it stands: the language, the file and the key in it (`a.b`). */
const place = z.object({ language, namespace: ns, key })

/** SPEC §3 "Translation": a row of the dictionary, which stands over the shipped text. */
export const translation = z.object({ _id: id, language, namespace: z.string(), key: z.string(), value: z.string() })
export type Translation = z.output<typeof translation>

/** A key with its shipped text per language; a language has none where its plural has no such form. */
export const shippedText = z.object({
  namespace: z.string(),
  key: z.string(),
  texts: z.partialRecord(language, z.string()),
})
export type ShippedText = z.output<typeof shippedText>

/** A text that screens asked for and that is nowhere: how often, when, and on which page last. */
export const missingText = z.object({
  language,
  namespace: z.string(),
  key: z.string(),
  asked: z.number().int(),
  first: moment,
  last: moment,
  page: z.string(),
})
export type MissingText = z.output<typeof missingText>

/** So many characters of a file are taken in at once. */
export const languageFileAtMost = 900_000
/** So many refused rows of a file are told one by one. */
export const refusedTextsAtMost = 200

/** What a change of the dictionary makes stale: its own answers, and the texts that every open page has fetched. */
export const textsPath = '/locales'
const changed: AnswerName[] = ['locale.all', 'locale.missing', 'texts']

export const locale = feature('locale', {
  file: call({
    path: '/locales/{lng}/{ns}.json',
    method: 'GET',
    who: 'anyone',
    input: z.object({ lng, ns }),
    output: z.record(z.string(), z.unknown()),
    failures: ['record.missing'],
    summary: 'The texts of a namespace in one language, as shipped and with the dictionary over it.',
  }),
  add: call({
    path: '/locales/add/{lng}/{ns}',
    who: 'anyone',
    input: z.looseObject({ lng, ns }),
    output: z.object({}),
    failures: ['record.missing', 'request.too_many'],
    summary: 'Reports keys that a screen asked for and that have no text.',
  }),
  all: call({
    path: '/locale/all',
    method: 'GET',
    who: ['superuser'],
    input: nothing,
    output: z.array(translation),
    summary: 'Every translation of the dictionary.',
  }),
  shipped: call({
    path: '/locale/shipped',
    method: 'GET',
    who: ['superuser'],
    input: nothing,
    output: z.array(shippedText),
    summary: 'Every text that the portal is shipped with, its languages side by side.',
  }),
  new: call({
    path: '/locale/new',
    who: ['superuser'],
    input: place.extend({ value }),
    output: translation,
    failures: ['record.missing', 'translation.placeholders', 'translation.unknown_placeholders'],
    invalidates: changed,
    summary: 'Puts a translation over a shipped text, or in place of a text that was reported missing.',
  }),
  update: call({
    path: '/locale/update',
    who: ['superuser'],
    input: z.object({ id: givenId, value }),
    output: translation,
    failures: ['record.missing', 'translation.placeholders', 'translation.unknown_placeholders'],
    invalidates: changed,
    summary: 'Changes a translation. The placeholders of the shipped text stay.',
  }),
  delete: call({
    path: '/locale/delete',
    who: ['superuser'],
    input: z.object({ id: givenId }),
    output: translation,
    failures: ['record.missing'],
    invalidates: changed,
    summary: 'Takes a translation away: the shipped text is said again.',
  }),
  missing: call({
    path: '/locale/missing',
    who: ['superuser'],
    input: nothing,
    output: z.array(missingText),
    summary: 'The texts that screens asked for and that are nowhere, the latest first.',
  }),
  forget: call({
    path: '/locale/forget',
    who: ['superuser'],
    input: z.object({ texts: z.array(place).min(1).max(2000) }),
    output: z.object({ forgotten: z.number().int() }),
    invalidates: ['locale.missing'],
    summary: 'Forgets reports of missing texts; one that is asked for again is reported again.',
  }),
  export: call({
    path: '/locale/export',
    costly: true,
    who: ['superuser'],
    input: z.object({ language, form: z.enum(['json', 'csv']) }),
    output: z.object({ text: z.string() }),
    summary: 'A whole language as it is said: JSON by namespace, or CSV with the columns namespace, key and value.',
  }),
  import: call({
    path: '/locale/import',
    costly: true,
    who: ['superuser'],
    input: z.object({
      language,
      text: z.string().max(languageFileAtMost, tooMuch),
      dryRun: z.boolean().default(false),
    }),
    output: z.object({
      rows: z.number().int(),
      added: z.number().int(),
      changed: z.number().int(),
      /** Those that say what the shipped text says: no translation is kept of them. */
      restored: z.number().int(),
      unchanged: z.number().int(),
      refused: z.number().int(),
      lines: z.array(z.object({ where: z.string(), reason: z.string() })),
    }),
    failures: ['import.unusable'],
    invalidates: changed,
    summary:
      'Takes a language in, JSON or CSV as the export makes it: every text that can be used; a dry run tells what would happen.',
  }),
})
