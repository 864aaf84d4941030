/** Labels of tyres: the report is chosen once and remembered on the device (SPEC §9). */
import { useTranslation } from 'react-i18next'
import { fleet } from '#contract/fleet.ts'
import { ask, messageOf } from '../../api.ts'
import { say } from '../../i18n.ts'
import { useExtra } from '../../session.ts'
import { useRemembered } from '../hooks.ts'
import { notify } from '../notify.ts'
import { openPdf } from '../pdf.tsx'

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
        await ask(fleet.getTyreLabels, { tyres: tyres.map(tyre => tyre.db_id), report_id: report.rpt_number }),
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
