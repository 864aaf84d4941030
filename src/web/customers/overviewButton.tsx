import { useTranslation } from '../ui/texts.ts'
import { papers } from '#contract/papers.ts'
import { ask } from '../shared/api.ts'
import { openPdf, PdfButton } from '../shared/pdf.tsx'
import { useTask } from '../shared/useTask.ts'
import type { ListAction } from '../ui/listLine.tsx'
import { IconFileTypePdf } from '@tabler/icons-react'

type OverviewProps = { customer?: number | undefined }

const overviewOf = ({ customer }: OverviewProps) =>
  ask(papers.overview, customer === undefined ? {} : { seq_id: customer })

/** Opens the overview of a customer's stored tyres; without `customer` that of one's own. */
export function OverviewButton(of: OverviewProps) {
  const { t } = useTranslation('papers')
  return (
    <PdfButton name={t('overviewName')} pdf={() => overviewOf(of)}>
      {t('overview')}
    </PdfButton>
  )
}

/** The same as an action of a list's line. */
export function useOverview(of: OverviewProps): ListAction {
  const { t } = useTranslation('papers')
  const { busy, run } = useTask()
  return {
    label: t('overview'),
    icon: IconFileTypePdf,
    busy,
    run: () => run(async () => openPdf(await overviewOf(of), t('overviewName'))),
  }
}
