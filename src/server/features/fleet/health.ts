/** The call that says what of a fleet needs attention (docs/product.md "Fleet health"). */
import { countryOf } from '#domain/closedDays.ts'
import { type IsoDate, today } from '#domain/date.ts'
import { Failure } from '#domain/failure.ts'
import { healthRules, longStoredSince } from '#domain/health.ts'
import { isHotel } from '#domain/site.ts'
import { seasonsOnSnow } from '#domain/tread.ts'
import { tyreStatuses } from '#domain/tyre.ts'
import { customerOf } from '../customers/customers.ts'
import type { Handlers, Site, Who } from '../handler.ts'
import { healthOfCustomer, reachingOfCustomer } from './health.sql.ts'

/** By what the tyres of a customer are judged at a site on a day. */
export function judging(site: Site, customer: number, date: IsoDate) {
  const { classes, words, seasons } = healthRules({ country: countryOf(site.timeZone), date, site })
  const hidden = {
    on_vehicle: !site.showTyresOnVehicle,
    at_customer: !site.showTyresAtCustomer,
    in_stock: false,
    on_spare: false,
    waste: true,
  }
  return {
    site: site.id,
    customer,
    listed: tyreStatuses.filter(status => !hidden[status]),
    onSnow: [...seasonsOnSnow],
    classes: JSON.stringify(classes),
    words: JSON.stringify(words),
    seasons: JSON.stringify(seasons),
    withDepth: site.allowProfileDepth,
    today: date,
  }
}

/** The customer that is asked for. @throws Failure when an administrator names none */
function customerAsked(who: Who, named: number | undefined): number {
  const customer = customerOf(who, named)
  if (customer === null) throw new Failure('request.invalid', { fields: ['seq_id'] })
  return customer
}

export const health: Pick<Handlers['fleet'], 'health' | 'reaching'> = {
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

  reaching({ input, tx, who, site, now }) {
    const customer = customerAsked(who, input.seq_id)
    return tx.single.json(reachingOfCustomer, judging(site, customer, today({ now, timeZone: site.timeZone })))
  },
}
