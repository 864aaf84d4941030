/** The measures of wheels, for put-away: a place that is too small or too weak for a wheel has no room for it. */
import { z } from 'zod'
import { wheelSize } from '#domain/tyres/wheelSize.ts'
import type { Tx } from '../../db/database.ts'
import { statement } from '../../db/statement.ts'
import { int, text } from '../../db/types.ts'

const textsOf = statement({
  name: 'locations.sizes',
  parameters: { site: int, tyres: z.array(int) },
  row: { id: int, size: text, described: text },
  sql: `select t.id, coalesce(a.dimension, '') as size, t.description as described
   from tyre t join article a on a.site_id = t.site_id and a.id = t.article_id where t.site_id = :site and t.id = any (:tyres::int[])`,
})

/** The parameters of put-away: tyres in their order, each with the known parts of its size. */
export async function sizedTyres(tx: Tx, site: number, tyres: readonly number[]) {
  const texts = await tx.rows(textsOf, { site, tyres: [...tyres] })
  const sizes = new Map(texts.map(({ id, size, described }) => [id, wheelSize(size) ?? wheelSize(described)]))
  const each = (dimension: keyof NonNullable<ReturnType<typeof wheelSize>>) =>
    tyres.map(id => sizes.get(id)?.[dimension] ?? null)
  return {
    site,
    tyres: [...tyres],
    diameters: each('diameter'),
    widths: each('width'),
    weights: each('weight'),
    rimWeights: each('rimWeight'),
  }
}
