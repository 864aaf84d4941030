import { useTranslation } from '../../ui/texts.ts'
import { papers } from '#contract/papers.ts'
import { ask } from '../api.ts'
import { PdfButton } from '../pdf.tsx'

/** Opens the overview of what a customer has in store; without `of` that of one's own. */
export function OverviewButton({ of }: { of?: number | undefined }) {
  const { t } = useTranslation('papers')
  return (
    <PdfButton name={t('overviewName')} pdf={() => ask(papers.overview, of === undefined ? {} : { seq_id: of })}>
      {t('overview')}
    </PdfButton>
  )
}
