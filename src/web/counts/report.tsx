/** The report of a count: accuracy by zone, and every difference with how it was solved (docs/product/warehouse.md "Counting"). */
import { Group, Stack, Text, Title } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from '../ui/texts.ts'
import type { Answer } from '#contract/call.ts'
import { type CountDifference, type CountZone, counts as calls } from '#contract/counts.ts'
import { differences } from '#domain/warehouse/count.ts'
import { today } from '#domain/texts/date.ts'
import { labelled } from '../i18n.ts'
import { useAnswer } from '../shared/api.ts'
import { formatMoment } from '../shared/format.ts'
import { Empty, Screen, Unanswered } from '../shared/screen.tsx'
import { pollInterval, useSite } from '../shared/session.ts'
import { Rack } from '../shared/trade.tsx'
import { VehiclePlate } from '../vehicles/vehiclePlate.tsx'
import { WorkbookButton } from '../shared/workbookButton.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { Unbroken } from '../ui/unbroken.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { LinkButton } from '../ui/link.tsx'
import classes from './counts.module.css'
import { useDifferenceText } from './differences.tsx'
import { differencesOf, shareOf, useAccuracy, useCountName } from './sums.ts'

type CountReport = Answer<typeof calls.report>

/** The report of the count at the address. */
export function ReportScreen() {
  const { t } = useTranslation('counts')
  const { count } = useSearch({ from: '/admin/counts/report' })
  return count === undefined ? (
    <Screen title={t('report')}>
      <Empty text={t('noCount')}>
        <LinkButton variant="default" to="/admin/counts">
          {t('counts')}
        </LinkButton>
      </Empty>
    </Screen>
  ) : (
    <Report key={count} count={count} />
  )
}

function Report({ count }: { count: number }) {
  const { t } = useTranslation('counts')
  const { data, error, refetch } = useAnswer(calls.report, { count }, { refetchInterval: pollInterval })
  return (
    <Screen
      title={t('report')}
      actions={
        <LinkButton variant="default" to="/admin/counts">
          {t('counts')}
        </LinkButton>
      }
    >
      {data ? <Contents report={data} /> : <Unanswered error={error} retry={refetch} rows={6} height={52} />}
    </Screen>
  )
}

function Contents({ report: { count, zones, differences: allDifferences } }: { report: CountReport }) {
  const { t } = useTranslation('counts')
  const { time_zone: zone } = useSite()
  const nameOf = useCountName()
  const accuracy = useAccuracy()
  const file = `${t('fileName')}-${count._id}`
  return (
    <Stack gap="lg">
      <section aria-label={nameOf(count)}>
        <Title order={2} size="h4">
          {nameOf(count)}
        </Title>
        <Text size="sm" c="dimmed">
          {[formatMoment(count.started, zone), count.by, count.ended && t('ended')].filter(Boolean).join(' · ')}
        </Text>
        <div className={classes.sums}>
          {[
            labelled(
              t('column.progress'),
              count.place_count === null
                ? count.counted
                : t('placesOf', { done: count.counted, places: count.place_count }),
            ),
            labelled(t('column.found'), count.found_count),
            labelled(t('column.differences'), differencesOf(count)),
            labelled(t('column.open'), count.open),
            accuracy(count) && labelled(t('column.accuracy'), accuracy(count)),
          ].map(sum => sum && <span key={sum}>{sum}</span>)}
        </div>
        <Text size="sm" c="dimmed">
          {t('accuracyText')}
        </Text>
      </section>
      <Zones zones={zones} file={file} />
      <Found differences={allDifferences} file={file} />
    </Stack>
  )
}

