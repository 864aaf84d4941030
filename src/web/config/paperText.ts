import { useTranslation } from '../ui/texts.ts'
import { labelPapers, type LabelLayout } from '#domain/warehouse/label.ts'

/** How large a label is, and how many are on a page, in the language of the page. */
export function usePaperText(): (layout: LabelLayout) => string {
  const { t, i18n } = useTranslation('config')
  return layout => {
    const { label, across, down } = labelPapers[layout]
    const [width, height] = [label.width, label.height].map(length => length.toLocaleString(i18n.language))
    const size = `${width} × ${height} mm`
    return across * down > 1
      ? t('labelReports.onSheet', { size, count: across * down })
      : t('labelReports.onRoll', { size })
  }
}
