/** Labels of tyres: the report is chosen once and remembered on the device (SPEC §9). */
import { useTranslation } from 'react-i18next'
import type { Answer, Asked, Call } from '#contract/call.ts'
import { fleet } from '#contract/fleet.ts'
import { ask, messageOf } from '../../api.ts'
import { say } from '../../i18n.ts'
import { useExtra } from '../../session.ts'
import { useRemembered } from '../hooks.ts'
import { notify } from '../notify.ts'
import { openPdf } from '../pdf.tsx'
import { pageCounter } from '../pdfBytes.ts'

/** A screen reader that is told more often than this, in ms, says nothing else. */
const between = 500

/** Fetches labels, of which so many were asked for, and says in a toast how many have come so far. */
export async function fetchLabels<C extends Call>(
  call: C,
  asked: Asked<C>,
  { count, toast }: { count: number; toast: string },
): Promise<Answer<C>> {
  const counted = pageCounter()
  let said = performance.now()
  return ask(call, asked, {
    hear(piece, headers) {
      const pages = counted(piece)
      const all = Number(headers.get('wheelhouse-pages'))
      if (!(all > 0) || pages === 0 || pages >= all || performance.now() - said < between) return
      said = performance.now()
      notify.going(toast, say('operations:labelsDrawn', { done: Math.round((count * pages) / all), count }))
    },
  })
}

export function useLabels() {
  const { t } = useTranslation('operations')
  const { labelReports } = useExtra()
  const [remembered, remember] = useRemembered<number | null>('labelReport', null)
  const report = labelReports.find(({ rpt_number }) => rpt_number === remembered) ?? labelReports[0]

  /**
   * Fetches the labels and opens them. A refusal and an empty answer ('The PDF file is invalid.') are told in a toast, and
   * answered for whoever waits for it; `null` when the labels are open.
   */
  async function print(tyres: readonly { db_id: number }[], name: string): Promise<string | null> {
    if (!report) return null
    const toast = notify.doing(t('preparingLabels', { count: tyres.length }))
    try {
      const opened = openPdf(
        await fetchLabels(
          fleet.getTyreLabels,
          { tyres: tyres.map(tyre => tyre.db_id), report_id: report.rpt_number },
          { count: tyres.length, toast },
        ),
        name,
      )
      notify.hide(toast)
      return opened ? null : say('common:invalidPdf')
    } catch (error) {
      notify.error(messageOf(error), { id: toast })
      return messageOf(error)
    }
  }

  return { reports: labelReports, report, choose: remember, print }
}
export type Labels = ReturnType<typeof useLabels>
