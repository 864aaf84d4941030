import { useTranslation } from '../ui/texts.ts'
import { papers } from '#contract/papers.ts'
import { ask } from '../shared/api.ts'
import { PdfButton } from '../shared/pdf.tsx'

/** Opens the overview of a customer's stored tyres; without `customer` that of one's own. */
export function OverviewButton({ customer }: { customer?: number | undefined }) {
  const { t } = useTranslation('papers')
  return (
    <PdfButton
      name={t('overviewName')}
      pdf={() => ask(papers.overview, customer === undefined ? {} : { seq_id: customer })}
    >
      {t('overview')}
    </PdfButton>
  )
}
