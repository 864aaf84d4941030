/** One billing run: its preview, its progress and its documents. */
import { Alert, Button, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { billing, type BillingRun, type OpenRun } from '#contract/billing.ts'
import { isUnderWay } from '#domain/money/billingRun.ts'
import { formatNumber, moneyIn } from '#domain/texts/number.ts'
import { labelled } from '../../i18n.ts'
import { invalidate, useAnswer } from '../../shared/api.ts'
import { formatDate, formatMoment } from '../../shared/format.ts'
import { Failed, Placeholders } from '../../shared/screen.tsx'
import { useSite } from '../../shared/session.ts'
import classes from '../invoicing.module.css'
import { RunActions } from './runActions.tsx'
import { RunCustomers } from './runCustomers.tsx'
import { RunBadge } from './runBadge.tsx'

export function Run({ run: _id }: { run: number }) {
  const { t } = useTranslation('billing')
  const navigate = useNavigate({ from: '/admin/invoicing' })
  const { data, error, isError, refetch } = useAnswer(billing.read, { _id })
  return (
    <Stack gap="md">
      <Group>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconArrowLeft size={18} aria-hidden />}
          onClick={() => void navigate({ search: { tab: 'runs' } })}
        >
          {t('back')}
        </Button>
      </Group>
      {data ? <Opened run={data} /> : isError ? <Failed error={error} retry={refetch} /> : <Placeholders rows={8} />}
    </Stack>
  )
}

function Opened({ run }: { run: OpenRun }) {
  const { t } = useTranslation('billing')
  const { time_zone: zone } = useSite()
  const [without, setWithout] = useState<ReadonlySet<number>>(new Set())
  const remarked = run.rows.filter(({ remarks }) => remarks.length > 0).length
  const isPriceless = run.customer_count > 0 && run.amount_excl === 0 && run.state === 'ready'
  return (
    <>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          <Group gap="sm">
            <Title order={2} size="h4">
              {t('title', { date: formatDate(run.until) })}
            </Title>
            <RunBadge state={run.state} />
          </Group>
          <Text size="sm" c="dimmed">
            {[t(`covers.${run.covers}`), t('started', { date: formatMoment(run.at, zone), by: run.by })].join(' · ')}
          </Text>
          {run.reason !== null && <Text size="sm">{t('reason', { reason: run.reason })}</Text>}
        </div>
        <RunActions run={run} without={without} />
      </Group>
      <Sums run={run} />
      {isUnderWay(run.state) && <Working run={run} />}
      {isPriceless && <Alert color="orange">{t('noPrice')}</Alert>}
      {run.state === 'ready' && remarked > 0 && !isPriceless && (
        <Alert color="yellow">{t('remarked', { count: remarked })}</Alert>
      )}
      {run.failed > 0 && run.state !== 'counting' && <Alert color="red">{t('failed', { count: run.failed })}</Alert>}
      {run.changed > 0 && <Alert color="orange">{t('changed', { count: run.changed })}</Alert>}
      {run.state !== 'counting' && <RunCustomers run={run} without={without} onWithout={setWithout} />}
    </>
  )
}

function Sums({ run }: { run: OpenRun }) {
  const { t, i18n } = useTranslation('billing')
  const money = moneyIn(i18n.language)
  const number = (value: number) => formatNumber(value, i18n.language)
  const sums = [
    [t('sum.customers'), number(run.customer_count)],
    [t('sum.tyres'), number(run.tyre_count)],
    [t('sum.amount'), money.format(run.amount_excl)],
    [t('sum.made'), money.format(run.made_excl)],
  ] as const
  return (
    <dl className={classes.sums}>
      {sums.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** How often the progress of a run is fetched, in ms. */
const progressIntervalMs = 1000
/** The progress of a run. The list of runs has it without the customers, who are fetched again when the state has changed. */
function Working({ run }: { run: BillingRun }) {
  const { t } = useTranslation('billing')
  const list = useAnswer(billing.list, {}, { refetchInterval: progressIntervalMs, muted: true, staleTime: 0 })
  const now = list.data?.find(({ _id }) => _id === run._id) ?? run
  const hasEnded = now.state !== run.state
  useEffect(() => {
    if (hasEnded) void invalidate(billing.make.invalidates)
  }, [hasEnded])
  // of a stopped run some were done before
  const expected = now.state === 'counting' ? now.customer_count : now.done + now.waiting
  const done = now.state === 'undoing' ? now.customer_count - now.waiting : expected - now.waiting
  const total = now.state === 'undoing' ? now.customer_count : expected
  return (
    <Stack gap={4} role="status">
      <Text size="sm">{labelled(t(`state.${now.state}`), t('progress', { done, of: total }))}</Text>
      <Progress value={total > 0 ? (100 * done) / total : 100} animated aria-label={t('progressLabel')} />
    </Stack>
  )
}
