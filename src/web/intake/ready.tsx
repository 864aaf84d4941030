/** Unconfirmed operations whose tyres are all scanned, here or on another device (docs/product.md "Intake"). */
import { Button, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useId } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Operation } from '#contract/wire.ts'
import { formatPlate } from '#domain/plate.ts'
import type { OfferedType } from '#domain/tyre.ts'
import { Plate } from '../shared/trade.tsx'
import { readyToConfirm } from '../shared/handling/lookup.ts'
import { Progress } from '../shared/handling/progress.tsx'
import classes from './intake.module.css'
import type { IntakeWork } from './intakeWork.ts'

type ReadyProps = { type: OfferedType; work: IntakeWork; confirm: (operation: Operation) => void }

/** Empty when there is none, and without the one offered on the card above. */
export function Ready({ type, work, confirm }: ReadyProps) {
  const { t } = useTranslation(['intake', 'admin'])
  const heading = useId()
  const { operations = [], waiting, last } = work
  const onCard = work.state.history[0]?.operation?._id
  const ready = readyToConfirm(operations, { type, waiting, last }).filter(({ _id }) => _id !== onCard)
  if (ready.length === 0) return null
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className={classes.heading}>
        {t('readyToConfirm')} <span className={classes.count}>{ready.length}</span>
      </h2>
      <ul className={classes.groups}>
        {ready.map(operation => (
          <li key={operation._id} className={classes.group}>
            <div className={classes.readyOne}>
              <Plate plate={operation.vehicle.license_plate} />
              <Text size="sm" className={classes.groupFacts}>
                {operation.user.companyname}
              </Text>
              <Progress scanned={operation.tyres.length} of={operation.tyres.length} />
              <Button
                leftSection={<IconCheck size={18} aria-hidden />}
                aria-label={t('confirmOf', { plate: formatPlate(operation.vehicle.license_plate) })}
                onClick={() => confirm(operation)}
              >
                {t('admin:confirm')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
