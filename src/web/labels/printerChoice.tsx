import { useTranslation } from '../ui/texts.ts'
import { Choice } from '../ui/select.tsx'
import type { Labels } from './labels.ts'

/** Whether labels are printed as a PDF or on a label printer; nothing where the operator has named none. */
export function PrinterChoice({ labels, compact = false }: { labels: Labels; compact?: boolean }) {
  const { t } = useTranslation()
  const { printers, printer, choosePrinter } = labels
  if (printers.length === 0) return null
  const pdf = { value: '', label: t('labelPrinter.pdf') }
  return (
    <Choice
      {...(compact ? { 'aria-label': t('labelPrinter.label'), w: '9rem' } : { label: t('labelPrinter.label') })}
      data={[pdf, ...printers.map(name => ({ value: name, label: name }))]}
      value={printer ?? ''}
      onChange={name => choosePrinter(name || null)}
    />
  )
}
