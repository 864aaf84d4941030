import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { RowState } from './column.ts'
import classes from './dataTable.module.css'

type ExpanderProps = {
  /** Names the content and the row that it belongs to. */
  label: string
  state: RowState
  /** Where it points while the details are hidden: down at the end of a row, right at its beginning. */
  points?: 'down' | 'right'
  size?: number
}

/** The button that shows and hides the details of a row. */
export function Expander({ label, state, points = 'down', size = 32 }: ExpanderProps) {
  const Icon = points === 'down' ? IconChevronDown : IconChevronRight
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={size}
      className={classes.expander ?? ''}
      data-points={points}
      data-main
      tabIndex={state.tabIndex}
      aria-expanded={state.open}
      aria-controls={state.detailsId}
      aria-label={label}
      onClick={state.toggle}
    >
      <Icon size={points === 'down' ? 18 : 16} aria-hidden />
    </ActionIcon>
  )
}
