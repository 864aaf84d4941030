/** The operation type that is scanned: one control, filled where it is chosen. */
import { SegmentedControl } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import { typeOrder } from '../operations/typeOrder.ts'
import classes from './intake.module.css'

type ChooseTypeProps = {
  type: OfferedType
  choose: (type: OfferedType) => void
  /** It takes the place of the buttons that a type was chosen with, and their focus: on the chosen one, which Space does not change. */
  focused?: boolean
}

/** The choice between the three types. */
export function ChooseType({ type, choose, focused = false }: ChooseTypeProps) {
  const { t } = useTranslation(['intake', 'desk'])
  const control = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focused) control.current?.querySelector<HTMLInputElement>('input:checked')?.focus()
    // oxlint-disable-next-line react/exhaustive-deps -- once, when it appears
  }, [])
  return (
    <SegmentedControl
      ref={control}
      className={classes.chooseType}
      color="var(--mantine-primary-color-filled)"
      value={type}
      onChange={value => choose(typeOrder.find(option => option === value) ?? type)}
      data={typeOrder.map(option => ({ value: option, label: t(`desk:types.${option}`) }))}
      aria-label={t('type')}
    />
  )
}
