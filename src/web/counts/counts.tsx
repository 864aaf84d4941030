/** The stock counts under way and ended, with their results (docs/product/warehouse.md "Counting"). */
import { Button, Group, Stack, Text } from '@mantine/core'
import { IconMapPinCheck, IconPlayerPlay, IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { type CountSummary, counts as calls } from '#contract/counts.ts'
import { locations } from '#contract/locations.ts'
import { isCarrier } from '#domain/warehouse/location.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { formatMoment, locationChoices } from '../shared/format.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { AsOf } from '../shared/offline/asOf.tsx'
import { Empty, Screen, Unanswered } from '../shared/screen.tsx'
import { pollInterval, useSite } from '../shared/session.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { Form, FormActions } from '../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../ui/form/formDialog.tsx'
import { LinkButton, TextLink } from '../ui/link.tsx'
import { Choice } from '../ui/select.tsx'
import { differencesOf, useAccuracy, useCountName } from './sums.ts'

/** The stock counts of the site, and the start of one. */
export function Counts() {
  const { t } = useTranslation('counts')
  const { data, error, refetch, dataUpdatedAt } = useAnswer(calls.all, {}, { refetchInterval: pollInterval })
  const [starting, setStarting] = useState(false)
  return (
    <Screen
      title={t('title')}
      actions={
        <Group gap="xs">
          <LinkButton variant="default" to="/admin/counts/walk" leftSection={<IconMapPinCheck size={18} aria-hidden />}>
            {t('oneByOne')}
          </LinkButton>
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setStarting(true)}>
            {t('start')}
          </Button>
        </Group>
      }
    >
      <AsOf at={dataUpdatedAt} />
      {!data && <Unanswered error={error} retry={refetch} rows={6} height={52} />}
      {data?.length === 0 && (
        <Empty text={t('none')} icon={IconMapPinCheck}>
          <Button variant="default" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setStarting(true)}>
            {t('start')}
          </Button>
        </Empty>
      )}
      {data && data.length > 0 && <CountRows counts={data} />}
      <FormDialog opened={starting} onClose={() => setStarting(false)} title={t('start')} lost={t('unsaved')}>
        {dialog => <StartCount dialog={dialog} />}
      </FormDialog>
    </Screen>
  )
}

function CountRows({ counts }: { counts: readonly CountSummary[] }) {
  const { t } = useTranslation('counts')
  const { time_zone: zone } = useSite()
  const nameOf = useCountName()
  const accuracy = useAccuracy()
  const progress = ({ counted, place_count }: CountSummary) =>
    place_count === null ? String(counted) : t('placesOf', { done: counted, places: place_count })
  return (
    <DataTable
      label={t('counts')}
      columns={[
        {
          id: 'count',
          header: t('column.count'),
          area: 'count',
          render: count => (
            <>
              <TextLink to="/admin/counts/report" search={{ count: count._id }}>
                {nameOf(count)}
              </TextLink>{' '}
              {count.ended && (
                <Text size="xs" c="dimmed" component="span">
                  {t('ended')}
                </Text>
              )}
              <BelowCell width="lg">{formatMoment(count.started, zone)}</BelowCell>
              <BelowCell width="xl">{count.by}</BelowCell>
              <BelowCell>
                {[progress(count), `${t('column.differences')} ${differencesOf(count)}`, accuracy(count)]
                  .filter(Boolean)
                  .join(' · ')}
              </BelowCell>
            </>
          ),
        },
        { id: 'started', header: t('column.started'), render: count => formatMoment(count.started, zone), from: 'lg' },
        { id: 'by', header: t('column.by'), render: count => count.by, from: 'xl' },
        { id: 'progress', header: t('column.progress'), align: 'end', render: progress, from: 'sm' },
        { id: 'found', header: t('column.found'), align: 'end', render: count => count.found_count, from: 'lg' },
        { id: 'differences', header: t('column.differences'), align: 'end', render: differencesOf, from: 'sm' },
        { id: 'open', header: t('column.open'), align: 'end', render: count => count.open, from: 'sm' },
        { id: 'accuracy', header: t('column.accuracy'), align: 'end', render: accuracy, from: 'lg' },
        {
          id: 'actions',
          header: t('column.actions'),
          headerHidden: true,
          area: 'actions',
          align: 'end',
          width: '1%',
          render: count => <Actions count={count} />,
        },
      ]}
      rows={counts}
      keyOf={count => count._id}
      phone={{ areas: ['count', 'actions'], columns: 'minmax(0, 1fr)' }}
      frame
    />
  )
}

function Actions({ count }: { count: CountSummary }) {
  const { t } = useTranslation('counts')
  const end = useCall(calls.end, { done: 'common:performed' })
  if (count.ended || count.place_count === null) return null
  const stop = async () => {
    const sure = await confirmFirst({
      title: t('endQuestion', { place: count.place }),
      text: t('endText', { count: Math.max(0, (count.place_count ?? 0) - count.counted) }),
      confirm: t('end'),
    })
    if (sure) end.mutate({ count: count._id })
  }
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <LinkButton
        size="xs"
        leftSection={<IconPlayerPlay size={14} aria-hidden />}
        to="/admin/counts/walk"
        search={{ count: count._id }}
      >
        {t('continue')}
      </LinkButton>
      <Button size="xs" variant="default" onClick={() => void stop()}>
        {t('end')}
      </Button>
    </Group>
  )
}

function StartCount({ dialog }: { dialog: DialogControls }) {
  const { t } = useTranslation(['counts', 'locations'])
  const navigate = useNavigate()
  const { data = [] } = useAnswer(locations.all, {})
  const start = useCall(calls.start, { shown: ['count.no_places'] })
  const form = useContractForm({
    initial: { location: null as string | null },
    input: ({ location }) => ({ location: Number(location) }),
    rules: ({ location }) => ({ location: location === null ? t('whatMissing') : undefined }),
    refusals: { 'count.no_places': 'location' },
    dialog,
  })
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        const { count } = await start.mutateAsync(wish)
        dialog.close()
        void navigate({ to: '/admin/counts/walk', search: { count } })
      }}
    >
      <Stack gap="md">
        <Text size="sm">{t('startText')}</Text>
        <Choice
          {...form.choice('location')}
          label={t('what')}
          data={locationChoices(data.filter(({ kind }) => !isCarrier(kind)))}
          searchable
          limit={30}
          nothingFoundMessage={t('locations:noneFound')}
          data-autofocus
        />
        <FormActions form={form} dialog={dialog} submit={t('start')} disabled={!form.valid} />
      </Stack>
    </Form>
  )
}
