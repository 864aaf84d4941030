import { TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useDebounced } from './hooks.ts'
import { usePhone } from './usePhone.ts'

/** A filter begins when nothing was typed for so many milliseconds. */
const filterDelay = 200

type FilterProps = {
  label: string
  value: string
  settle: (filter: string) => void
  /** What the placeholder says where there is no room for all of it. */
  short?: string
  /** Takes the focus when the dialog around it opens. */
  'data-autofocus'?: boolean
} & Pick<TextInputProps, 'className' | 'placeholder'>

/**
 * What a list is filtered by. `settle` hears it when it stood still. A value that comes from elsewhere, as a named view has it, takes
 * the place of what was typed; one that `settle` was told does not: more may have been typed since.
 */
export function FilterField({ label, value, settle, placeholder, short = placeholder, ...props }: FilterProps) {
  const phone = usePhone()
  const [typed, setTyped] = useState(value)
  const settled = useDebounced(typed, filterDelay)
  const [known, setKnown] = useState(value)
  // What `settle` was told and `value` has not been yet.
  const [told, setTold] = useState<readonly string[]>([])
  if (value !== known) {
    setKnown(value)
    setTold(told.slice(told.indexOf(value) + 1))
    if (!told.includes(value)) setTyped(value)
  }
  useEffect(() => {
    if (settled === value) return
    setTold(earlier => [...earlier, settled])
    settle(settled)
    // oxlint-disable-next-line react/exhaustive-deps -- only what was typed begins a search
  }, [settled])
  return (
    <TextInput
      type="search"
      label={label}
      leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
      value={typed}
      onChange={event => setTyped(event.currentTarget.value)}
      maxLength={100}
      autoComplete="off"
      spellCheck={false}
      placeholder={phone ? short : placeholder}
      {...props}
    />
  )
}
