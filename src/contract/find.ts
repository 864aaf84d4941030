/** Finding anything from anywhere: one call answers what the words of somebody may mean (docs/product/screens.md "Find"). */
import { z } from 'zod'
import { documentTypes } from '#domain/site.ts'
import { call, feature } from './call.ts'
import { rows } from './list.ts'
import { id, inputId, searchText } from './wire.ts'

/** The longest text that is looked for, in characters. */
export const maxFindLength = 80
/** The most of each kind that are answered. */
export const foundPerKind = 6

const ofCustomer = { seq_id: id, companyname: z.string() }

const matches = z.object({
  vehicles: rows(
    z.object({
      flt_id: id,
      license_plate: z.string(),
      vehicle_type: z.string(),
      /** Brand and description. */
      vehicle: z.string(),
      driver: z.string(),
      ...ofCustomer,
    }),
  ),
  tyres: rows(
    z.object({
      db_id: id,
      flt_id: id,
      license_plate: z.string(),
      position: z.string(),
      description: z.string(),
      ...ofCustomer,
    }),
  ),
  documents: rows(
    z.object({
      db_id: id,
      flt_id: id.nullable(),
      document_number_text: z.string(),
      document_type: z.enum(documentTypes),
      ...ofCustomer,
    }),
  ),
  customers: rows(z.object({ ...ofCustomer, city: z.string() })),
  locations: rows(z.object({ _id: id, stock_site_name: z.string(), stock_rack: z.string() })),
})

export const find = feature('find', {
  all: call({
    path: '/find',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({
      words: searchText(maxFindLength),
      /** The vehicles that somebody has opened last: they come first among those found, and alone without words. */
      recent: z.array(inputId).max(20).default([]),
    }),
    output: matches,
    summary: `Finds vehicles by plate, number, brand, description and driver, a tyre by its number and a document by its printed number; for administrators also customers and places. At most ${foundPerKind} of each kind, vehicles whose plate begins with the words first.`,
  }),
})
