/** The named views of a list: opened, kept, changed and removed above it (docs/product/screens.md "Named views"). */
import { ActionIcon, Button, Menu, Stack, Switch, Text, TextInput } from '@mantine/core'
import {
  IconBookmark,
  IconCheck,
  IconChevronDown,
  IconMail,
  IconPencil,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { RawInput } from '#contract/call.ts'
import { views as calls, type ListView } from '#contract/views.ts'
import { mailedViewLists, maxViewName, viewMailHour, type ViewList } from '#domain/texts/listView.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { useSendsMail, useWho } from '../shared/session.ts'
import { useUndoable } from '../shared/undo/undo.ts'
import { weekdayName, weekOrder } from '../shared/weekdays.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { Form, FormActions } from '../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../ui/form/formDialog.tsx'
import { Choice } from '../ui/select.tsx'
import { usePhone } from '../ui/usePhone.ts'
import classes from './views.module.css'

/** The filter of a list: the search parameters of its address, without the page. */
type ViewFilter = ListView['filter']

type ViewMenuProps = {
  list: ViewList
  /** As the address has it now. */
  filter: ViewFilter
  /** Views that every account has. */
  ours?: readonly { readonly name: string; readonly filter: ViewFilter }[]
  /** Shows the list so. */
  open: (filter: ViewFilter) => void
}

/** The same for filters that choose the same. */
const describe = (filter: ViewFilter): string =>
  JSON.stringify(Object.entries(filter).toSorted(([a], [b]) => (a < b ? -1 : 1)))

export function ViewMenu({ list, filter, ours = [], open }: ViewMenuProps) {
  const { t, i18n } = useTranslation('views')
  const who = useWho()
  const sendsMail = useSendsMail()
  const phone = usePhone()
  const [weekly, setWeekly] = useState<ListView | null>(null)
  const { data = [] } = useAnswer(calls.list, {}, { muted: true })
  const undoable = useUndoable()
  const remove = useCall(calls.remove, {
    done: 'views:removed',
    offer: (_, { _id }) => {
      const gone = data.find(view => view._id === Number(_id))
      return gone && !gone.shared
        ? undoable('view', { list: gone.list, name: gone.name, filter: gone.filter, weekly: gone.weekly })
        : undefined
    },
  })
  const [keeping, setKeeping] = useState<ListView | 'new' | null>(null)
  // A view that is opened and then filtered further can be changed to that.
  const [last, setLast] = useState<number | null>(null)
  const kept = data.filter(view => view.list === list)
  const now = kept.find(view => describe(view.filter) === describe(filter))
  const own = now?.own ? now : kept.find(view => view.own && view._id === last)

  async function drop(view: ListView) {
    // undo does not restore the weekly mails of other users
    const sure =
      !view.shared ||
      (await confirmFirst({
        title: t('removeQuestion'),
        text: t('removeText', { name: view.name }),
        confirm: t('remove', { name: view.name }),
        danger: true,
      }))
    if (sure) remove.mutate({ _id: view._id })
  }
  const item = (view: ListView) => (
    <Menu.Item
      key={view._id}
      leftSection={view === now ? <IconCheck size={16} aria-hidden /> : <span className={classes.blank} />}
      onClick={() => {
        setLast(view._id)
        open(view.filter)
      }}
      {...(view === now && { 'aria-current': true })}
    >
      <span className={classes.name}>{view.name}</span>
      {!view.own && (
        <Text span size="xs" c="dimmed">
          {' '}
          {t('by', { name: view.by })}
        </Text>
      )}
    </Menu.Item>
  )
  const [mine, others] = [kept.filter(view => view.own), kept.filter(view => !view.own)]
  return (
    <>
      {/* one element among the actions, open or not: the row of them does not change */}
      <div className={classes.place}>
        <Menu position="bottom-start" withinPortal={false} width={280}>
          <Menu.Target>
            {phone ? (
              <ActionIcon
                variant="default"
                size={44}
                aria-label={now ? t('menuNow', { name: now.name }) : t('menu')}
                data-views
              >
                <IconBookmark size={18} aria-hidden />
              </ActionIcon>
            ) : (
              <Button
                variant="default"
                leftSection={<IconBookmark size={18} aria-hidden />}
                rightSection={<IconChevronDown size={16} aria-hidden />}
                className={classes.button}
                data-views
              >
                {now ? t('menuNow', { name: now.name }) : t('menu')}
              </Button>
            )}
          </Menu.Target>
          <Menu.Dropdown>
            {ours.length > 0 && <Menu.Label>{t('ours')}</Menu.Label>}
            {ours.map(view => (
              <Menu.Item
                key={view.name}
                leftSection={
                  describe(view.filter) === describe(filter) ? (
                    <IconCheck size={16} aria-hidden />
                  ) : (
                    <span className={classes.blank} />
                  )
                }
                onClick={() => open(view.filter)}
              >
                {view.name}
              </Menu.Item>
            ))}
            {kept.length === 0 && ours.length === 0 && <Menu.Label>{t('none')}</Menu.Label>}
            {mine.length > 0 && <Menu.Label>{t('own')}</Menu.Label>}
            {mine.map(item)}
            {others.length > 0 && <Menu.Label>{t('shared')}</Menu.Label>}
            {others.map(item)}
            <Menu.Divider />
            <Menu.Item
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => setKeeping('new')}
              data-keep-view
            >
              {t('keep')}
            </Menu.Item>
            {now && isMailed(list) && who.type === 'user' && sendsMail && (
              <Menu.Item leftSection={<IconMail size={16} aria-hidden />} onClick={() => setWeekly(now)}>
                {now.weekly === null
                  ? t('weekly.ask')
                  : t('weekly.now', { day: weekdayName(now.weekly, i18n.language) })}
              </Menu.Item>
            )}
            {own && (
              <>
                <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setKeeping(own)}>
                  {t('edit', { name: own.name })}
                </Menu.Item>
                <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => void drop(own)}>
                  {t('remove', { name: own.name })}
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      </div>
      <FormDialog
        opened={keeping !== null}
        onClose={() => setKeeping(null)}
        title={t(keeping === 'new' ? 'title' : 'titleEdit')}
        lost={t('lost')}
      >
        {dialog => (
          <Keep
            list={list}
            filter={filter}
            view={keeping === 'new' ? null : keeping}
            dialog={dialog}
            onKept={setLast}
          />
        )}
      </FormDialog>
      <FormDialog
        opened={weekly !== null}
        onClose={() => setWeekly(null)}
        title={t('weekly.title')}
        lost={t('weekly.lost')}
      >
        {dialog => weekly && <Weekly view={weekly} dialog={dialog} />}
      </FormDialog>
    </>
  )
}

