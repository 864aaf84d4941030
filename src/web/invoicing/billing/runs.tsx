/** Billing runs: a new one, those that were, and the one in the address (docs/product/money.md "Billing runs"). */
import { Alert, Button, Checkbox, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconInfoCircle, IconListSearch } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { billing, type BillingRun } from '#contract/billing.ts'
import { isUnderWay, runCovers } from '#domain/money/billingRun.ts'
import { formatNumber, moneyIn } from '#domain/texts/number.ts'
import { useAnswer, useCall } from '../../shared/api.ts'
import { formatDate, formatMoment } from '../../shared/format.ts'
import { useToday } from '../../shared/hooks.ts'
import { Failed, Placeholders } from '../../shared/screen.tsx'
import { useSite } from '../../shared/session.ts'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { BelowCell } from '../../ui/dataTable/secondaryText.tsx'
import { DateField } from '../../ui/dateField.tsx'
import { Form } from '../../ui/form/form.tsx'
import { TextLink } from '../../ui/link.tsx'
import { NumberField, useComplaint } from '../../ui/form/numberField.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { Choice } from '../../ui/select.tsx'
import { Run } from './run.tsx'
import { RunBadge } from './runBadge.tsx'
import classes from '../invoicing.module.css'

export function Runs() {
  const { t } = useTranslation('billing')
  const { run } = useSearch({ from: '/admin/invoicing' })
  const { data, error, isError, refetch } = useAnswer(billing.list, {})
  if (run !== undefined) return <Run key={run} run={run} />
  // the content above the list depends on it
  if (!data && !isError) return <Placeholders rows={6} height={52} />
  const open = data?.find(({ state }) => state === 'ready' || isUnderWay(state))
  return (
    <Stack gap="xl">
      {open ? <OpenRun run={open} /> : data && <NewRun />}
      <section aria-label={t('runs')}>
        <Title order={2} size="h4" mb="xs">
          {t('runs')}
        </Title>
        <List runs={data} failure={isError && <Failed error={error} retry={refetch} />} />
      </section>
    </Stack>
  )
}

/** There is one run at a time: this one is to be finished before another begins. */
function OpenRun({ run }: { run: BillingRun }) {
  const { t } = useTranslation('billing')
  return (
    <Alert icon={<IconInfoCircle aria-hidden />} role="status">
      {t(run.state === 'ready' ? 'openPreview' : 'underWay', { date: formatDate(run.until) })}{' '}
      <TextLink to="/admin/invoicing" search={{ tab: 'runs', run: run._id }} inherit>
        {t('open', { date: formatDate(run.until) })}
      </TextLink>
    </Alert>
  )
}

/** The last day of the month before: a run usually charges months that are over. */
const endOfLastMonth = (today: string): string =>
  new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1, 0)).toISOString().slice(0, 10)

function NewRun() {
  const { t } = useTranslation(['billing', 'failures'])
  const today = useToday()
  const site = useSite()
  const navigate = useNavigate({ from: '/admin/invoicing' })
  const complaint = useComplaint()
  const begin = useCall(billing.begin, { done: 'billing:begun' })
  const form = useForm({
    initial: {
      covers: 'all' as (typeof runCovers)[number],
      until: endOfLastMonth(today) as string | null,
      days: site.invoicing_period as number | string,
      marks: true,
    },
    liveErrors: ({ days, until }) => ({
      days: complaint({ min: 0, max: 36_500, value: days }),
      until: until !== null && until > today ? t('failures:invoicing.date_ahead') : undefined,
    }),
  })
  const { covers, until, days, marks } = form.values
  const complete = until !== null && days !== '' && form.valid
  return (
    <Paper withBorder p="md" component="section" aria-label={t('new')}>
      <Title order={2} size="h4" mb={4}>
        {t('new')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('intro')}
      </Text>
      <Form
        form={form}
        onSubmit={async () => {
          if (until === null) return
          const { _id } = await begin.mutateAsync({ covers, until, days: Number(days), marks })
          await navigate({ search: { tab: 'runs', run: _id } })
        }}
      >
        <div className={classes.newRun}>
          <Choice
            label={t('covers.label')}
            data={runCovers.map(value => ({ value, label: t(`covers.${value}`) }))}
            {...form.choice('covers')}
            allowDeselect={false}
          />
          <DateField {...form.date('until')} label={t('until')} description={t('untilHint')} />
          <NumberField
            {...form.number('days')}
            label={t('days')}
            description={t('daysHint')}
            disabled={covers === 'left'}
          />
        </div>
        <Group justify="space-between" gap="md" mt="md">
          <Checkbox {...form.flag('marks')} label={t('marks')} />
          <Button
            type="submit"
            leftSection={<IconListSearch size={18} aria-hidden />}
            loading={form.busy}
            disabled={!complete}
          >
            {t('preview')}
          </Button>
        </Group>
      </Form>
    </Paper>
  )
}

function List({ runs, failure }: { runs: readonly BillingRun[] | undefined; failure: ReactNode }) {
  const { t, i18n } = useTranslation('billing')
  const { time_zone: zone } = useSite()
  const money = moneyIn(i18n.language)
  const number = (value: number) => formatNumber(value, i18n.language)
  return (
    <DataTable
      columns={[
        {
          id: 'until',
          header: t('column.until'),
          render: run => (
            <>
              <TextLink
                to="/admin/invoicing"
                search={{ tab: 'runs', run: run._id }}
                aria-label={t('open', { date: formatDate(run.until) })}
              >
                {formatDate(run.until)}
              </TextLink>
              <BelowCell>{t('started', { date: formatMoment(run.at, zone), by: run.by })}</BelowCell>
            </>
          ),
        },
        { id: 'state', header: t('column.state'), render: run => <RunBadge state={run.state} /> },
        { id: 'at', header: t('column.at'), render: run => formatMoment(run.at, zone), from: 'sm' },
        { id: 'by', header: t('column.by'), render: run => run.by, from: 'md' },
        {
          id: 'customers',
          header: t('column.customers'),
          render: run => number(run.customer_count),
          align: 'end',
          from: 'sm',
        },
        { id: 'made', header: t('column.made'), render: run => number(run.done), align: 'end', from: 'sm' },
        { id: 'amount', header: t('column.amount'), render: run => money.format(run.amount_excl), align: 'end' },
      ]}
      rows={runs}
      keyOf={run => run._id}
      failure={failure}
      empty={t('none')}
      phone={{ heads: 'shown' }}
      frame
    />
  )
}
