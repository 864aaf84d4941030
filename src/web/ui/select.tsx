import { Select, type SelectProps } from '@mantine/core'
import classes from './select.module.css'

/**
 * A field to choose one of a list from. The list opens in its place, so that it lies within its landmark, and is itself what
 * scrolls: a scrolling frame around it could not be reached with the keyboard.
 */
export function Choice({ comboboxProps, ...props }: SelectProps) {
  return (
    <Select
      withScrollArea={false}
      comboboxProps={{ withinPortal: false, ...comboboxProps }}
      classNames={{ options: classes.options ?? '' }}
      allowDeselect={false}
      {...props}
    />
  )
}
