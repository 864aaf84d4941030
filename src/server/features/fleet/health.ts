/** The call that says what of a fleet needs attention (docs/product/tyres.md "Fleet health"). */
import { countryOf } from '#domain/operations/closedDays.ts'
import { type IsoDate, today } from '#domain/texts/date.ts'
import { Failure } from '#domain/failure.ts'
import { healthRules, longStoredSince, rulesUntil } from '#domain/tyres/health.ts'
import { listedAt } from '#domain/texts/listFilter.ts'
import { seasonDay, seasonSpan } from '#domain/season/seasonChange.ts'
import { isHotel } from '#domain/site.ts'
import { seasonsOnSnow } from '#domain/tyres/tread.ts'
import { tyreStatuses } from '#domain/tyres/tyre.ts'
import { daysOfForecast, type KeptForecast } from '#domain/tyres/wear.ts'
import { customerOf } from '../customers/customers.ts'
import type { Handlers, Site, Who } from '../handler.ts'
import { healthOfCustomer, nearingOfCustomer, reachingOfCustomer } from './health.sql.ts'

/** By what the tyres of a customer are judged at a site on a day. */
export const judging = (site: Site, customer: number, date: IsoDate) =>
  judgedBy(site, customer, { today: date, rules: healthRules({ country: countryOf(site.timeZone), date, site }) })

function judgedBy(
  site: Site,
  customer: number,
  { today: date, rules: { classes, words, seasons } }: { today: IsoDate; rules: ReturnType<typeof healthRules> },
) {
  const listed = { ...listedAt(site), waste: false }
  return {
    site: site.id,
    customer,
    listed: tyreStatuses.filter(status => listed[status]),
    onSnow: [...seasonsOnSnow],
    classes: JSON.stringify(classes),
    words: JSON.stringify(words),
    seasons: JSON.stringify(seasons),
    withDepth: site.allowProfileDepth,
    today: date,
  }
}

/** The stored forecast of a tyre, with the tyre's season. */
type OfTyre = { readonly tyre: number; readonly season: string | null; readonly kept: KeptForecast }

/** From when to when a tyre reaches its limit, as it looks on a day. */
const daysOf = ({ tyre, season, kept }: OfTyre, date: IsoDate) => ({ tyre, ...daysOfForecast(kept, season, date) })

/** The customer that is asked for. @throws Failure when an administrator names none */
function customerAsked(who: Who, named: number | undefined): number {
  const customer = customerOf(who, named)
  if (customer === null) throw new Failure('request.invalid', { fields: ['seq_id'] })
  return customer
}

export const health: Pick<Handlers['fleet'], 'health' | 'nearing' | 'reaching'> = {
  health({ input, tx, who, site, now }) {
    const customer = customerAsked(who, input.seq_id)
    const date = today({ now, timeZone: site.timeZone })
    return tx.single.json(healthOfCustomer, {
      ...judging(site, customer, date),
      hotel: isHotel(site.mode),
      longSince: longStoredSince(date),
      now,
      timeZone: site.timeZone,
    })
  },

  async nearing({ input, tx, who, site, now }) {
    const customer = customerAsked(who, input.seq_id)
    const date = today({ now, timeZone: site.timeZone })
    const { until } = seasonSpan(input.season, date)
    const judged = { country: countryOf(site.timeZone), date: seasonDay(input.season, date), site }
    const rules = rulesUntil(judged, { today: date, until })
    const { text } = await tx.json(nearingOfCustomer, judgedBy(site, customer, { today: date, rules }))
    const forecasts = JSON.parse(text) as OfTyre[]
    return { tyres: forecasts.map(forecast => daysOf(forecast, date)) }
  },

  async reaching({ input, tx, who, site, now }) {
    const customer = customerAsked(who, input.seq_id)
    const date = today({ now, timeZone: site.timeZone })
    const { text } = await tx.json(reachingOfCustomer, judging(site, customer, date))
    const { tyres, forecasts } = JSON.parse(text) as { tyres: number[]; forecasts: OfTyre[] }
    return { tyres, estimates: forecasts.map(forecast => ({ ...daysOf(forecast, date), limit: forecast.kept.limit })) }
  },
}
