/** Labels of tyres. */
import type { LabelLayout } from '#domain/warehouse/label.ts'
import { Failure } from '#domain/failure.ts'
import type { Row } from '../../db/statement.ts'
import type { Tx } from '../../db/database.ts'
import type { LabelledTyre } from '../../printing/labels.ts'
import { Print } from '../../printing/pool.ts'
import type { Context, Handlers, Site, Who } from '../handler.ts'
import { recordLargePrint } from '../security/record.ts'
import { labelledTyres, labelReport, notePrinted } from './labels.sql.ts'

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
  const byId = new Map(rows.map(row => [row.id, row]))
  return tyres.map(id => {
    const row = byId.get(id)
    if (!row) throw new Failure('record.missing')
    return { ...row, size: sizeOf(row) }
  })
}

type Printing = Pick<Context<unknown, readonly ['admin']>, 'tx' | 'who' | 'site' | 'lang' | 'now' | 'request'>

/** @throws Failure `label.report_missing` */
export async function layoutOf(tx: Tx, site: Site, report: number): Promise<LabelLayout> {
  const row = await tx.maybe(labelReport, { site: site.id, report })
  if (!row) throw new Failure('label.report_missing')
  return row.layout
}

/** The data of labels that are about to be printed. @throws Failure `record.missing` */
export async function labelsToPrint(context: Printing, ids: readonly number[]): Promise<LabelledTyre[]> {
  const { tx, who, site } = context
  const tyres = await findLabelled(tx, who, site, ids)
  await recordLargePrint(context, tyres.length)
  return tyres
}

/** Notes that the labels of these tyres were printed. */
export const noteLabels = ({ tx, who, site, now }: Printing, tyres: readonly LabelledTyre[]): Promise<void> =>
  tx.run(notePrinted, { site: site.id, tyres: tyres.map(({ id }) => id), actor: who.account, now })

/** The print of these labels. @throws Failure `record.missing` */
export async function printLabelsOf(
  context: Printing,
  { layout, tyres: ids }: { layout: LabelLayout; tyres: readonly number[] },
): Promise<Print> {
  const { site, lang, now } = context
  const tyres = await labelsToPrint(context, ids)
  await noteLabels(context, tyres)
  return new Print({ kind: 'labels', tyres, print: { layout, site: site.id, lang, now } })
}

export const labels: Pick<Handlers['fleet'], 'getTyreLabels'> = {
  async getTyreLabels(context) {
    const { input, tx, site } = context
    const layout = await layoutOf(tx, site, input.report_id)
    return printLabelsOf(context, { layout, tyres: input.tyres })
  },
}
