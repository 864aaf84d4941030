import { type ComboboxItem, type OptionsFilter, Select, type SelectProps } from '@mantine/core'
import { folded } from '#domain/folded.ts'
import classes from './select.module.css'

/** The options with what was typed anywhere in their label, accents or not. Those that begin with it are first, as Enter takes the first. */
export const beginningsFirst: OptionsFilter = ({ options, search, limit }) => {
  const wanted = folded(search.trim())
  const found = (options as ComboboxItem[]).filter(({ label }) => folded(label).includes(wanted))
  const begins = ({ label }: ComboboxItem) => folded(label).startsWith(wanted)
  return [...found.filter(begins), ...found.filter(option => !begins(option))].slice(0, limit)
}

/** Whether the arrow keys have chosen an option of this field's list, which Enter then takes. */
export const isPointedAt = (field: HTMLInputElement): boolean =>
  document.getElementById(field.getAttribute('aria-controls') ?? '')?.querySelector('[data-combobox-selected]') != null

type ChoiceProps = SelectProps & {
  /** Shows the first option as the one that Enter takes, where the field itself doesn't choose it. */
  firstIsNext?: boolean
}

/**
 * A field to choose one of a list from. The list opens in its place, so that it lies within its landmark, and is itself what
 * scrolls: a scrolling frame around it could not be reached with the keyboard.
 */
export function Choice({ comboboxProps, searchable = false, firstIsNext = false, ...props }: ChoiceProps) {
  return (
    <Select
      withScrollArea={false}
      comboboxProps={{ withinPortal: false, ...comboboxProps }}
      classNames={{ options: `${classes.options}${firstIsNext ? ` ${classes.firstIsNext}` : ''}` }}
      allowDeselect={false}
      searchable={searchable}
      selectFirstOptionOnChange={searchable}
      filter={beginningsFirst}
      {...props}
    />
  )
}
