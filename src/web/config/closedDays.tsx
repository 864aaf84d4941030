/** The days on which a site is closed (docs/product/operations.md "Closed days"). */
import { Alert, Badge, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconCalendarPlus, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { hotelconfig as calls } from '#contract/hotelconfig.ts'
import type { ClosedDay } from '#domain/operations/closedDays.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import { today as todayAt } from '#domain/operations/delivery.ts'
import { useAnswer } from '../shared/api.ts'
import { dayName } from '../shared/weekdays.ts'
import { ariaDisabledWhen } from '../ui/ariaDisabled.ts'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { ClosedDayDialog } from './closedDayDialog.tsx'
import { withClosed, withoutClosed } from './closedDayDraft.ts'
import classes from './config.module.css'
import { useEditing } from './editing.ts'
import { HolidaysDialog } from './holidaysDialog.tsx'
import { RowAction } from '../shared/rowAction.tsx'

/** How many open recalls are planned on these days. */
function usePlannedRecalls(days: readonly IsoDate[]): (day: IsoDate) => number {
  const { base, superuser } = useEditing()
  const { data = [] } = useAnswer(
    calls.plannedrecalls,
    { ...(superuser && { id: base._id }), days: [...days] },
    { enabled: days.length > 0, staleTime: 0, muted: true, keep: true },
  )
  return day => data.find(planned => planned.day === day)?.recall_count ?? 0
}

export function ClosedDays() {
  const { t, i18n } = useTranslation('config')
  const { draft, base, edit, busy } = useEditing()
  const [dialog, setDialog] = useState<'day' | 'holidays' | null>(null)
  const [past, setPast] = useState(false)
  const [today] = useState(() => todayAt({ now: new Date(), timeZone: base.time_zone }))
  const coming = draft.closedDays.filter(({ day }) => day >= today)
  const gone = draft.closedDays.length - coming.length
  const isNew = ({ day }: ClosedDay) => !base.closedDays.some(closed => closed.day === day)
  const recallsOn = usePlannedRecalls(coming.map(({ day }) => day))
  const affected = coming.filter(isNew).reduce((sum, { day }) => sum + recallsOn(day), 0)
  const nameOf = ({ holiday, name }: ClosedDay) => (holiday ? t(`holiday.${holiday}`) : name)
  const dayOf = ({ day }: ClosedDay) => dayName(day, i18n.language, 'short')

  function add(closedDays: readonly ClosedDay[]) {
    edit(now => ({ ...now, closedDays: withClosed(now.closedDays, closedDays) }))
    setDialog(null)
  }
  function remove({ day }: ClosedDay, button: HTMLElement) {
    // The row is removed with its button: the focus moves to the head of the list.
    button.closest('section')?.querySelector<HTMLElement>('[data-add]')?.focus()
    edit(now => ({ ...now, closedDays: withoutClosed(now.closedDays, day) }))
  }
  return (
    <>
      <Group justify="space-between" gap="xs" mb="xs">
        <Text size="sm" c="dimmed">
          {t('closedDays.count', { count: coming.length })}
        </Text>
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            leftSection={<IconCalendarPlus size={16} aria-hidden />}
            onClick={() => setDialog('holidays')}
            {...ariaDisabledWhen(busy)}
          >
            {t('closedDays.addHolidays')}
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setDialog('day')}
            data-add
            {...ariaDisabledWhen(busy)}
          >
            {t('closedDays.addDay')}
          </Button>
        </Group>
      </Group>
      <div role="status">
        {affected > 0 && (
          <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} mb="sm">
            {t('closedDays.warning', { count: affected })}
          </Alert>
        )}
      </div>
      <DataTable
        columns={[
          {
            id: 'day',
            header: t('closedDays.day'),
            render: closed => (
              <>
                <span className={classes.nameLine}>
                  <strong>{dayOf(closed)}</strong>
                  {isNew(closed) && (
                    <Badge size="sm" color="orange">
                      {t('entryState.new')}
                    </Badge>
                  )}
                </span>
                <BelowCell>
                  {[
                    nameOf(closed),
                    recallsOn(closed.day) > 0 && t('closedDays.planned', { count: recallsOn(closed.day) }),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </BelowCell>
              </>
            ),
          },
          { id: 'name', header: t('closedDays.name'), render: nameOf, from: 'sm' },
          {
            id: 'recalls',
            header: t('closedDays.recalls'),
            render: ({ day }) => recallsOn(day) || '',
            align: 'end',
            from: 'sm',
          },
          {
            id: 'actions',
            header: t('actions'),
            headerHidden: true,
            render: closed => (
              <RowAction
                icon={IconTrash}
                label={t('closedDays.remove', { day: dayOf(closed) })}
                tip={t('remove')}
                danger
                {...(busy && { loading: true })}
                run={button => remove(closed, button)}
              />
            ),
            width: '1%',
          },
        ]}
        rows={past ? draft.closedDays : coming}
        keyOf={({ day }) => day}
        empty={t('closedDays.none')}
        phone={{ heads: 'shown' }}
        frame
      />
      {gone > 0 && !past && (
        <Button variant="subtle" size="xs" mt="xs" onClick={() => setPast(true)}>
          {t('closedDays.showPast', { count: gone })}
        </Button>
      )}
      {dialog === 'day' && (
        <ClosedDayDialog
          closed={draft.closedDays}
          today={today}
          onApply={closed => add([closed])}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'holidays' && (
        <HolidaysDialog closed={draft.closedDays} today={today} onAdd={add} onClose={() => setDialog(null)} />
      )}
    </>
  )
}
