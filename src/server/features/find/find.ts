/** Finding anything from anywhere (docs/product/screens.md "Find"). */
import { readTyped } from '#domain/warehouse/card.ts'
import { normalizePlate } from '#domain/vehicles/plate.ts'
import { isHotel } from '#domain/site.ts'
import { likePattern, searchWords } from '../../db/search.ts'
import type { Handlers } from '../handler.ts'
import { findAll } from './find.sql.ts'

export const find: Handlers['find'] = {
  all({ input, tx, who, site }) {
    const words = searchWords(input.words)
    const { plate, tyre, document } = readTyped(input.words)
    const hotel = isHotel(site.mode)
    return tx.single.json(findAll, {
      site: site.id,
      customer: who.customer,
      everyone: who.type === 'admin',
      places: who.type === 'admin' && hotel,
      patterns: words.map(likePattern),
      platePatterns: words.map(word => likePattern(normalizePlate(word).toLowerCase() || word)),
      plate,
      recent: input.recent,
      tyre,
      documentType: hotel ? (document?.type ?? null) : null,
      documentYear: document?.year ?? null,
      documentNumber: document?.number ?? null,
    })
  },
}
