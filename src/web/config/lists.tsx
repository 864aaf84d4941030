/** What the lists of transport methods and services have in common: a head, rows by keyboard, a question before removal. */
import { ActionIcon, Badge, Button, Group, Text, Tooltip } from '@mantine/core'
import { IconCopy, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ariaDisabledWhen } from '../ui/ariaDisabled.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { Empty } from '../shared/screen.tsx'
import classes from './config.module.css'
import type { Entry, List } from './draft.ts'
import { useEditing } from './editing.ts'

type ListFrameProps = { list: List; onAdd: () => void; children: ReactNode }

export function ListFrame({ list, onAdd, children }: ListFrameProps) {
  const { t } = useTranslation('config')
  const { draft, busy } = useEditing()
  const count = draft[list].length
  return (
    <>
      <Group justify="space-between" gap="xs" mb="xs">
        <Text size="sm" c="dimmed">
          {t(`count.${list}`, { count })}
        </Text>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={onAdd}
          data-add
          {...ariaDisabledWhen(busy)}
        >
          {t(`addTo.${list}`)}
        </Button>
      </Group>
      {count === 0 ? <Empty text={t(`none.${list}`)} /> : <div className={classes.frame}>{children}</div>}
    </>
  )
}

/** Whether an entry waits to be saved, and whether it can't be. */
export function EntryState({ list, entryKey, index }: { list: List; entryKey: string; index: number }) {
  const { t } = useTranslation('config')
  const { stateOf, form } = useEditing()
  const state = stateOf(list, entryKey)
  const incomplete = form.tried && Object.keys(form.errors).some(path => path.startsWith(`${list}.${index}.`))
  return (
    <>
      {state !== 'saved' && (
        <Badge size="sm" color="orange">
          {t(`entryState.${state}`)}
        </Badge>
      )}
      {incomplete && (
        <Badge size="sm" color="red" data-invalid>
          {t('entryState.incomplete')}
        </Badge>
      )}
    </>
  )
}

type EntryActionsProps = {
  list: List
  entry: Entry<List>
  onEdit: () => void
  onCopy: () => void
}

export function EntryActions({ list, entry, onEdit, onCopy }: EntryActionsProps) {
  const { t } = useTranslation('config')
  const { busy, remove, stateOf } = useEditing()

  async function askAndRemove(button: HTMLElement) {
    const section = button.closest('section')
    const sure =
      stateOf(list, entry.key) === 'new' ||
      (await confirmFirst({
        title: t(`removeQuestion.${list}`),
        text: t(`removeText.${list}`, { name: entry.name }),
        confirm: t('remove'),
        danger: true,
      }))
    if (!sure) return
    // The row goes, and its button: the keyboard goes on at the head of the list.
    if (await remove(list, entry.key)) section?.querySelector<HTMLElement>('[data-add]')?.focus()
  }
  const actions = [
    { does: 'edit', icon: IconPencil, run: onEdit },
    { does: 'copy', icon: IconCopy, run: onCopy },
    { does: 'remove', icon: IconTrash, run: (button: HTMLElement) => void askAndRemove(button) },
  ] as const
  return (
    <Group gap={2} wrap="nowrap" justify="flex-end">
      {actions.map(({ does, icon: Icon, run }) => (
        <Tooltip key={does} label={t(does)}>
          <ActionIcon
            variant="subtle"
            color={does === 'remove' ? 'red' : 'gray'}
            aria-label={t(`${does}Which`, { name: entry.name })}
            disabled={busy}
            onClick={event => run(event.currentTarget)}
          >
            <Icon size={18} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
    </Group>
  )
}
