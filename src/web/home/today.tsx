/** The work of a tyre hotel today: each line with its number, its parts, and the screen where it is done (docs/product/screens.md "Home screens"). */
import { Paper, Skeleton, Text, Title } from '@mantine/core'
import {
  IconCashBanknote,
  IconCheckbox,
  IconClockExclamation,
  IconDatabase,
  IconFileInvoice,
  IconListCheck,
  IconPackageImport,
  IconTruckDelivery,
  type TablerIcon,
} from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { billing, type OwingCustomer } from '#contract/billing.ts'
import { today as calls, type Work } from '#contract/today.ts'
import { countedJobs, countedKinds } from '#domain/warehouse/clearUp.ts'
import { offeredTypes } from '#domain/tyres/tyre.ts'
import { formatNumber, moneyIn } from '#domain/texts/number.ts'
import { useAnswer } from '../shared/api.ts'
import { Failed } from '../shared/screen.tsx'
import { pollInterval, useSite } from '../shared/session.ts'
import { LatestBackup, useBackups } from '../sites/backupState.tsx'
import { LinkButton } from '../ui/link.tsx'
import { isPrerendering } from '../ui/prerendering.ts'
import { useTranslation } from '../ui/texts.ts'
import classes from './today.module.css'

/** So long the sum of what customers owe is shown before it is summed up again, in ms: it changes with the day, and by documents. */
const sumStaysMs = 300_000

type Line = {
  id: 'confirm' | 'leaving' | 'late' | 'arriving' | 'clearUp' | 'bill' | 'unpaid'
  icon: TablerIcon
  /** Grey where there is nothing to do. */
  isNone: boolean
  /** `undefined` while it is not known. */
  value: string | undefined
  parts: readonly string[]
  to: Pick<LinkProps, 'to' | 'search'>
}

export function Today() {
  const { t } = useTranslation('today')
  const { data, error, refetch } = useAnswer(calls.read, {}, { refetchInterval: pollInterval })
  return (
    <Paper component="section" aria-labelledby="today" className={classes.today}>
      <Title order={2} id="today" className="wh-hidden">
        {t('title')}
      </Title>
      {data ? (
        <Lines work={data} />
      ) : error ? (
        <Failed error={error} retry={refetch} />
      ) : (
        <Skeleton className={classes.place ?? ''} />
      )}
    </Paper>
  )
}

function Lines({ work }: { work: Work }) {
  const { t } = useTranslation('today')
  const { backup, wrong } = useBackups()
  return (
    <ul className={classes.lines}>
      {useLines(work).map(({ id, icon: Icon, isNone, value, parts, to }) => (
        <Row
          key={id}
          id={id}
          icon={<Icon size={22} stroke={1.7} aria-hidden />}
          isNone={isNone}
          value={value ?? '…'}
          name={t(`${id}.name`)}
          parts={parts}
        >
          <LinkButton {...to} variant="default" size="xs" className={classes.button ?? ''}>
            {t(`${id}.button`)}
          </LinkButton>
        </Row>
      ))}
      {backup && !wrong && (
        <li data-line="backups" data-none>
          <IconDatabase size={22} stroke={1.7} aria-hidden />
          <span className={classes.value} />
          <div className={classes.words}>
            <LatestBackup />
          </div>
        </li>
      )}
    </ul>
  )
}

type RowProps = Pick<Line, 'id' | 'isNone' | 'parts'> & {
  icon: ReactNode
  value: string
  name: string
  children: ReactNode
}

function Row({ id, icon, isNone, value, name, parts, children }: RowProps) {
  return (
    <li data-line={id} data-none={isNone || undefined}>
      {icon}
      <strong className={classes.value}>{value}</strong>
      <div className={classes.words}>
        <Text fw={600}>{name}</Text>
        {parts.length > 0 && (
          <Text size="sm" c="dimmed">
            {parts.join(' · ')}
          </Text>
        )}
      </div>
      {children}
    </li>
  )
}

/** The most kinds of what is to be cleared up that are named. */
const namedKinds = 3

