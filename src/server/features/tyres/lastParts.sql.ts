/** The rims, bolts and hubcaps that tyres last had in stock: a storage of them proposes the same (docs/product/operations.md "Request sheet"). */
import { z } from 'zod'
import { rims } from '#domain/tyres/tyre.ts'
import { statement } from '../../db/statement.ts'
import { bool, int } from '../../db/types.ts'

/**
 * The parts of tyre `t`, else those of its customer's last operation that handed it over: several handovers of a wheel are ordered by
 * operation number. No row where nothing is recorded. Answers `parts` with the columns rims, bolts and hubcaps.
 */
export const lastParts = (t: string): string => `lateral (
  select ${t}.rims, ${t}.bolts, ${t}.hubcaps where ${t}.rims is not null or ${t}.bolts or ${t}.hubcaps
  union all
  (select h.rims, h.bolts, h.hubcaps from handed_wheel h
   where h.site_id = ${t}.site_id and h.wheel = coalesce(${t}.copy_of, ${t}.id) and h.customer_id = ${t}.customer_id
   order by h.operation_id desc limit 1)
  limit 1) parts`

/** The same of each of these tyres of which it is known. `customer` restricts their owner, null for any. */
export const lastPartsOf = statement({
  name: 'tyres.lastParts',
  parameters: { site: int, customer: int.nullable(), tyres: z.array(int) },
  row: { tyre: int, withRims: z.enum(rims).nullable(), withBolts: bool, withHubcaps: bool },
  sql: `select t.id as tyre, parts.rims as "withRims", parts.bolts as "withBolts", parts.hubcaps as "withHubcaps"
   from tyre t, ${lastParts('t')}
   where t.site_id = :site and t.id = any (:tyres::int[]) and (:customer::int is null or t.customer_id = :customer)`,
})
