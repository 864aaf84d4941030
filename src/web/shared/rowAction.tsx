import { ActionIcon, Tooltip } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import classes from './rowAction.module.css'

type RowActionProps = {
  icon: TablerIcon
  /** The accessible name: action and row. */
  label: string
  /** The tooltip. */
  tip: string
  /** Why it is not possible now: shown instead of the name. */
  barred?: string | undefined
  danger?: boolean
  loading?: boolean
  run: (button: HTMLElement) => void
}

/** Something that can be done with a row. One that is barred can still be reached, for its reason. */
export function RowAction({ icon: Icon, label, tip, barred, danger = false, loading = false, run }: RowActionProps) {
  return (
    <Tooltip label={barred ?? tip} multiline maw={280} events={{ hover: true, focus: true, touch: true }}>
      <ActionIcon
        variant="subtle"
        className={classes.action ?? ''}
        color={danger ? 'red' : 'gray'}
        aria-label={label}
        aria-description={barred}
        aria-disabled={barred !== undefined || undefined}
        {...(barred !== undefined && { 'data-disabled': true })}
        loading={loading}
        onClick={event => barred === undefined && run(event.currentTarget)}
      >
        <Icon size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
