/** Labels of tyres: the report is chosen once and remembered on the device. */
import { fleet } from '#contract/fleet.ts'
import type { Operation } from '#contract/wire.ts'
import { ask, type AskOptions, messageOf } from '../api.ts'
import { say } from '../../i18n.ts'
import { useExtra } from '../session.ts'
import { useRemembered } from '../hooks.ts'
import { notify } from '../../ui/notify.ts'
import { openPdf } from '../pdf.tsx'
import { pageCounter } from '../../ui/pdfBytes.ts'

/** The shortest time between two reports, in ms: a screen reader that gets more of them reads nothing else. */
const reportInterval = 500

/** Reports in a toast how many of `count` labels have come so far. */
function progressReporter({ count, toast }: { count: number; toast: string }): NonNullable<AskOptions['onChunk']> {
  const counted = pageCounter()
  let reported = performance.now()
  return (piece, headers) => {
    const pages = counted(piece)
    const all = Number(headers.get('wheelhouse-pages'))
    if (!(all > 0) || pages === 0 || pages >= all || performance.now() - reported < reportInterval) return
    reported = performance.now()
    notify.going(toast, say('common:labelsDrawn', { done: Math.round((count * pages) / all), count }))
  }
}

/**
 * Fetches `count` labels and opens them; a toast shows the progress. A refusal and an empty answer ('The PDF file is invalid.')
 * show in a toast, too, and are returned; `null` when the labels are open.
 */
export async function openLabels(
  asked: (options: AskOptions) => Promise<string>,
  { count, name }: { count: number; name: string },
): Promise<string | null> {
  const toast = notify.doing(say('common:preparingLabels', { count }))
  try {
    const opened = openPdf(await asked({ onChunk: progressReporter({ count, toast }) }), name)
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

/** The file name under which the labels of an operation are saved. */
export const labelName = (operation: Operation): string => `${operation.vehicle.license_plate}-${operation._id}`
