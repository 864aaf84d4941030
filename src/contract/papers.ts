/** Papers: the receipt of a storage, the overview of the stock, and the site's own texts on them (docs/product/money.md "Papers"). */
import { z } from 'zod'
import { languageIsoCodes } from '#domain/people/account.ts'
import { damageCodes } from '#domain/warehouse/damage.ts'
import { maxSignatureLength, maxSignerLength } from '#domain/warehouse/gate.ts'
import { paperColumns, paperPreviews, paperTextLimits, paperTexts, type PaperText } from '#domain/texts/paper.ts'
import { hotelModes } from '#domain/site.ts'
import { rims } from '#domain/tyres/tyre.ts'
import { call, feature } from './call.ts'
import { list, rows } from './list.ts'
import { id, inputId, isoDate, moment, ofCustomer, typedText } from './wire.ts'

/** A wheel as it was handed over; without depth where the site hides it. */
const wheel = z.object({
  /** The number on its label. */
  id,
  position: z.string(),
  description: z.string(),
  set: z.string().nullable(),
  depth: z.number().nullable(),
  rims: z.enum(rims).nullable(),
  bolts: z.boolean(),
  hubcaps: z.boolean(),
  missing: z.boolean(),
  /** Damage that was found until then, and was not mended. */
  damages: rows(z.enum(damageCodes)),
})
export type HandedWheel = z.output<typeof wheel>

const receipt = z.object({
  operation: id,
  seq_id: id,
  companyname: z.string(),
  flt_id: id,
  license_plate: z.string(),
  vehicle: z.string(),
  /** The day of the storage. */
  date: isoDate,
  wheels: rows(wheel),
  signed: z.object({ name: z.string(), at: moment }).nullable(),
})
export type Receipt = z.output<typeof receipt>

/** A text in each language, with the lines that it may have. */
const textOf = ({ length, lines }: { length: number; lines: number }) =>
  z.object(
    Object.fromEntries(
      languageIsoCodes.map(iso => [iso, typedText(length).refine(text => text.split('\n').length <= lines)]),
    ) as Record<(typeof languageIsoCodes)[number], ReturnType<typeof typedText>>,
  )
/** The site's own texts and columns on its papers. */
export const paperForm = z.object({
  ...(Object.fromEntries(paperTexts.map(text => [text, textOf(paperTextLimits[text])])) as Record<
    PaperText,
    ReturnType<typeof textOf>
  >),
  columns: list(z.enum(paperColumns), paperColumns.length).transform(columns => [...new Set(columns)]),
})
export type PaperForm = z.input<typeof paperForm>

const texts = z.object(
  Object.fromEntries(languageIsoCodes.map(iso => [iso, z.string()])) as Record<
    (typeof languageIsoCodes)[number],
    z.ZodString
  >,
)
const layout = z.object({
  header: texts,
  footer: texts,
  terms: texts,
  columns: rows(z.enum(paperColumns)),
  /** 0 while the site has decided nothing. */
  version: z.number().int(),
})
export type PaperLayout = z.output<typeof layout>

const byOperation = z.object({ operation: inputId })
const everybody = { who: ['user', 'admin'], warehouse: false, modes: hotelModes } as const
const admins = { who: ['admin'], warehouse: false, modes: hotelModes } as const

export const papers = feature('papers', {
  receipt: call({
    path: '/papers/receipt',
    scope: 'read',
    ...everybody,
    input: byOperation,
    output: receipt,
    failures: ['record.missing'],
    summary: 'Answers the receipt of a confirmed storage: its wheels as they were handed over, and who signed.',
  }),
  receiptpdf: call({
    path: '/papers/receiptpdf',
    scope: 'read',
    costly: true,
    ...everybody,
    input: byOperation,
    output: z.string(),
    failures: ['record.missing'],
    summary:
      'Answers the receipt of a confirmed storage as a PDF in base64; for an administrator in the language of the customer.',
  }),
  sign: call({
    path: '/papers/sign',
    scope: 'warehouse',
    costly: true,
    ...admins,
    idempotent: true,
    input: byOperation.extend({
      name: typedText(maxSignerLength).pipe(z.string().min(1)),
      /** A picture in base64: PNG, JPEG or WebP. */
      signature: z.base64().min(1).max(maxSignatureLength),
    }),
    output: byOperation.extend({ operation: id }),
    failures: ['record.missing', 'papers.signed', 'image.unreadable', 'image.too_large'],
    invalidates: ['papers.receipt'],
    summary:
      'Attaches a signature to the receipt of a storage. The server encodes the picture again. A receipt is signed once.',
  }),
  mail: call({
    path: '/papers/mail',
    scope: 'operations',
    ...admins,
    idempotent: true,
    input: byOperation,
    output: z.object({ messages: z.number().int() }),
    failures: ['record.missing', 'mail.off', 'papers.no_address'],
    summary: 'Sends the receipt of a storage to the accounts of its customer that have an e-mail address, as a PDF.',
  }),
  overview: call({
    path: '/papers/overview',
    scope: 'read',
    costly: true,
    ...everybody,
    input: ofCustomer,
    output: z.string(),
    failures: ['record.missing'],
    summary:
      'Answers what a customer has in store as a PDF in base64: each set, since when, and until when it is paid. An administrator names the customer.',
  }),
  layout: call({
    path: '/papers/layout',
    scope: 'read',
    ...admins,
    input: z.object({}).optional(),
    output: layout,
    summary: 'Answers what the site prints on its papers: texts in each language, and the columns of wheels.',
  }),
  save: call({
    path: '/papers/save',
    scope: null,
    ...admins,
    input: paperForm.extend({
      /** The version that was edited; a newer one is not overwritten. */
      version: z.number().int().min(0),
    }),
    output: layout,
    failures: ['config.changed'],
    invalidates: ['papers.layout'],
    summary: 'Saves what the site prints on its papers, as a whole.',
  }),
  preview: call({
    path: '/papers/preview',
    scope: 'read',
    costly: true,
    ...admins,
    input: paperForm.extend({ shows: z.enum(paperPreviews), lang: z.enum(languageIsoCodes) }),
    output: z.string(),
    summary:
      'Answers an example of a paper as a PDF in base64, as it would be with these texts and columns. Saves nothing.',
  }),
})
