/** The departures: the transports of each day, and the waves that are picked for them (docs/product/warehouse.md "Waves"). */
import { Button, Group, NumberFormatter, Stack, Text, Title } from '@mantine/core'
import { IconPlayerPlay, IconTruckLoading } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Answer } from '#contract/call.ts'
import { type Wave, waves as calls } from '#contract/waves.ts'
import { maxWave, waveUnits, type WaveUnit } from '#domain/warehouse/wave.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { formatDate } from '../shared/format.ts'
import { useTransportName } from '../operations/transportName.ts'
import { Empty, Screen, Unanswered } from '../shared/screen.tsx'
import { pollInterval } from '../shared/session.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { Form, FormActions } from '../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../ui/form/formDialog.tsx'
import { LinkButton } from '../ui/link.tsx'
import { NumberField } from '../ui/form/numberField.tsx'
import { Choice } from '../ui/select.tsx'

type Due = Answer<typeof calls.all>['due'][number]

/** Waves that are open, and the loads that are still to be planned. */
export function Waves() {
  const { t } = useTranslation('waves')
  const { data, error, refetch } = useAnswer(calls.all, {}, { refetchInterval: pollInterval })
  const [planning, setPlanning] = useState<Due | null>(null)
  const isEmpty = data?.due.length === 0 && data.waves.length === 0
  return (
    <Screen
      title={t('title')}
      actions={
        <LinkButton to="/admin/waves/load" leftSection={<IconTruckLoading size={18} aria-hidden />}>
          {t('load')}
        </LinkButton>
      }
    >
      {!data && <Unanswered error={error} retry={refetch} rows={6} height={52} />}
      {data && isEmpty && <Empty text={t('nothingDue')} />}
      {data && !isEmpty && (
        <Stack gap="lg">
          {data.waves.length > 0 && <OpenWaves waves={data.waves} />}
          <Dues due={data.due} plan={setPlanning} />
        </Stack>
      )}
      <FormDialog opened={planning !== null} onClose={() => setPlanning(null)} title={t('plan')} lost={t('unsaved')}>
        {dialog => planning && <PlanWave due={planning} dialog={dialog} />}
      </FormDialog>
    </Screen>
  )
}

function OpenWaves({ waves }: { waves: readonly Wave[] }) {
  const { t } = useTranslation('waves')
  const transportName = useTransportName()
  const end = useCall(calls.end, { done: 'common:performed' })
  const stop = async (wave: Wave) => {
    const sure = await confirmFirst({
      title: t('endQuestion', { wave: wave._id }),
      text: t('endText'),
      confirm: t('end'),
      danger: true,
    })
    if (sure) end.mutate({ wave: wave._id })
  }
  return (
    <section aria-label={t('waves')}>
      <Title order={2} size="h4" mb="xs">
        {t('waves')}
      </Title>
      <DataTable
        label={t('waves')}
        columns={[
          {
            id: 'wave',
            header: t('wave'),
            area: 'wave',
            render: wave => (
              <>
                <strong>{t('waveOf', { wave: wave._id })}</strong> · {transportName(wave.transport)} ·{' '}
                {formatDate(wave.day)}
                <BelowCell>
                  {t('stagedOf', { done: wave.staged_count + wave.loaded_count, count: wave.wheel_count })}
                </BelowCell>
                <BelowCell width="lg">{wave.pickers.join(', ')}</BelowCell>
              </>
            ),
          },
          {
            id: 'left',
            header: t('column.lines'),
            align: 'end',
            render: wave => `${wave.line_count - wave.left_count}/${wave.line_count}`,
            from: 'sm',
          },
          {
            id: 'staged',
            header: t('column.staged'),
            align: 'end',
            render: wave => `${wave.staged_count + wave.loaded_count}/${wave.wheel_count}`,
            from: 'sm',
          },
          { id: 'missing', header: t('column.missing'), align: 'end', render: wave => wave.missing_count, from: 'sm' },
          { id: 'pickers', header: t('column.pickers'), render: wave => wave.pickers.join(', '), from: 'lg' },
          {
            id: 'actions',
            header: t('column.actions'),
            headerHidden: true,
            area: 'actions',
            align: 'end',
            width: '1%',
            render: wave => (
              <Group gap="xs" justify="flex-end" wrap="nowrap">
                <LinkButton
                  size="xs"
                  leftSection={<IconPlayerPlay size={14} aria-hidden />}
                  to="/admin/waves/pick"
                  search={{ wave: wave._id }}
                >
                  {t('pick')}
                </LinkButton>
                <Button size="xs" variant="default" onClick={() => void stop(wave)}>
                  {t('end')}
                </Button>
              </Group>
            ),
          },
        ]}
        rows={waves}
        keyOf={wave => wave._id}
        phone={{ areas: ['wave', 'actions'], columns: 'minmax(0, 1fr)' }}
        frame
      />
    </section>
  )
}

