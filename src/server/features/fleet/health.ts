/** The call that says what of a fleet needs attention (docs/product.md "Fleet health"). */
import { countryOf } from '#domain/closedDays.ts'
import { today } from '#domain/date.ts'
import { Failure } from '#domain/failure.ts'
import { healthRules, longStoredSince } from '#domain/health.ts'
import { isHotel } from '#domain/site.ts'
import { seasonsOnSnow } from '#domain/tread.ts'
import { tyreStatuses } from '#domain/tyre.ts'
import { customerOf } from '../customers/customers.ts'
import type { Handlers } from '../handler.ts'
import { healthOfCustomer } from './health.sql.ts'

export const health: Pick<Handlers['fleet'], 'health'> = {
  health({ input, tx, who, site, now }) {
    const customer = customerOf(who, input.seq_id)
    if (customer === null) throw new Failure('request.invalid', { fields: ['seq_id'] })
    const date = today({ now, timeZone: site.timeZone })
    const { classes, words } = healthRules({ country: countryOf(site.timeZone), date, site })
    const hidden = {
      on_vehicle: !site.showTyresOnVehicle,
      at_customer: !site.showTyresAtCustomer,
      in_stock: false,
      on_spare: false,
      waste: true,
    }
    return tx.single.json(healthOfCustomer, {
      site: site.id,
      customer,
      withDepth: site.allowProfileDepth,
      hotel: isHotel(site.mode),
      listed: tyreStatuses.filter(status => !hidden[status]),
      onSnow: [...seasonsOnSnow],
      classes: JSON.stringify(classes),
      words: JSON.stringify(words),
      longSince: longStoredSince(date),
      now,
      timeZone: site.timeZone,
    })
  },
}
