/** The work of a day (docs/product/screens.md "Home screens"). */
import { today as todayOf } from '#domain/texts/date.ts'
import type { Handlers } from '../handler.ts'
import { workOfDay } from './today.sql.ts'

export const today: Handlers['today'] = {
  read: ({ tx, site, now }) =>
    tx.single.json(workOfDay, { site: site.id, now, today: todayOf({ now, timeZone: site.timeZone }) }),
}
