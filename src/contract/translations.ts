/** Texts: the files that a browser fetches, and the dictionary, whose translations replace them (docs/product/sites.md "Languages"). */
import { z } from 'zod'
import { languageCodes } from '#domain/people/account.ts'
import { mailKinds } from '#domain/people/mail.ts'
import { tidyText, maxTranslationLength } from '#domain/texts/translation.ts'
import { type AnswerName, call, feature, noInput } from './call.ts'
import { list, rows } from './list.ts'
import { verbatim } from './readInput.ts'
import { inputId, id, moment, tooMuch } from './wire.ts'

const lng = z.enum(['nl', 'fr', 'en', 'de'])
const ns = z.string().regex(/^[a-zA-Z]{1,40}$/)
const language = z.enum(languageCodes)
const key = z.string().min(1).max(200)
// texts of the portal have soft hyphens
const value = verbatim(z.string().max(maxTranslationLength * 2))
  .transform(tidyText)
  .pipe(z.string().min(1).max(maxTranslationLength))

/** The place of a text: its language, its file (`namespace`) and its key in the file (`a.b`). */
const place = z.object({ language, namespace: ns, key })

/** A row of the dictionary, which replaces the shipped text. */
export const translation = z.object({ _id: id, language, namespace: z.string(), key: z.string(), value: z.string() })
export type Translation = z.output<typeof translation>

/** A text as screens show it: `changed` by the dictionary, or as it was shipped. Update and delete take its `_id` either way. */
const textInEffect = translation.extend({
  /** Left out by a node of a version that lists the dictionary alone. */
  changed: z.boolean().default(true),
})

/** The shipped texts of a key by language. A language whose plural lacks the form has none. */
const shippedText = z.object({
  namespace: z.string(),
  key: z.string(),
  texts: z.partialRecord(language, z.string()),
})
export type ShippedText = z.output<typeof shippedText>

/** A missing text: how often it was asked for, when first and last, and on which page last. */
const missingText = z.object({
  language,
  namespace: z.string(),
  key: z.string(),
  asked: z.number().int(),
  first: moment,
  last: moment,
  page: z.string(),
})
export type MissingText = z.output<typeof missingText>

/** The longest file of an import, in characters. */
export const maxLanguageFileLength = 900_000
/** The most refused rows that an import lists. */
export const maxRefusedTexts = 200

/** The path of the texts that open pages have fetched. Together with the dictionary's own answers, a change outdates them. */
export const textsPath = '/locales'
const changed: AnswerName[] = ['locale.all', 'locale.missing', 'locale.preview', 'texts']

export const locale = feature('locale', {
  file: call({
    path: '/locales/{lng}/{ns}.json',
    scope: 'read',
    method: 'GET',
    who: 'anyone',
    input: z.object({ lng, ns }),
    output: z.record(z.string(), z.unknown()),
    failures: ['record.missing'],
    summary:
      'Answers the texts of a namespace in one language, with those of the dictionary in place of the shipped ones.',
  }),
  add: call({
    path: '/locales/add/{lng}/{ns}',
    scope: null,
    who: 'anyone',
    input: z.looseObject({ lng, ns }),
    output: z.object({}),
    failures: ['record.missing', 'request.too_many'],
    summary: 'Reports keys without a text that a screen asked for.',
  }),
  all: call({
    path: '/locale/all',
    scope: null,
    method: 'GET',
    who: ['superuser'],
    input: noInput,
    output: rows(textInEffect),
    summary:
      'Lists every text in effect in all languages: those of the dictionary, and the shipped ones that it leaves alone.',
  }),
  shipped: call({
    path: '/locale/shipped',
    scope: null,
    method: 'GET',
    who: ['superuser'],
    input: noInput,
    output: rows(shippedText),
    summary: 'Lists every shipped text in all languages.',
  }),
  new: call({
    path: '/locale/new',
    scope: null,
    who: ['superuser'],
    input: place.extend({ value }),
    output: translation,
    failures: ['record.missing', 'translation.placeholders', 'translation.unknown_placeholders'],
    invalidates: changed,
    summary: 'Adds a translation for a shipped text, or for a text that was reported missing.',
  }),
  update: call({
    path: '/locale/update',
    scope: null,
    who: ['superuser'],
    input: z.object({ id: inputId, value }),
    output: translation,
    failures: ['record.missing', 'translation.placeholders', 'translation.unknown_placeholders'],
    invalidates: changed,
    summary: 'Changes a text in effect. It must keep the placeholders of the shipped text.',
  }),
  preview: call({
    path: '/locale/preview',
    scope: null,
    who: ['superuser'],
    input: place.extend({
      value,
      /** Left out, the first one that the text is part of. */
      kind: z.enum(mailKinds).optional(),
    }),
    output: z.object({
      kind: z.enum(mailKinds),
      subject: z.string(),
      text: z.string(),
      html: z.string(),
      /** The placeholders that the text lacks and those that nothing fills, with their braces. Neither could be saved. */
      lost: rows(z.string()),
      unknown: rows(z.string()),
    }),
    failures: ['record.missing'],
    summary:
      'Renders a message with example values and this text, which may be unsaved, in it. Nothing is sent or saved.',
  }),
  delete: call({
    path: '/locale/delete',
    scope: null,
    who: ['superuser'],
    input: z.object({ id: inputId }),
    output: translation,
    failures: ['record.missing'],
    invalidates: changed,
    summary: 'Deletes a translation. The shipped text is shown again; one that was never changed stays as it is.',
  }),
  missing: call({
    path: '/locale/missing',
    scope: null,
    who: ['superuser'],
    input: noInput,
    output: rows(missingText),
    summary: 'Lists the missing texts that screens asked for, the latest first.',
  }),
  forget: call({
    path: '/locale/forget',
    scope: null,
    who: ['superuser'],
    input: z.object({ texts: list(place, 2000, 1) }),
    output: z.object({ forgotten: z.number().int() }),
    invalidates: ['locale.missing'],
    summary: 'Deletes reports of missing texts. A text that is asked for again is reported again.',
  }),
  export: call({
    path: '/locale/export',
    scope: null,
    costly: true,
    who: ['superuser'],
    input: z.object({ language, form: z.enum(['json', 'csv']) }),
    output: z.object({ text: z.string() }),
    summary: 'Exports all texts of a language: JSON by namespace, or CSV with the columns namespace, key and value.',
  }),
  import: call({
    path: '/locale/import',
    scope: null,
    workKind: 'import',
    costly: true,
    who: ['superuser'],
    input: z.object({
      language,
      text: verbatim(z.string().max(maxLanguageFileLength, tooMuch)),
      dryRun: z.boolean().default(false),
    }),
    output: z.object({
      row_count: z.number().int(),
      added: z.number().int(),
      changed: z.number().int(),
      /** Texts equal to the shipped one: their translation is deleted. */
      restored: z.number().int(),
      unchanged: z.number().int(),
      refused: z.number().int(),
      lines: rows(z.object({ where: z.string(), reason: z.string() })),
    }),
    failures: ['import.unusable'],
    invalidates: changed,
    summary:
      'Imports texts of a language, JSON or CSV as exported: every valid text. A dry run only tells what would happen.',
  }),
})
