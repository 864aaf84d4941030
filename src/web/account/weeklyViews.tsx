/** The views that the account receives by mail every week (docs/product/screens.md "Named views"). */
import { ActionIcon, Text, Title } from '@mantine/core'
import { IconMailOff } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { views as calls } from '#contract/views.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { weekdayName } from '../shared/weekdays.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'

/** Renders nothing for an account without any: the menu of a list is where to ask for one. */
export function WeeklyViews() {
  const { t, i18n } = useTranslation('views')
  const { data = [] } = useAnswer(calls.list, {}, { muted: true })
  const end = useCall(calls.mail, { done: 'views:weekly.ended' })
  const sent = data.filter(view => view.weekly !== null)
  if (sent.length === 0) return null
  return (
    <>
      <Title order={3} size="h5" mt="md" mb="xs" id="weekly">
        {t('weekly.list')}
      </Title>
      <DataTable
        columns={[
          { id: 'name', header: t('name'), render: view => view.name, area: 'name' },
          {
            id: 'day',
            header: t('weekly.day'),
            render: view => <Text size="sm">{view.weekly !== null && weekdayName(view.weekly, i18n.language)}</Text>,
            area: 'day',
            nowrap: true,
          },
          {
            id: 'end',
            header: t('weekly.end'),
            headerHidden: true,
            area: 'end',
            render: view => (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('weekly.endOf', { name: view.name })}
                title={t('weekly.end')}
                onClick={() => end.mutate({ _id: view._id, weekday: null })}
              >
                <IconMailOff size={18} aria-hidden />
              </ActionIcon>
            ),
            nowrap: true,
          },
        ]}
        rows={sent}
        keyOf={view => view._id}
        label={t('weekly.list')}
        phone={{ areas: ['name name end', 'day day end'], columns: '1fr 1fr auto' }}
        frame
      />
    </>
  )
}
