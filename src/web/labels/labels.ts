/** Labels of tyres: the report is chosen once and remembered on the device. */
import type { RawInput } from '#contract/call.ts'
import { fleet } from '#contract/fleet.ts'
import { labels as calls } from '#contract/labels.ts'
import type { Operation } from '#contract/wire.ts'
import { isHotel } from '#domain/site.ts'
import { ask, type AskOptions, messageOf, useAnswer } from '../shared/api.ts'
import { say } from '../i18n.ts'
import { useExtra, useSite, useWho } from '../shared/session.ts'
import { useRemembered } from '../shared/hooks.ts'
import { notify } from '../ui/notify.ts'
import { openPdf } from '../shared/pdf.tsx'
import { pageCounter } from '../ui/pdfBytes.ts'

/** The shortest time between two reports, in ms: a screen reader that gets more of them reads nothing else. */
const reportIntervalMs = 500

/** Reports in a toast how many of `count` labels have come so far. */
function progressReporter({ count, toast }: { count: number; toast: string }): NonNullable<AskOptions['onChunk']> {
  const counted = pageCounter()
  let reported = performance.now()
  return (piece, headers) => {
    const pages = counted(piece)
    const all = Number(headers.get('wheelhouse-pages'))
    if (!(all > 0) || pages === 0 || pages >= all || performance.now() - reported < reportIntervalMs) return
    reported = performance.now()
    notify.going(toast, say('common:labelsDrawn', { done: Math.round((count * pages) / all), count }))
  }
}

/**
 * Fetches `count` labels and opens them; a toast shows the progress. A refusal and an empty answer ('The PDF file is invalid.')
 * show in a toast, too, and are returned; `null` when the labels are open.
 */
export async function openLabels(
  fetchPdf: (options: AskOptions) => Promise<string>,
  { count, name }: { count: number; name: string },
): Promise<string | null> {
  const toast = notify.doing(say('common:preparingLabels', { count }))
  try {
    const opened = openPdf(await fetchPdf({ onChunk: progressReporter({ count, toast }) }), name)
    notify.hide(toast)
    return opened ? null : say('common:invalidPdf')
  } catch (error) {
    notify.error(messageOf(error), { id: toast })
    return messageOf(error)
  }
}

/** The name of a label printer; `null` for a PDF. */
type Target = string | null

/** The label printers that the account may use, and the one chosen on this device; only administrators have any. */
function usePrinters(): { printers: readonly string[]; printer: Target; choosePrinter: (printer: Target) => void } {
  const { type } = useWho()
  const { mode } = useSite()
  const { data } = useAnswer(calls.printers, {}, { muted: true, enabled: type === 'admin' && isHotel(mode) })
  const [remembered, choosePrinter] = useRemembered<Target>('labelPrinter', null)
  const printers = data?.map(({ name }) => name) ?? []
  return { printers, printer: printers.find(name => name === remembered) ?? null, choosePrinter }
}

/** Sends labels to a printer; a toast says how many, or why not, which is answered, too. */
async function sendLabels(
  printer: string,
  input: Omit<RawInput<typeof calls.send>, 'printer'>,
): Promise<string | null> {
  try {
    const { labels } = await ask(calls.send, { ...input, printer })
    notify.success(say('common:labelPrinter.sent', { count: labels, printer }))
    return null
  } catch (error) {
    notify.error(messageOf(error))
    return messageOf(error)
  }
}

export function useLabels() {
  const { labelReports } = useExtra()
  const [remembered, remember] = useRemembered<number | null>('labelReport', null)
  const report = labelReports.find(({ rpt_number }) => rpt_number === remembered) ?? labelReports[0]

  const { printers, printer, choosePrinter } = usePrinters()

  /** Prints the labels of these tyres. Returns the reason for a failure; `null` on success, and without a report to print with. */
  async function print(tyres: readonly { db_id: number }[], name: string): Promise<string | null> {
    if (!report) return null
    const input = { tyres: tyres.map(tyre => tyre.db_id), report_id: report.rpt_number }
    if (printer !== null) return sendLabels(printer, input)
    return openLabels(options => ask(fleet.getTyreLabels, input, options), { count: tyres.length, name })
  }

  /** Prints the labels of a day's storages, which are so many. */
  async function printDay(day: string, { again, count, name }: { again: boolean; count: number; name: string }) {
    if (!report) return
    const input = { day, again, report_id: report.rpt_number }
    if (printer !== null) await sendLabels(printer, input)
    else await openLabels(options => ask(calls.print, input, options), { count, name })
  }

  return { reports: labelReports, report, choose: remember, printers, printer, choosePrinter, print, printDay }
}
export type Labels = ReturnType<typeof useLabels>

/** The file name under which the labels of an operation are saved. */
export const labelName = (operation: Operation): string => `${operation.vehicle.license_plate}-${operation._id}`
