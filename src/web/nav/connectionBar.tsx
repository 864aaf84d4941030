import { IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { useLost } from '../shared/connection.ts'
import classes from './connectionBar.module.css'

/** Shown while the server is not reachable. */
export function ConnectionBar() {
  const { t } = useTranslation()
  const lost = useLost()
  return (
    <div role="status" className={classes.place}>
      {lost && (
        <p className={classes.bar}>
          <IconPlugConnectedX size={18} aria-hidden />
          {t('connectionLost')}
        </p>
      )}
    </div>
  )
}
