/** Labels of tyres. */
import { Failure } from '#domain/failure.ts'
import type { Row } from '../../db/statement.ts'
import type { Tx } from '../../db/database.ts'
import type { LabelledTyre } from '../../printing/labels.ts'
import { Print } from '../../printing/pool.ts'
import type { Handlers, Site, Who } from '../handler.ts'
import { recordLargePrint } from '../security/record.ts'
import { labelledTyres, labelReport } from './labels.sql.ts'

/** A size as the tyre shows it: `195/75R16C 107/105R`. */
function sizeOf({ dimension, load_index, load_index_dual, speed_symbol }: Row<typeof labelledTyres>): string {
  const load = [load_index, load_index_dual].filter(index => index !== null).join('/')
  return `${dimension} ${load}${speed_symbol ?? ''}`.trim()
}

/**
 * The label data of these tyres, each once, in this order. @throws Failure `record.missing` for an id that the caller
 * may not see
 */
async function findLabelled(tx: Tx, who: Who, site: Site, ids: readonly number[]): Promise<LabelledTyre[]> {
  const tyres = [...new Set(ids)]
  const { allowProfileDepth: withDepth } = site
  const rows = await tx.rows(labelledTyres, { site: site.id, tyres, withDepth, customer: who.customer })
  const found = new Map(rows.map(row => [row.id, row]))
  return tyres.map(id => {
    const row = found.get(id)
    if (!row) throw new Failure('record.missing')
    return { ...row, size: sizeOf(row) }
  })
}

export const labels: Pick<Handlers['fleet'], 'getTyreLabels'> = {
  async getTyreLabels(context) {
    const { input, tx, who, site, lang, now } = context
    const report = await tx.maybe(labelReport, { site: site.id, report: input.report_id })
    if (!report) throw new Failure('label.report_missing')
    const tyres = await findLabelled(tx, who, site, input.tyres)
    await recordLargePrint(context, tyres.length)
    const print = { layout: report.layout, site: site.id, lang, now }
    return new Print({ kind: 'labels', tyres, print })
  },
}
