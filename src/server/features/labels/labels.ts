/** The labels of a day's storages in one print (docs/product/warehouse.md "Labels"). */
import { Failure } from '#domain/failure.ts'
import { rollLayouts } from '#domain/warehouse/label.ts'
import { zplOf } from '../../printing/zpl.ts'
import { labelsToPrint, layoutOf, noteLabels, printLabelsOf } from '../fleet/labels.ts'
import type { Context, Handlers } from '../handler.ts'
import * as sql from './labels.sql.ts'

/** The tyres whose labels a day still needs, or all of it. @throws Failure `label.none` */
async function ofDay(
  { tx, site }: Pick<Context<unknown, 'anyone'>, 'tx' | 'site'>,
  { day, again }: { day: string; again: boolean },
): Promise<number[]> {
  const tyres = await tx.rows(sql.labelsOfDay, { site: site.id, day, again })
  if (tyres.length === 0) throw new Failure('label.none')
  return tyres.map(({ id }) => id)
}

export const labels: Handlers['labels'] = {
  day: ({ input, tx, site }) => tx.one(sql.countOfDay, { site: site.id, day: input.day }),

  async print(context) {
    const { input, tx, site } = context
    const layout = await layoutOf(tx, site, input.report_id)
    return printLabelsOf(context, { layout, tyres: await ofDay(context, input) })
  },
  printers: async ({ site, request }) => request.labelPrinters.of(site.code).map(({ name }) => ({ name })),

  async send(context) {
    const { input, tx, site, lang, request } = context
    const printer = request.labelPrinters.of(site.code).find(({ name }) => name === input.printer)
    if (!printer) throw new Failure('label.printer_missing')
    const choice = await layoutOf(tx, site, input.report_id)
    const layout = rollLayouts.find(candidate => candidate === choice)
    if (!layout) throw new Failure('label.sheet')
    const wanted = input.tyres ?? (await ofDay(context, { day: input.day ?? '', again: input.again }))
    const tyres = await labelsToPrint(context, wanted)
    const zpl = zplOf(tyres, { layout, site: site.id, lang, dpi: printer.dpi })
    // a printer that is off must hold no connection
    await tx.commit()
    await request
      .outside(() => request.labelPrinters.send(printer, zpl))
      .catch(() => {
        throw new Failure('label.printer_failed', { printer: printer.name })
      })
    await noteLabels(context, tyres)
    return { labels: tyres.length }
  },
}
