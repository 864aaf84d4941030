/** The owner's figures (docs/product/money.md "Figures"). */
import { addMonths, today as todayOf } from '#domain/texts/date.ts'
import { monthsOf, weekEndsOf } from '#domain/money/figures.ts'
import type { Handlers } from '../handler.ts'
import * as sql from './figures.sql.ts'

export const figures: Handlers['figures'] = {
  revenue({ tx, site, now }) {
    const today = todayOf({ now, timeZone: site.timeZone })
    return tx.single.json(sql.revenueByMonth, { site: site.id, months: monthsOf(today), today })
  },

  occupancy({ tx, site, now }) {
    const weeks = weekEndsOf(todayOf({ now, timeZone: site.timeZone }))
    return tx.single.json(sql.occupancyByWeek, { site: site.id, weeks })
  },

  customers({ tx, site, now }) {
    const since = addMonths(todayOf({ now, timeZone: site.timeZone }), -12)
    return tx.single.json(sql.largest, { site: site.id, since })
  },

  unpaid: ({ tx, site, now }) =>
    tx.single.json(sql.unpaidByAge, { site: site.id, today: todayOf({ now, timeZone: site.timeZone }) }),

  deliveries({ tx, site, now }) {
    const { timeZone } = site
    const months = monthsOf(todayOf({ now, timeZone }))
    return tx.single.json(sql.deliveriesByMonth, { site: site.id, months, timeZone })
  },
}
