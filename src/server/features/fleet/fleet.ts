/** The calls of a fleet: vehicles with their tyres, and the articles, documents, labels and customers that they need. */
import { searchWords } from '../../db/search.ts'
import { customersByName } from '../customers/customers.sql.ts'
import type { Handlers } from '../handler.ts'
import { articles } from './articles.ts'
import { documents } from './documents.ts'
import { health } from './health.ts'
import { labels } from './labels.ts'
import { registered } from './registered.ts'
import { vehicles } from './vehicles.ts'

export const fleet: Handlers['fleet'] = {
  ...vehicles,
  ...health,
  ...articles,
  ...documents,
  ...labels,
  ...registered,

  findcustomerbyname: ({ input, tx, site }) =>
    tx.single.json(customersByName, { site: site.id, words: searchWords(input.string) }),
}
