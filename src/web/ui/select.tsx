import { type ComboboxData, type ComboboxItem, type OptionsFilter, Select, type SelectProps } from '@mantine/core'
import { type KeyboardEvent, useRef } from 'react'
import { folded } from '#domain/texts/folded.ts'
import classes from './select.module.css'

/**
 * The options whose label contains the typed text, accents ignored. An exact match comes first, then those that begin with the text, as Enter takes
 * the first.
 */
export const beginningsFirst: OptionsFilter = ({ options, search, limit }) => {
  const wanted = folded(search.trim())
  const ranks = (options as ComboboxItem[]).flatMap(option => {
    const label = folded(option.label)
    return label.includes(wanted) ? { option, rank: label === wanted ? 0 : label.startsWith(wanted) ? 1 : 2 } : []
  })
  return ranks
    .toSorted((first, other) => first.rank - other.rank)
    .slice(0, limit)
    .map(({ option }) => option)
}

/** The text of the field for this value. */
function labelOf(data: ComboboxData | undefined, value: unknown): string {
  const options = (data ?? []) as readonly (ComboboxItem | string)[]
  const chosen = options.find(option => (typeof option === 'string' ? option : option.value) === value)
  return typeof chosen === 'string' ? chosen : (chosen?.label ?? '')
}

/** Whether the arrow keys have chosen an option of this field's list, which Enter then takes. */
export const isPointedAt = (field: HTMLInputElement): boolean =>
  document.getElementById(field.getAttribute('aria-controls') ?? '')?.querySelector('[data-combobox-selected]') != null

type ChoiceProps = SelectProps & {
  /** Shows the first option as the one that Enter takes, where the field itself doesn't choose it. */
  firstIsNext?: boolean
}

/**
 * Keeps Enter from the form while the text of the field is not the chosen option: Enter takes an option, or does nothing. In an emptied field it
 * takes one only if the arrow keys have moved to it.
 */
function useEnterWithin({ data, value, searchable = false }: ChoiceProps) {
  const byArrows = useRef(false)
  return (event: KeyboardEvent<HTMLInputElement>) => {
    const field = event.currentTarget
    if (event.key !== 'Enter') byArrows.current = event.key === 'ArrowDown' || event.key === 'ArrowUp'
    else if (searchable && field.value !== labelOf(data, value)) {
      if (isPointedAt(field) && (field.value.trim() !== '' || byArrows.current)) return
      event.preventDefault()
      event.stopPropagation()
    }
  }
}

/**
 * A field to choose one of a list from. The list opens in its place, so that it lies within its landmark, and is itself what
 * scrolls: a scrolling frame around it could not be reached with the keyboard.
 */
export function Choice({ comboboxProps, searchable = false, firstIsNext = false, ...props }: ChoiceProps) {
  const enter = useEnterWithin({ ...props, searchable })
  return (
    <Select
      withScrollArea={false}
      comboboxProps={{ withinPortal: false, ...comboboxProps }}
      classNames={{ options: `${classes.options}${firstIsNext ? ` ${classes.firstIsNext}` : ''}` }}
      allowDeselect={false}
      searchable={searchable}
      selectFirstOptionOnChange={searchable}
      filter={beginningsFirst}
      onKeyDownCapture={enter}
      {...props}
    />
  )
}
