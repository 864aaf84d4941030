/** The statement that takes steps with wheels (docs/product/warehouse.md "Where a wheel is"). */
import { z } from 'zod'
import { statement } from '../../db/statement.ts'
import { int, text } from '../../db/types.ts'

/**
 * Takes a step with wheels whose tyres, and the open operations of these, the caller has locked. Wheels that are in none of the
 * states `before`, or whose tyre contradicts where the step leads, stay as they are; one that is there already takes no step. A row for each wheel that is there now.
 */
export const takeStep = statement({
  name: 'wheels.take',
  parameters: {
    site: int,
    tyres: z.array(int),
    step: text,
    before: z.array(text),
    to: text,
    /** Those of tyres whose wheels may be there. */
    statuses: z.array(text),
    location: int.nullable(),
  },
  row: { tyre: int },
  sql: `
    update wheel set state = :to, location_id = :location::int, step = :step,
       since = case when (state, location_id) is distinct from (:to::text, :location::int) then now() else since end
     where site_id = :site and tyre_id = any (:tyres::int[]) and status = any (:statuses::text[]) and (state = any (:before::text[]) or state = :to)
     returning tyre_id as tyre`,
})
