import { TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect } from 'react'
import { typingDelayMs, useAhead, useLatest } from './hooks.ts'
import { usePhone } from './usePhone.ts'

type FilterProps = {
  label: string
  value: string
  settle: (filter: string) => void
  /** Told each letter at once. */
  onType?: (text: string) => void
  /** A shorter placeholder for narrow fields. */
  short?: string
  /** Takes the focus when the dialog around it opens. */
  'data-autofocus'?: boolean
} & Pick<TextInputProps, 'className' | 'placeholder'>

/** A filter field. Calls `settle` once typing pauses; a value from outside replaces the typed text (`useAhead`). */
export function FilterField({ label, value, settle, onType, placeholder, short = placeholder, ...props }: FilterProps) {
  const phone = usePhone()
  const { value: typed, set: setTyped, tell } = useAhead(value, settle)
  const latest = useLatest({ value, tell })
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed !== latest.current.value) latest.current.tell(typed)
    }, typingDelayMs)
    return () => clearTimeout(timer)
  }, [typed, latest])
  return (
    <TextInput
      type="search"
      label={label}
      leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
      value={typed}
      onChange={event => {
        setTyped(event.currentTarget.value)
        onType?.(event.currentTarget.value)
      }}
      maxLength={100}
      autoComplete="off"
      spellCheck={false}
      placeholder={phone ? short : placeholder}
      {...props}
    />
  )
}
