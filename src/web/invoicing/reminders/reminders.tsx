/** Reminders of invoices that are overdue: who gets one today, those that were sent, and who gets none (docs/product/money.md "Reminders"). */
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { type DueReminder, reminders as calls, type ReminderRun } from '#contract/reminders.ts'
import { moneyIn } from '#domain/texts/number.ts'
import { ask, useAnswer, useCall } from '../../shared/api.ts'
import { ReasonDialog } from '../../shared/form/reasonDialog.tsx'
import { formatMinute } from '../../shared/format.ts'
import { PdfButton } from '../../shared/pdf.tsx'
import { Failed } from '../../shared/screen.tsx'
import { pollInterval, useSite } from '../../shared/session.ts'
import { confirmFirst } from '../../ui/confirm.tsx'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { BelowCell } from '../../ui/dataTable/secondaryText.tsx'
import { useRowSelection } from '../../ui/dataTable/selection.tsx'
import { ReminderSettings } from './settings.tsx'

/** How often a run under way is looked at, in ms. */
const progressIntervalMs = 2000

export function Reminders() {
  const { t } = useTranslation('reminders')
  const runs = useAnswer(calls.runs, {}, { refetchInterval: pollInterval })
  const underWay = runs.data?.some(({ state }) => state === 'sending') ?? false
  return (
    <Stack gap="xl">
      {underWay && <Progress />}
      <div>
        <ReminderSettings />
        <Due isSending={underWay} />
      </div>
      <section aria-labelledby="sent">
        <Title order={2} size="h4" id="sent" mb="xs">
          {t('sent.title')}
        </Title>
        {runs.isError && !runs.data ? (
          <Failed error={runs.error} retry={runs.refetch} />
        ) : runs.data?.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('sent.none')}
          </Text>
        ) : (
          <Stack gap="lg">
            {runs.data?.map(run => (
              <Run key={run._id} run={run} />
            ))}
          </Stack>
        )}
      </section>
      <Stops />
    </Stack>
  )
}

/** Looks at a run while letters are to be sent. */
function Progress() {
  useAnswer(calls.runs, {}, { refetchInterval: progressIntervalMs, muted: true, staleTime: 0 })
  return null
}

/** Who is reminded today, all of them chosen at first. */
function Due({ isSending }: { isSending: boolean }) {
  const { t, i18n } = useTranslation('reminders')
  const due = useAnswer(calls.due, {})
  const send = useCall(calls.send, { done: 'reminders:due.sending' })
  const stop = useCall(calls.stop, { done: 'reminders:stop.done' })
  const [without, setWithout] = useState<readonly number[]>([])
  const [stopping, setStopping] = useState<DueReminder | null>(null)
  const money = moneyIn(i18n.language)
  const rows = due.data ?? []
  const chosen = rows.filter(({ seq_id }) => !without.includes(seq_id))
  const selection = useRowSelection<DueReminder>({
    head: {
      label: t('due.all'),
      state: chosen.length === 0 ? false : chosen.length === rows.length ? true : 'some',
      toggle: () => setWithout(chosen.length === rows.length ? rows.map(({ seq_id }) => seq_id) : []),
      disabled: rows.length === 0,
    },
    stateOf: ({ seq_id }) => !without.includes(seq_id),
    labelOf: ({ companyname }) => t('due.choose', { customer: companyname }),
    toggle: ({ seq_id }, selected) =>
      setWithout(selected ? without.filter(other => other !== seq_id) : [...without, seq_id]),
  })
  async function remind() {
    const printed = chosen.filter(({ by_mail }) => !by_mail).length
    const title = t('due.question', { count: chosen.length })
    const text = printed > 0 ? t('due.printed', { count: printed }) : t('due.mailed')
    if (await confirmFirst({ title, text, confirm: t('due.send') })) send.mutate({ without: [...without] })
  }
  return (
    <>
      <Group justify="space-between" gap="xs" mb="sm">
        <Text size="sm" c="dimmed" role="status">
          {t('due.sum', {
            count: chosen.length,
            amount: money.format(chosen.reduce((cents, { total }) => cents + Math.round(total * 100), 0) / 100),
          })}
        </Text>
        <Button
          leftSection={<IconSend size={18} aria-hidden />}
          disabled={chosen.length === 0 || isSending}
          loading={send.isPending}
          onClick={() => void remind()}
        >
          {t('due.send')}
        </Button>
      </Group>
      <DataTable
        columns={[
          {
            id: 'customer',
            header: t('column.customer'),
            render: ({ companyname, invoice_count, by_mail, level, open }) => (
              <>
                {companyname}
                <BelowCell>
                  {t('level', { level })}, {t('openOf', { amount: money.format(open) })}
                </BelowCell>
                <Text size="xs" c="dimmed">
                  {[t('invoices', { count: invoice_count }), ...(by_mail ? [] : [t('noAddress')])].join(' · ')}
                </Text>
              </>
            ),
          },
          { id: 'level', header: t('column.level'), render: ({ level }) => <Level level={level} />, from: 'sm' },
          { id: 'open', header: t('column.open'), render: row => money.format(row.open), align: 'end', from: 'sm' },
          {
            id: 'costs',
            header: t('column.costs'),
            render: row => money.format((Math.round(row.total * 100) - Math.round(row.open * 100)) / 100),
            align: 'end',
            from: 'sm',
          },
          {
            id: 'total',
            header: t('column.total'),
            render: ({ total }) => money.format(total),
            align: 'end',
            nowrap: true,
          },
          {
            id: 'actions',
            header: t('column.actions'),
            headerHidden: true,
            render: row => (
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={t('stop.which', { customer: row.companyname })}
                onClick={() => setStopping(row)}
              >
                {t('stop.do')}
              </Button>
            ),
            align: 'end',
          },
        ]}
        rows={due.data}
        keyOf={({ seq_id }) => seq_id}
        selection={selection}
        failure={due.isError && <Failed error={due.error} retry={due.refetch} />}
        empty={t('due.none')}
        phone={{ heads: 'shown' }}
        frame
      />
      {stopping && (
        <ReasonDialog
          title={t('stop.title', { customer: stopping.companyname })}
          text={t('stop.text')}
          confirm={t('stop.do')}
          send={reason => stop.mutateAsync({ seq_id: stopping.seq_id, reason })}
          onClose={() => setStopping(null)}
        />
      )}
    </>
  )
}

