/** A list of the site whose entries are saved one by one: its table, and the dialog of an entry. */
import { Button, Group, Text } from '@mantine/core'
import { IconCopy, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ComponentType, type ReactNode, useState } from 'react'
import { type TextKey, useTranslation } from '../ui/texts.ts'
import type { RawInput } from '#contract/call.ts'
import { type AdminConfig, hotelconfig as calls } from '#contract/config.ts'
import { describedIn } from '../operations/deliveryDays.ts'
import { useCall } from '../shared/api.ts'
import { type FieldErrors, useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { RowAction } from '../shared/rowAction.tsx'
import { confirmFirst } from '../ui/confirm.tsx'
import type { Column } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { Form, FormActions } from '../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../ui/form/formDialog.tsx'
import { lossOf } from '../ui/form/loss.ts'
import { useChanges } from '../ui/form/useChanges.ts'
import type { Form as FormOf } from '../ui/form/useForm.ts'
import { useAfterRemoval } from '../ui/afterRemoval.ts'
import classes from './config.module.css'
import { type EditedSite, showConfig, siteOf } from './editing.ts'

export type List = 'transportMethods' | 'services'
export type Entry<L extends List> = AdminConfig[L][number]
type Entries = Omit<RawInput<typeof calls.editentries>, 'id' | 'version'>
export type EntryForm<V> = Omit<FormOf<V>, 'submit'>

const savingTexts: { doing: TextKey; done: TextKey } = { doing: 'config:updating', done: 'config:updated' }

/** Saves or removes entries of the site's lists, at once. */
export function useEntries(site: EditedSite, texts = savingTexts) {
  const edit = useCall(calls.editentries, { ...texts, about: calls.edit.name })
  return async (entries: Entries) => {
    const { config } = await edit.mutateAsync({ ...siteOf(site), version: site.saved.version, ...entries })
    showConfig(site, config)
  }
}

/** How the entries of a list are typed. */
type Editor<L extends List, V extends object> = {
  titleOf: (entry: Entry<L> | null) => string
  newValues: () => V
  valuesOf: (entry: Entry<L>) => V
  errorsOf: (values: V, others: readonly Entry<L>[]) => FieldErrors
  inputOf: (values: V) => NonNullable<Entries[L]>[number]
  Fields: ComponentType<{ form: EntryForm<V> }>
}

type EntryListProps<L extends List, V extends object> = {
  list: L
  site: EditedSite
  editor: Editor<L, V>
  header: string
  /** The name and its badges. */
  renderName: (entry: Entry<L>) => ReactNode
  columns: readonly Column<Entry<L>>[]
  /** The hidden columns, on a phone. */
  summary: (entry: Entry<L>) => readonly (string | false | null)[]
  /** Removes an entry after a question. Its button moves the focus first (`leave`). */
  remove: (entry: Entry<L>, on: { leave: () => void; add: () => void }) => Promise<void>
}

/** The entry that a dialog edits; a new one has no id. */
type Opened<V> = { id: number | null; values: V }

export function EntryList<L extends List, V extends object>(props: EntryListProps<L, V>) {
  const { list, site, editor, header, renderName, columns, summary, remove } = props
  const { t, i18n } = useTranslation('config')
  const [opened, setOpened] = useState<Opened<V> | null>(null)
  const [removing, setRemoving] = useState<number | null>(null)
  const leave = useAfterRemoval()
  const which: List = list
  const entries: readonly Entry<L>[] = site.saved[list]
  const openedEntry = entries.find(({ _id }) => _id === opened?.id) ?? null
  const add = () => setOpened({ id: null, values: editor.newValues() })

  async function removeRow(entry: Entry<L>, button: HTMLElement) {
    setRemoving(entry._id)
    // a refusal is reported in a toast; the entry stays
    await remove(entry, { leave: () => leave(button), add }).catch(() => {})
    setRemoving(null)
  }
  return (
    <>
      <Group justify="space-between" gap="xs" mb="xs">
        <Text size="sm" c="dimmed">
          {t(`count.${which}`, { count: entries.length })}
        </Text>
        <Button variant="default" size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={add} data-add>
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
                <span className={classes.nameLine}>{renderName(entry)}</span>
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
              <Group gap={2} wrap="nowrap" justify="flex-end">
                <RowAction
                  icon={IconPencil}
                  label={t('editWhich', { name: entry.name })}
                  tip={t('edit')}
                  run={() => setOpened({ id: entry._id, values: editor.valuesOf(entry) })}
                />
                <RowAction
                  icon={IconCopy}
                  label={t('copyWhich', { name: entry.name })}
                  tip={t('copy')}
                  run={() =>
                    setOpened({
                      id: null,
                      // there is one default only
                      values: editor.valuesOf({ ...entry, ...('default' in entry && { default: false }) }),
                    })
                  }
                />
                <RowAction
                  icon={IconTrash}
                  label={t('removeWhich', { name: entry.name })}
                  tip={t('remove')}
                  danger
                  loading={removing === entry._id}
                  run={button => void removeRow(entry, button)}
                />
              </Group>
            ),
            width: '1%',
          },
        ]}
        rows={entries}
        keyOf={entry => entry._id}
        empty={t(`none.${which}`)}
        phone={{ heads: 'shown' }}
        frame
      />
      <FormDialog
        opened={opened !== null}
        onClose={() => setOpened(null)}
        title={editor.titleOf(openedEntry)}
        size="52rem"
        long
        lost={t('dropText')}
        question={{ title: t('dropQuestion'), confirm: t('drop'), keep: t('goOn') }}
      >
        {dialog =>
          opened && <EntryFields {...{ list, site, editor, dialog }} values={opened.values} entry={openedEntry} />
        }
      </FormDialog>
    </>
  )
}

type EntryFieldsProps<L extends List, V extends object> = {
  list: L
  site: EditedSite
  editor: Editor<L, V>
  /** `null` for a new one, and for one that somebody has removed meanwhile: it is added again. */
  entry: Entry<L> | null
  /** The values of one that is not saved. */
  values: V
  dialog: DialogControls
}

function EntryFields<L extends List, V extends object>(props: EntryFieldsProps<L, V>) {
  const { list, site, editor, entry, values, dialog } = props
  const { t } = useTranslation('config')
  const { Fields } = editor
  const save = useEntries(site)
  const saved = entry ? editor.valuesOf(entry) : values
  const { controlled } = useChanges(saved)
  const others = (site.saved[list] as readonly Entry<L>[]).filter(({ _id }) => _id !== entry?._id)
  const form = useContractForm({
    initial: saved,
    controlled,
    problems: (now: V) => editor.errorsOf(now, others),
    input: editor.inputOf,
    loss: (now: V) => lossOf(saved, now),
    text: useFieldErrorText(),
    dialog,
  })
  return (
    <Form
      form={form}
      onSubmit={async input => {
        if (!entry || form.dirty) await save({ [list]: [{ ...input, ...(entry && { _id: entry._id }) }] })
        dialog.close()
      }}
      className={classes.entry}
    >
      <Fields form={form} />
      <FormActions form={form} dialog={dialog} submit={t(entry ? 'save' : 'add')} />
    </Form>
  )
}

/** Asks before an entry is removed. */
export function useRemovalQuestion(list: List | 'closedDays'): (name: string) => Promise<boolean> {
  const { t } = useTranslation('config')
  return name =>
    confirmFirst({
      title: t(`removeQuestion.${list}`),
      text: t(`removeText.${list}`, { name }),
      confirm: t('remove'),
      danger: true,
    })
}