function useLines({ to_confirm, leaving, late, arriving, undated, to_clear_up, unpaid }: Work): Line[] {
  const { t, i18n } = useTranslation(['today', 'common', 'desk', 'locations'])
  const toBill = useToBill()
  const unpaidLine = useUnpaid(unpaid)
  const number = (count: number) => formatNumber(count, i18n.language)
  const tyres = (count: number) => t('common:tyres', { count })
  const confirmable = offeredTypes.filter(type => to_confirm[type] > 0)
  const jobs = countedKinds.filter(kind => to_clear_up[kind] > 0)
  const count = (line: Pick<Line, 'id' | 'icon' | 'to' | 'parts'>, sum: number): Line => ({
    ...line,
    isNone: sum === 0,
    value: number(sum),
  })
  return [
    count(
      {
        id: 'confirm',
        icon: IconCheckbox,
        parts: confirmable.map(type => `${t(`desk:types.${type}`)} ${number(to_confirm[type])}`),
        to: { to: '/admin/operations', search: { type: confirmable[0] ?? 'to_customer' } },
      },
      confirmable.reduce((sum, type) => sum + to_confirm[type], 0),
    ),
    count(
      {
        id: 'leaving',
        icon: IconTruckDelivery,
        parts: leaving.map(({ tyre_count, unpicked_count }, nth) =>
          [
            t(nth === 0 ? 'today:ofToday' : 'today:ofTomorrow', { what: tyres(tyre_count) }),
            ...(unpicked_count > 0 ? [t('today:unpicked', { count: unpicked_count })] : []),
          ].join(', '),
        ),
        to: { to: '/admin/waves' },
      },
      leaving.reduce((sum, { tyre_count }) => sum + tyre_count, 0),
    ),
    count(
      {
        id: 'late',
        icon: IconClockExclamation,
        parts: [
          ...(late.out.operation_count > 0 ? [t('today:lateOut', { count: late.out.operation_count })] : []),
          ...(late.in.operation_count > 0 ? [t('today:lateIn', { count: late.in.operation_count })] : []),
        ],
        to: {
          to: '/admin/operations',
          search: { type: late.out.operation_count > 0 || late.in.operation_count === 0 ? 'to_customer' : 'to_stock' },
        },
      },
      late.out.operation_count + late.in.operation_count,
    ),
    count(
      {
        id: 'arriving',
        icon: IconPackageImport,
        parts: [
          t('today:ofToday', { what: tyres(arriving.tyre_count) }),
          t('today:undated', { what: tyres(undated.tyre_count) }),
        ],
        to: { to: '/admin/operations', search: { type: 'to_stock' } },
      },
      arriving.tyre_count + undated.tyre_count,
    ),
    count(
      {
        id: 'clearUp',
        icon: IconListCheck,
        parts: [
          ...jobs
            .slice(0, namedKinds)
            .map(kind => `${t(`locations:clearUp.kind.${kind}`)} ${number(to_clear_up[kind])}`),
          ...(jobs.length > namedKinds ? [t('today:moreKinds', { count: jobs.length - namedKinds })] : []),
        ],
        to: { to: '/admin/clearup' },
      },
      countedJobs(to_clear_up),
    ),
    toBill,
    ...(unpaidLine ? [unpaidLine] : []),
  ]
}

/** Overdue invoices, by age, with what is open of all, and the bank's lines that ask; null where the site follows no payments. */
function useUnpaid(unpaid: Work['unpaid']): Line | null {
  const { t, i18n } = useTranslation('today')
  if (!unpaid) return null
  const { open, overdue, ages: sums, bank_line_count } = unpaid
  const money = moneyIn(i18n.language)
  return {
    id: 'unpaid',
    icon: IconCashBanknote,
    isNone: overdue === 0 && bank_line_count === 0,
    value: money.format(overdue),
    parts: [
      ...overdueAges.flatMap(age => (sums[age] > 0 ? [t(`ages.${age}`, { amount: money.format(sums[age]) })] : [])),
      t('openInvoices', { amount: money.format(open) }),
      ...(bank_line_count > 0 ? [t('bankLines', { count: bank_line_count })] : []),
    ],
    to: { to: '/admin/invoicing', search: { tab: overdue === 0 && bank_line_count > 0 ? 'bank' : 'invoices' } },
  }
}
/** The ages of what is overdue. */
const overdueAges = ['days30', 'days60', 'days90', 'older'] as const

function useToBill(): Line {
  const { t, i18n } = useTranslation(['today', 'charges'])
  const { invoicing_period: days } = useSite()
  // a page does not wait for it: of a large site it takes a while
  const { data } = useAnswer(billing.owing, { days }, { enabled: !isPrerendering, staleTime: sumStaysMs, muted: true })
  const sumOf = (amount: (customer: OwingCustomer) => number) =>
    data?.reduce((cents, customer) => cents + Math.round(amount(customer) * 100), 0) ?? 0
  const all = sumOf(({ amount_excl }) => amount_excl)
  const storage = sumOf(({ parts }) => parts.storage ?? 0)
  const money = moneyIn(i18n.language)
  const euro = (cents: number) => money.format(cents / 100)
  return {
    id: 'bill',
    icon: IconFileInvoice,
    isNone: data?.length === 0,
    value: data && euro(all),
    parts:
      data && data.length > 0
        ? [
            t('today:customers', { count: data.length }),
            t('today:storage', { amount: euro(storage) }),
            ...(all > storage ? [t('today:charges', { amount: euro(all - storage) })] : []),
          ]
        : [],
    to: { to: '/admin/invoicing' },
  }
}
