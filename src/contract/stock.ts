/** The stock at the end of a day, for an insurer or an accountant (docs/product/warehouse.md "Stock statement"). */
import { z } from 'zod'
import { hotelModes } from '#domain/site.ts'
import { call, feature } from './call.ts'
import { rows } from './list.ts'
import { id, inputId, isoDate } from './wire.ts'

/** A wheel that was in store. */
const storedWheel = z.object({
  /** The number on its label. */
  db_id: id,
  seq_id: id,
  companyname: z.string(),
  license_plate: z.string(),
  position: z.string(),
  tyre_set: z.string().nullable(),
  description: z.string(),
  brand: z.string(),
  dimension: z.string(),
  /** The day on which it came. */
  since: isoDate,
  /** Where it was at the end of the day; `null` where nobody recorded it, and for customers. */
  stock_site_name: z.string().nullable(),
  stock_rack: z.string().nullable(),
})
export type StoredWheel = z.output<typeof storedWheel>

const statement = z.object({
  date: isoDate,
  wheel_count: z.number().int(),
  /** How many wheels each customer had, by name. */
  customers: rows(z.object({ seq_id: id, companyname: z.string(), city: z.string(), wheel_count: z.number().int() })),
  rows: rows(storedWheel),
})
export type StockStatement = z.output<typeof statement>

const dayInput = z.object({ date: isoDate, seq_id: inputId.optional() })
const everybody = { who: ['user', 'admin'], warehouse: false, modes: hotelModes, scope: 'read' } as const

export const stock = feature('stock', {
  statement: call({
    path: '/stock/statement',
    ...everybody,
    replicaSafe: true,
    input: dayInput.extend({
      /** Without it only the customers are counted. */
      list: z.boolean().default(true),
    }),
    output: statement,
    failures: ['record.missing', 'stock.date_ahead'],
    summary:
      'Answers what was in store at the end of a day: the wheels of each customer counted, and each wheel. An administrator may name a customer.',
  }),
  statementpdf: call({
    path: '/stock/statementpdf',
    ...everybody,
    costly: true,
    input: dayInput,
    output: z.string(),
    failures: ['record.missing', 'stock.date_ahead', 'stock.too_many'],
    summary:
      'Answers the same as a PDF in base64. That of one customer says no places, and is in the language of the customer for an administrator.',
  }),
})
