import { useTranslation } from '../../ui/texts.ts'
import classes from './progress.module.css'

/** How many tyres of an operation are scanned: 2/4, with a bar of as many pieces. */
export function Progress({ scanned, of, large = false }: { scanned: number; of: number; large?: boolean }) {
  const { t } = useTranslation('admin')
  return (
    <span className={classes.progress} data-full={scanned === of || undefined} data-large={large || undefined}>
      <span aria-hidden>
        {scanned}/{of}
      </span>
      <span className="wh-hidden">{t('scannedOf', { scanned, count: of })}</span>
      <progress className={classes.bar} value={scanned} max={of} aria-hidden />
    </span>
  )
}
