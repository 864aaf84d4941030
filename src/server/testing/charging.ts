/** A site that charges storage, for tests of charges. */
import type { World } from './world.ts'

/** The home site charges sets by day, from the 31st day on, with reservations. */
export const chargeByDay = (w: World): Promise<void> =>
  w.setSite(w.sites.home, {
    invoicing_quantity: 'per_set',
    invoicing_mode: 'per_day',
    invoicing_period: 30,
    invoicing_article: w.articles.home,
    invoicing_document_type: 'reservation',
    invoicing_price_excl: 0.35,
  })
