import { useTranslation } from '../ui/texts.ts'
import classes from './progress.module.css'

/** How many tyres of an operation are scanned: 2/4, with a bar of as many pieces. */
export function Progress({ scanned, total, large = false }: { scanned: number; total: number; large?: boolean }) {
  const { t } = useTranslation('desk')
  return (
    <span className={classes.progress} data-full={scanned === total || undefined} data-large={large || undefined}>
      <span aria-hidden>
        {scanned}/{total}
      </span>
      <span className="wh-hidden">{t('scannedOf', { scanned, count: total })}</span>
      <progress className={classes.bar} value={scanned} max={total} aria-hidden />
    </span>
  )
}
