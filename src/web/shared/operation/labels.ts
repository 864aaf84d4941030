/** Labels of tyres: the report is chosen once and remembered on the device (SPEC §9). */
import { fleet } from '#contract/fleet.ts'
import { ask, type AskOptions, messageOf } from '../api.ts'
import { say } from '../../i18n.ts'
import { useExtra } from '../session.ts'
import { useRemembered } from '../hooks.ts'
import { notify } from '../../ui/notify.ts'
import { openPdf } from '../pdf.tsx'
import { pageCounter } from '../../ui/pdfBytes.ts'

/** A screen reader that is told more often than this, in ms, says nothing else. */
const between = 500

/** Tells in a toast how many labels of so many have come so far. */
function hearLabels({ count, toast }: { count: number; toast: string }): NonNullable<AskOptions['hear']> {
  const counted = pageCounter()
  let said = performance.now()
  return (piece, headers) => {
    const pages = counted(piece)
    const all = Number(headers.get('wheelhouse-pages'))
    if (!(all > 0) || pages === 0 || pages >= all || performance.now() - said < between) return
    said = performance.now()
    notify.going(toast, say('operations:labelsDrawn', { done: Math.round((count * pages) / all), count }))
  }
}

/**
 * Asks for the labels of so many things and opens them, with a toast that says how far that is. A refusal and an empty answer
 * ('The PDF file is invalid.') are told in a toast, and answered for whoever waits for it; `null` when the labels are open.
 */
export async function openLabels(
  asked: (options: AskOptions) => Promise<string>,
  { count, name }: { count: number; name: string },
): Promise<string | null> {
  const toast = notify.doing(say('operations:preparingLabels', { count }))
  try {
    const opened = openPdf(await asked({ hear: hearLabels({ count, toast }) }), name)
    notify.hide(toast)
    return opened ? null : say('common:invalidPdf')
  } catch (error) {
    notify.error(messageOf(error), { id: toast })
    return messageOf(error)
  }
}

export function useLabels() {
  const { labelReports } = useExtra()
  const [remembered, remember] = useRemembered<number | null>('labelReport', null)
  const report = labelReports.find(({ rpt_number }) => rpt_number === remembered) ?? labelReports[0]

  /** Opens the labels of these tyres, and answers why not; `null` without a report to print them with, too. */
  async function print(tyres: readonly { db_id: number }[], name: string): Promise<string | null> {
    if (!report) return null
    const asked = { tyres: tyres.map(tyre => tyre.db_id), report_id: report.rpt_number }
    return openLabels(options => ask(fleet.getTyreLabels, asked, options), { count: tyres.length, name })
  }

  return { reports: labelReports, report, choose: remember, print }
}
export type Labels = ReturnType<typeof useLabels>
