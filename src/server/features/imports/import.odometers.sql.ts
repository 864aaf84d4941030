/** The statement of an import of odometer readings. */
import { z } from 'zod'
import { statement } from '../../db/statement.ts'
import { int } from '../../db/types.ts'

/** Notes that readings came with an import, for its undo. */
export const rememberReadings = statement({
  name: 'import.rememberReadings',
  parameters: { site: int, import: int, readings: z.array(int) },
  sql: `insert into import_row (site_id, import_id, record, record_id) select :site, :import, 'odometer', id from unnest(:readings::int[]) id`,
})