function Zones({ zones, file }: { zones: readonly CountZone[]; file: string }) {
  const { t } = useTranslation('counts')
  const accuracy = useAccuracy()
  const differencesIn = (zone: CountZone) =>
    differences
      .filter(outcome => zone[`${outcome}_count`] > 0)
      .map(outcome => `${t(`outcome.${outcome}`)} ${zone[`${outcome}_count`]}`)
      .join(' · ')
  return (
    <section aria-label={t('byZone')}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t('byZone')}
        </Title>
        <WorkbookButton
          size="xs"
          title={t('byZone')}
          file={file}
          columns={[
            { header: t('column.zone'), text: row => row.zone },
            { header: t('column.progress'), number: row => row.counted },
            { header: t('column.clean'), number: row => row.clean },
            { header: t('column.found'), number: row => row.found_count },
            ...differences.map(outcome => ({
              header: t(`outcome.${outcome}`),
              number: (row: CountZone) => row[`${outcome}_count`],
            })),
            { header: t('column.accuracy'), number: shareOf, format: '0.0%' },
          ]}
          rows={zones}
        />
      </Group>
      <DataTable
        label={t('byZone')}
        columns={[
          {
            id: 'zone',
            header: t('column.zone'),
            render: row => (
              <>
                <Rack name={row.zone} />
                <BelowCell>{differencesIn(row)}</BelowCell>
              </>
            ),
          },
          { id: 'counted', header: t('column.progress'), align: 'end', render: row => row.counted, from: 'sm' },
          { id: 'clean', header: t('column.clean'), align: 'end', render: row => row.clean, from: 'lg' },
          { id: 'found', header: t('column.found'), align: 'end', render: row => row.found_count, from: 'sm' },
          { id: 'differences', header: t('column.differences'), render: differencesIn, from: 'sm' },
          { id: 'accuracy', header: t('column.accuracy'), align: 'end', render: accuracy },
        ]}
        rows={zones}
        keyOf={row => row.zone}
        empty={t('none')}
        frame
      />
    </section>
  )
}

function Found({ differences: differenceRows, file }: { differences: readonly CountDifference[]; file: string }) {
  const { t } = useTranslation('counts')
  const { time_zone: zone } = useSite()
  const describe = useDifferenceText()
  const stateOf = ({ solved, open }: CountDifference) =>
    solved ? t(`solved.${solved}`) : t(open ? 'openDifference' : 'settled')
  return (
    <section aria-label={t('allDifferences')}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t('allDifferences')}
        </Title>
        <WorkbookButton
          size="xs"
          title={t('allDifferences')}
          file={`${file}-${t('column.differences')}`}
          columns={[
            { header: t('column.zone'), text: difference => difference.zone },
            { header: t('column.place'), text: difference => difference.stock_rack },
            {
              header: t('column.at'),
              day: difference => today({ now: new Date(difference.counted_at), timeZone: zone }),
            },
            { header: t('column.outcome'), text: difference => t(`outcome.${difference.outcome}`) },
            { header: t('column.plate'), text: difference => difference.license_plate },
            { header: t('column.customer'), text: difference => difference.companyname },
            { header: t('column.position'), text: difference => difference.position },
            { header: t('column.description'), text: difference => difference.description },
            { header: t('column.label'), number: difference => difference.db_id ?? difference.label_tyre },
            { header: t('column.belongs'), text: difference => difference.belongs_rack },
            { header: t('column.solved'), text: stateOf },
            { header: t('column.reason'), text: difference => difference.reason },
          ]}
          rows={differenceRows}
        />
      </Group>
      <DataTable
        label={t('allDifferences')}
        columns={[
          {
            id: 'wheel',
            header: t('column.wheel'),
            render: difference => (
              <>
                <strong>{t(`outcome.${difference.outcome}`)}</strong>{' '}
                {difference.flt_id !== null && (
                  <VehiclePlate plate={difference.license_plate} id={difference.flt_id} size="sm" />
                )}{' '}
                <Unbroken part={difference.belongs_rack || difference.seen_rack}>
                  {[difference.position, describe(difference)].filter(Boolean).join(' · ')}
                </Unbroken>
                <BelowCell>{stateOf(difference)}</BelowCell>
              </>
            ),
          },
          {
            id: 'place',
            header: t('column.place'),
            render: difference => <Rack name={difference.stock_rack} />,
            nowrap: true,
          },
          {
            id: 'at',
            header: t('column.at'),
            render: difference => formatMoment(difference.counted_at, zone),
            from: 'md',
          },
          {
            id: 'solved',
            header: t('column.solved'),
            render: difference =>
              difference.reason ? labelled(stateOf(difference), difference.reason) : stateOf(difference),
            from: 'sm',
          },
        ]}
        rows={differenceRows}
        keyOf={difference => difference.finding}
        empty={t('noDifference')}
        frame
      />
    </section>
  )
}
