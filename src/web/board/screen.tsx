/** Arrivals and departures of the next eight weeks (docs/product/season.md "Season board"). */
import { Alert, Button, List, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconTruckLoading } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { board as calls, type Board } from '#contract/board.ts'
import { waves } from '#contract/waves.ts'
import { addDays } from '#domain/texts/date.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { labelled } from '../i18n.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { formatDate } from '../shared/format.ts'
import { useToday } from '../shared/hooks.ts'
import { Plot } from '../ui/plot/plot.tsx'
import { Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { pollInterval } from '../shared/session.ts'
import { dayName } from '../shared/weekdays.ts'
import { SizeClasses } from './classes.tsx'
import { useClosedDayName } from './names.ts'
import { LinkButton } from '../ui/link.tsx'
import { UnmovedCustomers } from './unmoved.tsx'
import { Weeks } from './weeks.tsx'
import classes from './board.module.css'

export function SeasonBoard() {
  const { t } = useTranslation('board')
  const { data, error, refetch } = useAnswer(calls.read, {}, { refetchInterval: pollInterval })
  const planned = useWaves()
  // together: the button makes room for itself above the rest
  const shown = data && !planned.isPending
  return (
    <Screen title={t('title')} actions={shown && <ToStaging />}>
      {shown ? (
        <Stack gap="lg">
          <Text c="dimmed">{t('intro')}</Text>
          <Facts board={data} />
          <Flows board={data} />
          <Section title={t('weeks')}>
            <Weeks board={data} />
          </Section>
          <Section title={t('classes')} text={t('classesText')}>
            <SizeClasses board={data} />
          </Section>
          <Section title={t('unmoved')} text={t('unmovedText')}>
            <UnmovedCustomers />
          </Section>
        </Stack>
      ) : error ? (
        <Failed error={error} retry={refetch} />
      ) : (
        <Placeholders rows={8} height={56} />
      )}
    </Screen>
  )
}

function Section({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <Paper component="section" aria-label={title} className={classes.section}>
      <Title order={2} mb={text === undefined ? 'sm' : 0}>
        {title}
      </Title>
      {text !== undefined && (
        <Text size="sm" c="dimmed" mb="sm">
          {text}
        </Text>
      )}
      {children}
    </Paper>
  )
}

const useWaves = () => useAnswer(waves.all, {}, { refetchInterval: pollInterval })

/** Plans the waves of the next day, from tomorrow on, that has wheels to pick: one click. */
function ToStaging() {
  const { t } = useTranslation('board')
  const today = useToday()
  const navigate = useNavigate()
  const { data } = useWaves()
  const plan = useCall(waves.planday, { done: 'common:performed' })
  const next = data?.due.find(({ day, free_count }) => day > today && free_count > 0)?.day
  if (!data || next === undefined) return null
  const count = data.due.filter(({ day }) => day === next).reduce((sum, { free_count }) => sum + free_count, 0)
  return (
    <Button
      leftSection={<IconTruckLoading size={18} aria-hidden />}
      loading={plan.isPending}
      onClick={() => plan.mutate({ day: next }, { onSuccess: () => void navigate({ to: '/admin/waves' }) })}
    >
      {next === addDays(today, 1) ? t('tomorrow', { count }) : t('stage', { count, date: formatDate(next) })}
    </Button>
  )
}

function Facts({ board }: { board: Board }) {
  const { t, i18n } = useTranslation(['board', 'nav'])
  const { stored, unplaced, undated, late, forecast } = board
  const number = (count: number) => formatNumber(count, i18n.language)
  const percent = (part: number | null) =>
    part === null
      ? t('unknownShare')
      : part.toLocaleString(i18n.language, { style: 'percent', maximumFractionDigits: 0 })
  const remarks = [
    late > 0 && t('late', { count: late }),
    undated.in > 0 && t('undatedIn', { count: undated.in }),
    undated.out > 0 && t('undatedOut', { count: undated.out }),
  ].filter(remark => remark !== false)
  return (
    <div>
      <Text fw={600}>
        {labelled(t('stored'), t('ofPlaces', { stored: number(stored), capacity: number(capacityOf(board)) }))}
        {unplaced > 0 && ` · ${t('unplaced', { count: unplaced })}`}
      </Text>
      <Text size="sm" mt={4}>
        {forecast
          ? [
              t('forecast', { now: number(forecast.stored), before: number(forecast.stored_last_year) }),
              forecast.error
                ? t('forecastError', {
                    weeks: forecast.error.weeks,
                    in: percent(forecast.error.in),
                    out: percent(forecast.error.out),
                  })
                : t('forecastUnchecked'),
            ].join(' ')
          : t('noForecast')}
      </Text>
      {remarks.length > 0 && (
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} mt="sm">
          <List size="sm">
            {remarks.map(remark => (
              <List.Item key={remark}>{remark}</List.Item>
            ))}
          </List>
          <Text size="sm">{t('undatedText')}</Text>
          <LinkButton to="/admin/operations" variant="default" size="xs" mt="xs">
            {t('nav:orders')}
          </LinkButton>
        </Alert>
      )}
    </div>
  )
}

const capacityOf = ({ classes: all }: Board): number => all.reduce((sum, { capacity }) => sum + capacity, 0)

function Flows({ board }: { board: Board }) {
  const { t, i18n } = useTranslation('board')
  const closedName = useClosedDayName()
  const { days, today } = board
  const points = days.map(({ day }) => ({
    key: day,
    label: dayName(day, i18n.language, 'short'),
    short: formatDate(day).slice(0, 5),
  }))
  const shared = {
    over: t('day'),
    points,
    chosen: Math.max(
      0,
      days.findIndex(({ day }) => day === today),
    ),
    noteOf: (at: number) => closedName(days[at]?.closed ?? null),
  }
  const flows = (['in', 'out'] as const).map(side => ({
    side,
    series: [
      {
        id: 'asked',
        label: t('asked'),
        tint: 1,
        values: days.map(({ done, asked: requested }) => done[side] + requested[side]),
      },
      { id: 'said', label: t('said'), tint: 2, dashed: true, values: days.map(day => day.forecast?.[side] ?? null) },
    ],
  }))
  const capacity = capacityOf(board)
  return (
    <>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        {flows.map(({ side, series }) => (
          <Section key={side} title={t(side)}>
            <Plot
              {...shared}
              title={t(side)}
              kind="columns"
              series={series.filter(({ id }) => id === 'asked' || board.forecast !== null)}
            />
          </Section>
        ))}
      </SimpleGrid>
      <Section title={t('storedByDay')}>
        <Plot
          {...shared}
          title={t('storedByDay')}
          kind="lines"
          series={[
            { id: 'stored', label: t('expected'), tint: 1, values: days.map(({ stored }) => stored) },
            { id: 'capacity', label: t('capacity'), tint: 5, dashed: true, values: days.map(() => capacity) },
          ]}
        />
      </Section>
    </>
  )
}