function Level({ level }: { level: number }) {
  const { t } = useTranslation('reminders')
  return (
    <Badge size="sm" color={level === 1 ? 'yellow' : level === 2 ? 'orange' : 'red'}>
      {t('level', { level })}
    </Badge>
  )
}

function Run({ run }: { run: ReminderRun }) {
  const { t, i18n } = useTranslation('reminders')
  const { time_zone } = useSite()
  const money = moneyIn(i18n.language)
  const parts = [
    formatMinute(run.at, time_zone),
    run.by,
    run.state === 'sending' ? t('sent.waiting', { count: run.waiting }) : t('sent.letters', { count: run.reminded }),
    ...(run.failed > 0 ? [t('sent.failed', { count: run.failed })] : []),
  ]
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {parts.filter(Boolean).join(' · ')}
      </Text>
      <DataTable
        columns={[
          { id: 'customer', header: t('column.customer'), render: ({ companyname }) => companyname },
          { id: 'level', header: t('column.level'), render: ({ level }) => <Level level={level} /> },
          {
            id: 'by',
            header: t('column.by'),
            render: ({ message_count }) => (message_count > 0 ? t('sent.mailed') : t('sent.toPrint')),
            from: 'sm',
          },
          {
            id: 'total',
            header: t('column.total'),
            render: ({ total }) => money.format(total),
            align: 'end',
            nowrap: true,
          },
          {
            id: 'actions',
            header: t('column.actions'),
            headerHidden: true,
            render: ({ _id, companyname }) => (
              <PdfButton
                size="compact-sm"
                name={t('file')}
                aria-label={`PDF: ${companyname}`}
                pdf={() => ask(calls.pdf, { _id })}
              >
                PDF
              </PdfButton>
            ),
            align: 'end',
          },
        ]}
        rows={run.letters}
        keyOf={({ _id }) => _id}
        empty={run.state === 'sending' ? t('sent.waiting', { count: run.waiting }) : t('sent.nothing')}
        phone={{ heads: 'shown' }}
        frame
      />
    </div>
  )
}

function Stops() {
  const { t } = useTranslation('reminders')
  const stops = useAnswer(calls.stops, {})
  const unstop = useCall(calls.unstop, { done: 'reminders:stops.ended' })
  if (!stops.data || stops.data.length === 0) return null
  return (
    <section aria-labelledby="stops">
      <Title order={2} size="h4" id="stops" mb="xs">
        {t('stops.title')}
      </Title>
      <DataTable
        columns={[
          {
            id: 'customer',
            header: t('column.customer'),
            render: ({ companyname, number }) => [companyname, number].filter(Boolean).join(' · '),
          },
          {
            id: 'reason',
            header: t('column.reason'),
            render: ({ reason, by }) => [reason, by].filter(Boolean).join(' · '),
          },
          {
            id: 'actions',
            header: t('column.actions'),
            headerHidden: true,
            render: ({ _id, companyname }) => (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t('stops.endOf', { customer: companyname })}
                onClick={() => unstop.mutate({ _id })}
              >
                {t('stops.end')}
              </Button>
            ),
            align: 'end',
          },
        ]}
        rows={stops.data}
        keyOf={({ _id }) => _id}
        phone={{ heads: 'shown' }}
        frame
      />
    </section>
  )
}
