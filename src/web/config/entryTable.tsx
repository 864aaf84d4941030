/** The table of transport methods and that of services: its head, its rows, and a question before one is removed. */
import { ActionIcon, Badge, Button, Group, Text, Tooltip } from '@mantine/core'
import { IconCopy, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { ariaDisabledWhen } from '../ui/ariaDisabled.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import type { Column } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { describedIn } from '../operations/deliveryDays.ts'
import classes from './config.module.css'
import type { Entry, List } from './draft.ts'
import { useEditing } from './editing.ts'

type EntryTableProps<L extends List> = {
  list: L
  header: string
  /** The name and its badges. */
  renderName: (entry: Entry<L>) => ReactNode
  columns: readonly Column<Entry<L>>[]
  /** The hidden columns, on a phone. */
  summary: (entry: Entry<L>) => readonly (string | false | null)[]
  onAdd: () => void
  onEdit: (entry: Entry<L>) => void
  onCopy: (entry: Entry<L>) => void
  /** Removes a saved entry after a question. Returns whether it was removed. */
  onRemove?: (entry: Entry<L>) => Promise<boolean>
}

export function EntryTable<L extends List>({ list, header, renderName, columns, summary, ...on }: EntryTableProps<L>) {
  const { t, i18n } = useTranslation('config')
  const { draft, busy } = useEditing()
  const entries: readonly Entry<L>[] = draft[list]
  const which: List = list
  return (
    <>
      <Group justify="space-between" gap="xs" mb="xs">
        <Text size="sm" c="dimmed">
          {t(`count.${which}`, { count: entries.length })}
        </Text>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={on.onAdd}
          data-add
          {...ariaDisabledWhen(busy)}
        >
          {t(`addTo.${which}`)}
        </Button>
      </Group>
      <DataTable
        columns={[
          {
            id: 'name',
            header,
            render: entry => (
              <>
                <span className={classes.nameLine}>
                  {renderName(entry)}
                  <EntryState list={list} entryKey={entry.key} index={entries.indexOf(entry)} />
                </span>
                <span className={classes.dimmed}>{describedIn(i18n.language, entry)}</span>
                <BelowCell width="xl">{summary(entry).filter(Boolean).join(' · ')}</BelowCell>
              </>
            ),
          },
          ...columns,
          {
            id: 'actions',
            header: t('actions'),
            headerHidden: true,
            render: entry => (
              <EntryActions
                list={list}
                entry={entry}
                onEdit={() => on.onEdit(entry)}
                onCopy={() => on.onCopy(entry)}
                onRemove={on.onRemove && (() => on.onRemove?.(entry))}
              />
            ),
            width: '1%',
          },
        ]}
        rows={entries}
        keyOf={entry => entry.key}
        empty={t(`none.${which}`)}
        phone={{ heads: 'shown' }}
        frame
      />
    </>
  )
}

/** Whether an entry waits to be saved, and whether it can't be. */
function EntryState({ list, entryKey, index }: { list: List; entryKey: string; index: number }) {
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
  onRemove: (() => Promise<boolean> | undefined) | undefined
}

function EntryActions({ list, entry, onEdit, onCopy, onRemove }: EntryActionsProps) {
  const { t } = useTranslation('config')
  const { busy, remove, stateOf } = useEditing()

  async function askAndRemove(): Promise<boolean> {
    const sure = await confirmFirst({
      title: t(`removeQuestion.${list}`),
      text: t(`removeText.${list}`, { name: entry.name }),
      confirm: t('remove'),
      danger: true,
    })
    return sure && remove(list, entry.key)
  }
  async function take(button: HTMLElement) {
    const section = button.closest('section')
    const isNew = stateOf(list, entry.key) === 'new'
    // The row is removed with its button: the focus moves to the head of the list.
    if (await (isNew ? remove(list, entry.key) : (onRemove ?? askAndRemove)()))
      section?.querySelector<HTMLElement>('[data-add]')?.focus()
  }
  const actions = [
    { does: 'edit', icon: IconPencil, run: onEdit },
    { does: 'copy', icon: IconCopy, run: onCopy },
    { does: 'remove', icon: IconTrash, run: (button: HTMLElement) => void take(button) },
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