const counts = ['free', 'picked', 'staged', 'loaded', 'missing'] as const

function Dues({ due, plan }: { due: readonly Due[]; plan: (due: Due) => void }) {
  const { t } = useTranslation('waves')
  const transportName = useTransportName()
  return (
    <section aria-label={t('due')}>
      <Title order={2} size="h4" mb="xs">
        {t('due')}
      </Title>
      <DataTable
        label={t('due')}
        columns={[
          {
            id: 'load',
            header: t('column.load'),
            area: 'load',
            render: wave => (
              <>
                <strong>{formatDate(wave.day)}</strong> · {transportName(wave.transport)}
                <BelowCell width="lg">
                  {counts
                    .filter(count => wave[`${count}_count`] > 0)
                    .map(count => `${t(`column.${count}`)} ${wave[`${count}_count`]}`)
                    .join(' · ')}
                </BelowCell>
              </>
            ),
          },
          {
            id: 'wheels',
            header: t('column.wheels'),
            align: 'end',
            render: wave => <NumberFormatter value={wave.wheel_count} />,
            from: 'sm',
          },
          ...counts.map(count => ({
            id: count,
            header: t(`column.${count}`),
            align: 'end' as const,
            render: (due: Due) => due[`${count}_count`],
            from: 'lg' as const,
          })),
          {
            id: 'actions',
            header: t('column.actions'),
            headerHidden: true,
            area: 'actions',
            align: 'end',
            width: '1%',
            render: wave => (
              <Group gap="xs" justify="flex-end" wrap="nowrap">
                <Button size="xs" variant="default" disabled={wave.free_count === 0} onClick={() => plan(wave)}>
                  {t('plan')}
                </Button>
                <LinkButton
                  size="xs"
                  variant="default"
                  to="/admin/waves/load"
                  search={{ day: wave.day, transport: wave.transport }}
                >
                  {t('load')}
                </LinkButton>
              </Group>
            ),
          },
        ]}
        rows={due}
        keyOf={wave => `${wave.day} ${wave.transport}`}
        empty={t('nothingDue')}
        phone={{ areas: ['load', 'actions'], columns: 'minmax(0, 1fr)' }}
        frame
      />
    </section>
  )
}

/** The default number of wheels in a wave: a trolley's worth for two. */
const usualWaveSize = 40

function PlanWave({ due, dialog }: { due: Due; dialog: DialogControls }) {
  const { t } = useTranslation('waves')
  const transportName = useTransportName()
  const navigate = useNavigate()
  const plan = useCall(calls.plan, { done: 'common:performed', shown: ['wave.empty'] })
  const { day, transport } = due
  const form = useContractForm({
    initial: { most: usualWaveSize as number | string, unit: 'wheels' as WaveUnit },
    input: ({ most, unit }) => ({ day, transport, most: Number(most), unit }),
    rules: ({ most }) => ({
      most: typeof most === 'number' && most >= 1 && most <= maxWave ? undefined : t('mostWrong', { most: maxWave }),
    }),
    refusals: { 'wave.empty': 'most' },
    dialog,
  })
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        const { wave } = await plan.mutateAsync(wish)
        dialog.close()
        void navigate({ to: '/admin/waves/pick', search: { wave } })
      }}
    >
      <Stack gap="md">
        <Text size="sm">
          <strong>{formatDate(day)}</strong> · {transportName(transport)} · {t('freeCount', { count: due.free_count })}
        </Text>
        <NumberField {...form.number('most')} label={t('most')} min={1} max={maxWave} step={1} data-autofocus />
        <Choice
          {...form.choice('unit')}
          label={t('unit')}
          data={waveUnits.map(value => ({ value, label: t(`units.${value}`) }))}
        />
        <FormActions form={form} dialog={dialog} submit={t('plan')} disabled={!form.valid} />
      </Stack>
    </Form>
  )
}