const isMailed = (list: ViewList): boolean => mailedViewLists.some(candidate => candidate === list)

/** On which day a view comes by mail. */
function Weekly({ view, dialog }: { view: ListView; dialog: DialogControls }) {
  const { t, i18n } = useTranslation('views')
  const send = useCall(calls.mail, { done: 'views:weekly.saved' })
  const form = useContractForm({
    initial: { day: view.weekly === null ? '1' : String(view.weekly) },
    input: ({ day }) => ({ _id: view._id, weekday: day === 'none' ? null : Number(day) }),
    dialog,
  })
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        await send.mutateAsync(wish)
        dialog.close()
      }}
    >
      <Stack gap="md">
        <Text size="sm">{t('weekly.text', { name: view.name, hour: `${viewMailHour}:00` })}</Text>
        <Choice
          label={t('weekly.day')}
          data={[
            { value: 'none', label: t('weekly.never') },
            ...weekOrder.map(day => ({ value: String(day), label: weekdayName(day, i18n.language) })),
          ]}
          value={form.values.day}
          onChange={day => day !== null && form.set({ day })}
          comboboxProps={{ withinPortal: true }}
          data-autofocus
        />
        <FormActions form={form} dialog={dialog} submit={t('weekly.save')} />
      </Stack>
    </Form>
  )
}

type KeepProps = {
  list: ViewList
  filter: ViewFilter
  /** The view that is changed; `null` for a new one. */
  view: ListView | null
  dialog: DialogControls
  onKept: (id: number) => void
}

function Keep({ list, filter, view, dialog, onKept }: KeepProps) {
  const { t } = useTranslation('views')
  const text = useFieldErrorText()
  const save = useCall(calls.save, { done: 'views:kept' })
  const differs = view !== null && describe(view.filter) !== describe(filter)
  const form = useContractForm({
    initial: { name: view?.name ?? '', shared: view?.shared ?? false, asNow: view === null || differs },
    schema: calls.save.input,
    text,
    // that the filter is one of the list is for the schema to say
    input: ({ name, shared, asNow }) =>
      ({
        ...(view && { _id: view._id }),
        list,
        name: name.trim(),
        filter: view === null || asNow ? filter : view.filter,
        shared,
      }) as RawInput<typeof calls.save>,
    refusals: { 'view.name_taken': 'name' },
    errorsOnBlur: () => false,
    dialog,
  })
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        const { _id } = await save.mutateAsync(wish)
        onKept(_id)
        dialog.close()
      }}
    >
      <Stack gap="md">
        <Text size="sm">{t('text')}</Text>
        <TextInput {...form.text('name')} label={t('name')} maxLength={maxViewName} required data-autofocus />
        <Switch
          label={t('share')}
          checked={form.values.shared}
          onChange={({ currentTarget: { checked: shared } }) => form.set({ shared })}
        />
        {differs && (
          <Switch
            label={t('asNow')}
            checked={form.values.asNow}
            onChange={({ currentTarget: { checked: asNow } }) => form.set({ asNow })}
          />
        )}
        <FormActions form={form} dialog={dialog} submit={t('save')} />
      </Stack>
    </Form>
  )
}
