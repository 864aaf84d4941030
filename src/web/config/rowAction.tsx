import { ActionIcon, Tooltip } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import classes from './vehicleConfigs.module.css'

type RowActionProps = {
  icon: TablerIcon
  /** What it does to which row. */
  label: string
  /** What it does, in short. */
  tip: string
  /** Why it can't be done now: seen and heard in the place of what it does. */
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
