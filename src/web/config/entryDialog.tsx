/** The dialog of one entry of a list. Its changes go into the draft; what was typed is not thrown away by accident. */
import { Button, Group, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFirstComplaint } from '../ui/complaint.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { type Complaint, type Complaints, useComplaintText } from '../shared/site/complaint.ts'
import classes from './config.module.css'
import { same } from './draft.ts'

/** What is wrong with a field, once it was left or somebody tried to apply the entry. */
export type Said = { said: (field: string) => string | undefined; leave: (field: string) => void }

type EntryDialogProps<E> = {
  title: string
  entry: E
  /** Whether it is in the list already. */
  listed: boolean
  complaintsOf: (entry: E) => Complaints
  onApply: (entry: E) => void
  onClose: () => void
  children: (form: Said & { entry: E; change: (change: Partial<E>) => void }) => ReactNode
}

export function EntryDialog<E extends object>({
  title,
  entry: given,
  onApply,
  onClose,
  ...props
}: EntryDialogProps<E>) {
  const { t } = useTranslation(['config', 'common'])
  const phone = useMediaQuery('(max-width: 48em)')
  const [entry, setEntry] = useState(given)
  const [asking, setAsking] = useState(false)
  const dirty = !same(given, entry)
  const [opener] = useState(() => document.activeElement)

  /** Closes it, and the keyboard goes on where it was. */
  function close(how: () => void) {
    how()
    requestAnimationFrame(() => opener instanceof HTMLElement && opener.focus())
  }

  async function leave() {
    if (asking) return
    if (dirty) {
      setAsking(true)
      const yes = await confirmFirst({
        title: t('config:dropQuestion'),
        text: t('config:dropText'),
        confirm: t('config:drop'),
        keep: t('config:goOn'),
        danger: true,
      })
      setAsking(false)
      if (!yes) return
    }
    close(onClose)
  }
  return (
    <Modal
      opened
      onClose={() => void leave()}
      title={title}
      size="52rem"
      fullScreen={phone === true}
      closeOnClickOutside={!dirty}
      closeOnEscape={!asking}
      trapFocus={!asking}
    >
      <Entry
        {...props}
        entry={entry}
        setEntry={setEntry}
        onApply={applied => close(() => onApply(applied))}
        onCancel={() => void leave()}
      />
    </Modal>
  )
}

type EntryProps<E> = Omit<EntryDialogProps<E>, 'title' | 'onClose'> & {
  setEntry: (change: (entry: E) => E) => void
  onCancel: () => void
}

function Entry<E extends object>({
  entry,
  setEntry,
  listed,
  complaintsOf,
  onApply,
  onCancel,
  children,
}: EntryProps<E>) {
  const { t } = useTranslation(['config', 'common'])
  const text = useComplaintText()
  const form = useRef<HTMLFormElement>(null)
  const [tried, setTried] = useState(false)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const complaints = complaintsOf(entry)

  function apply(event: FormEvent) {
    event.preventDefault()
    // A portal's submit reaches the form around it, too.
    event.stopPropagation()
    if (Object.keys(complaints).length === 0) return onApply(entry)
    setTried(true)
    toFirstComplaint(form)
  }
  return (
    <form ref={form} onSubmit={apply} noValidate className={classes.entry}>
      {children({
        entry,
        change: change => setEntry(now => ({ ...now, ...change })),
        said(field) {
          const complaint: Complaint | undefined = complaints[field]
          return complaint && (tried || left.has(field)) ? text(complaint) : undefined
        },
        leave: field => setLeft(now => new Set(now).add(field)),
      })}
      <Group justify="flex-end" gap="xs" className={classes.entryActions}>
        <Button variant="default" onClick={onCancel}>
          {t('common:cancel')}
        </Button>
        <Button type="submit">{listed ? t('config:apply') : t('config:add')}</Button>
      </Group>
    </form>
  )
}
