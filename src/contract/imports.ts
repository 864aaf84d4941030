/** Imports of files: looked at first, taken in, and undone (docs/product/files.md "Imports"). */
import { z } from 'zod'
import { importKinds } from '#domain/texts/importColumn.ts'
import { type AnswerName, call, feature, noInput } from './call.ts'
import { rows } from './list.ts'
import { id, inputId, moment, typedText, upload } from './wire.ts'

/** The largest file, in bytes. */
export const maxImportBytes = 5 * 1024 * 1024

/** How many of the rows that are not refused a preview shows, and how many imports the list has. */
export const maxPreviewed = 100
export const maxImportsListed = 50

/** The encodings of a text that somebody may choose. */
export const encodings = [
  'utf-8',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1257',
  'macintosh',
  'utf-16le',
  'utf-16be',
] as const

const number = (from: number, to: number) => z.coerce.number().int().min(from).max(to)

/** A list in a form: one field of JSON. */
const fields = z
  .string()
  .max(16_000)
  .transform((text, { addIssue }) => {
    try {
      return z.array(z.string().max(40).nullable()).max(200).parse(JSON.parse(text))
    } catch {
      addIssue({ code: 'custom', message: 'no list' })
      return z.NEVER
    }
  })

const file = {
  kind: z.enum(importKinds),
  file: upload.optional(),
  /** The name of the file, for the audit. */
  name: typedText(200).optional(),
  /** The owner of vehicles whose rows name none. */
  seq_id: inputId.optional(),
  /** The index of the sheet; by default the first with rows. */
  sheet: number(0, 1000).optional(),
  /** The row with the headings, from 1; by default it is found. */
  header: number(1, 60_000).optional(),
  /** How the letters of a text are read; by default it is found. */
  encoding: z.enum(encodings).optional(),
  /** The field of each column, as JSON: a list of fields, `null` for a column that is left out; by default columns are recognised. */
  columns: fields.optional(),
}

const counts = {
  row_count: z.number().int(),
  added: z.number().int(),
  changed: z.number().int(),
  unchanged: z.number().int(),
  refused: z.number().int(),
}
/** A refused row: its number in the sheet, its column from 0 where the reason is about one, and its cells. */
const refusal = z.object({
  row: z.number().int(),
  column: z.number().int().nullable(),
  reason: z.string(),
  cells: rows(z.string()),
})

const run = z.object({
  _id: id,
  kind: z.enum(importKinds),
  file: z.string(),
  at: moment,
  by: z.string().nullable(),
  ...counts,
  undone: moment.nullable(),
})
export type ImportRun = z.output<typeof run>

const changed: AnswerName[] = [
  'cards.read',
  'customers.accounts',
  'customers.list',
  'customers.customer',
  'fleet.fetch',
  'fleet.vehicle',
  'fleet.findcustomerbyname',
  'fleet.history',
  'hotelconfig.adminconfig',
  'imports.list',
  'invoicing.customers',
  'invoicing.tyres',
  'locations.all',
  'locations.plan',
  'locations.tyres',
  'mounts.fleet',
  'mounts.vehicle',
  'tyres.events',
  'tyres.forecast',
]

export const imports = feature('imports', {
  check: call({
    path: '/imports/check',
    scope: 'operations',
    workKind: 'import',
    costly: true,
    who: ['admin'],
    warehouse: false,
    files: ['file'],
    input: z.object(file),
    output: z.object({
      sheets: rows(z.string()),
      /** The indexes of those that the workbook hides. */
      hidden: rows(z.number().int()),
      sheet: z.number().int(),
      /** How the letters of a text were read where it does not say so itself and is not in UTF-8, and cells that show it. */
      encoding: z.object({ name: z.enum(encodings), samples: rows(z.string()) }).nullable(),
      /** The row with the headings, from 1. */
      header: z.number().int(),
      columns: rows(
        z.object({
          title: z.string(),
          field: z.string().nullable(),
          /** How the field was found; `null` when somebody chose it, or none was found. */
          by: z.enum(['memory', 'name', 'content']).nullable(),
          samples: rows(z.string()),
        }),
      ),
      /** Fields without which nothing can be imported. */
      missing: rows(z.string()),
      ...counts,
      /** Rows that are new, changed or unchanged. */
      preview: rows(
        z.object({
          row: z.number().int(),
          outcome: z.enum(['added', 'changed', 'unchanged']),
          cells: rows(z.string()),
          /** The value of each cell as it will be saved, and the columns where it differs from the file. */
          values: rows(z.string()),
          changed: rows(z.number().int()),
        }),
      ),
      refusals: rows(refusal),
      notes: rows(z.string()),
    }),
    failures: ['import.unusable', 'import.cancelled', 'record.missing', 'site.mode', 'token.closed'],
    summary:
      'Reads a workbook or a text with columns, matches its columns, and says what an import would do with each row. Saves nothing.',
  }),
  take: call({
    path: '/imports/take',
    scope: 'operations',
    workKind: 'import',
    costly: true,
    who: ['admin'],
    warehouse: false,
    files: ['file'],
    input: z.object({ ...file, rows: z.enum(['all', 'good']).default('all') }),
    output: z.object({ _id: id, ...counts, notes: rows(z.string()) }),
    idempotent: true,
    failures: [
      'import.unusable',
      'import.columns_missing',
      'import.rows_refused',
      'import.cancelled',
      'record.missing',
      'site.mode',
      'session.stale',
      'token.closed',
    ],
    invalidates: changed,
    summary:
      'Imports a file in one transaction: all of its rows or nothing, or with `rows: good` those that are not refused. A client that hangs up cancels it. Services and accounts are closed to access tokens.',
  }),
  progress: call({
    path: '/imports/progress',
    scope: 'read',
    who: ['admin'],
    warehouse: false,
    input: noInput,
    output: z.object({ row_count: z.number().int(), of: z.number().int() }).nullable(),
    summary: 'Answers how far the import of the site is that this node runs, null when it runs none.',
  }),
  list: call({
    path: '/imports/list',
    scope: 'read',
    who: ['admin'],
    warehouse: false,
    input: noInput,
    output: rows(run),
    summary: `Lists the last ${maxImportsListed} imports of the site, newest first.`,
  }),
  undo: call({
    path: '/imports/undo',
    scope: 'operations',
    workKind: 'import',
    costly: true,
    who: ['admin'],
    warehouse: false,
    input: z.object({ _id: inputId }),
    output: run,
    failures: ['record.missing', 'import.touched', 'import.undone', 'session.stale', 'token.closed'],
    invalidates: changed,
    summary:
      'Undoes a whole import: what it added is removed, what it changed is as before. Refused once anything else has touched its records.',
  }),
})
