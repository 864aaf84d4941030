/** The days on which a site is closed (docs/product/operations.md "Closed days"). */
import { Button, Group, Text } from '@mantine/core'
import { IconCalendarPlus, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { ClosedDay } from '#domain/operations/closedDays.ts'
import { today as todayAt } from '#domain/operations/delivery.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import { RowAction } from '../shared/rowAction.tsx'
import { dayName } from '../shared/weekdays.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { useAfterRemoval } from '../ui/afterRemoval.ts'
import { ClosedDayDialog } from './closedDayDialog.tsx'
import type { EditedSite } from './editing.ts'
import { useEntries, useRemovalQuestion } from './entries.tsx'
import { HolidaysDialog } from './holidaysDialog.tsx'
import { usePlannedRecalls } from './plannedRecalls.tsx'

export function ClosedDays({ site }: { site: EditedSite }) {
  const { t, i18n } = useTranslation('config')
  const { closedDays, time_zone: timeZone } = site.saved
  const [dialog, setDialog] = useState<'day' | 'holidays' | null>(null)
  const [past, setPast] = useState(false)
  const [removing, setRemoving] = useState<IsoDate | null>(null)
  const [today] = useState(() => todayAt({ now: new Date(), timeZone }))
  const leave = useAfterRemoval()
  const isSure = useRemovalQuestion('closedDays')
  const edit = useEntries(site, { doing: 'config:removing.closedDays', done: 'config:removed.closedDays' })
  const coming = closedDays.filter(({ day }) => day >= today)
  const gone = closedDays.length - coming.length
  const recallsOn = usePlannedRecalls(
    site,
    coming.map(({ day }) => day),
  )
  const nameOf = ({ holiday, name }: ClosedDay) => (holiday ? t(`holiday.${holiday}`) : name)
  const dayOf = ({ day }: ClosedDay) => dayName(day, i18n.language, 'short')

  async function remove(closed: ClosedDay, button: HTMLElement) {
    if (!(await isSure(dayOf(closed)))) return
    leave(button)
    setRemoving(closed.day)
    // a refusal is reported in a toast; the day stays
    await edit({ removed: { closedDays: [closed.day] } }).catch(() => {})
    setRemoving(null)
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
          >
            {t('closedDays.addHolidays')}
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setDialog('day')}
            data-add
          >
            {t('closedDays.addDay')}
          </Button>
        </Group>
      </Group>
      <DataTable
        columns={[
          {
            id: 'day',
            header: t('closedDays.day'),
            render: closed => (
              <>
                <strong>{dayOf(closed)}</strong>
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
                loading={removing === closed.day}
                run={button => void remove(closed, button)}
              />
            ),
            width: '1%',
          },
        ]}
        rows={past ? closedDays : coming}
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
      <ClosedDayDialog {...{ site, today }} opened={dialog === 'day'} onClose={() => setDialog(null)} />
      <HolidaysDialog {...{ site, today }} opened={dialog === 'holidays'} onClose={() => setDialog(null)} />
    </>
  )
}
