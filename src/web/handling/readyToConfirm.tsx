/** Operations that wait for nothing but to be confirmed, each with its button (docs/product/warehouse.md "Intake"). */
import { Button, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useId } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Operation } from '#contract/wire.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { Plate } from '../shared/trade.tsx'
import { Progress } from './progress.tsx'
import { progress } from './lookup.ts'
import styles from './workList.module.css'
import classes from './readyToConfirm.module.css'

type ReadyProps = {
  operations: readonly Operation[]
  /** The tyres whose scans wait to be sent. */
  waiting: ReadonlySet<number>
  confirm: (operation: Operation) => void
}

/** Empty without any. */
export function ReadyToConfirm({ operations, waiting, confirm }: ReadyProps) {
  const { t } = useTranslation(['intake', 'desk'])
  const heading = useId()
  if (operations.length === 0) return null
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className={styles.heading}>
        {t('intake:readyToConfirm')} <span className={styles.count}>{operations.length}</span>
      </h2>
      <ul className={styles.list}>
        {operations.map(operation => (
          <li key={operation._id} className={`${styles.entry} ${classes.operation}`}>
            <Plate plate={operation.vehicle.license_plate} />
            <Text size="sm" className={classes.customer}>
              {operation.user.companyname}
            </Text>
            <Progress {...progress(operation, waiting)} />
            <Button
              leftSection={<IconCheck size={18} aria-hidden />}
              aria-label={t('intake:confirmOf', { plate: formatPlate(operation.vehicle.license_plate) })}
              onClick={() => confirm(operation)}
            >
              {t('desk:confirm')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
