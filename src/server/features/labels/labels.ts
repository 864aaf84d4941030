/** The labels of a day's storages in one print (docs/product.md "Labels"). */
import { Failure } from '#domain/failure.ts'
import { layoutOf, printLabelsOf } from '../fleet/labels.ts'
import type { Handlers } from '../handler.ts'
import * as sql from './labels.sql.ts'

export const labels: Handlers['labels'] = {
  day: ({ input, tx, site }) => tx.one(sql.countOfDay, { site: site.id, day: input.day }),

  async print(context) {
    const { input, tx, site } = context
    const layout = await layoutOf(tx, site, input.report_id)
    const tyres = await tx.rows(sql.labelsOfDay, { site: site.id, day: input.day, again: input.again })
    if (tyres.length === 0) throw new Failure('label.none')
    return printLabelsOf(context, { layout, tyres: tyres.map(({ id }) => id) })
  },
}
