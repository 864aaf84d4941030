/** The report of a count: accuracy by zone, and every difference with how it was solved (docs/product.md "Counting"). */
import { Group, Stack, Text, Title } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from '../ui/texts.ts'
import type { Answer } from '#contract/call.ts'
import { type CountDifference, type CountZone, counts as calls } from '#contract/counts.ts'
import { differences } from '#domain/count.ts'
import { today } from '#domain/date.ts'
import { labelled } from '../i18n.ts'
import { useAnswer } from '../shared/api.ts'
import { formatMoment } from '../shared/format.ts'
import { Empty, Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { pollInterval, useSite } from '../shared/session.ts'
import { Rack } from '../shared/trade.tsx'
import { VehiclePlate } from '../shared/vehicle/vehiclePlate.tsx'
import { WorkbookButton } from '../shared/workbookButton.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { Unbroken } from '../ui/unbroken.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { LinkButton } from '../ui/link.tsx'
import classes from './counts.module.css'
import { useTold } from './differences.tsx'
import { differencesOf, shareOf, useAccuracy, useCountName } from './sums.ts'

type CountReport = Answer<typeof calls.report>

export function ReportScreen() {
  const { t } = useTranslation('counts')
  const { count } = useSearch({ from: '/admin/counts/report' })
  return count === undefined ? (
    <Screen title={t('report')}>
      <Empty text={t('noCount')} />
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
      {data ? (
        <Contents report={data} />
      ) : error ? (
        <Failed error={error} retry={refetch} />
      ) : (
        <Placeholders rows={6} height={52} />
      )}
    </Screen>
  )
}

function Contents({ report: { count, zones, differences: found } }: { report: CountReport }) {
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
      <Found differences={found} file={file} />
    </Stack>
  )
}

function Zones({ zones, file }: { zones: readonly CountZone[]; file: string }) {
  const { t } = useTranslation('counts')
  const accuracy = useAccuracy()
  const differencesIn = (one: CountZone) =>
    differences
      .filter(outcome => one[`${outcome}_count`] > 0)
      .map(outcome => `${t(`outcome.${outcome}`)} ${one[`${outcome}_count`]}`)
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
            { header: t('column.zone'), text: one => one.zone },
            { header: t('column.progress'), number: one => one.counted },
            { header: t('column.clean'), number: one => one.clean },
            { header: t('column.found'), number: one => one.found_count },
            ...differences.map(outcome => ({
              header: t(`outcome.${outcome}`),
              number: (one: CountZone) => one[`${outcome}_count`],
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
            render: one => (
              <>
                <Rack name={one.zone} />
                <BelowCell>{differencesIn(one)}</BelowCell>
              </>
            ),
          },
          { id: 'counted', header: t('column.progress'), align: 'end', render: one => one.counted, from: 'sm' },
          { id: 'clean', header: t('column.clean'), align: 'end', render: one => one.clean, from: 'lg' },
          { id: 'found', header: t('column.found'), align: 'end', render: one => one.found_count, from: 'sm' },
          { id: 'differences', header: t('column.differences'), render: differencesIn, from: 'sm' },
          { id: 'accuracy', header: t('column.accuracy'), align: 'end', render: accuracy },
        ]}
        rows={zones}
        keyOf={one => one.zone}
        empty={t('none')}
        frame
      />
    </section>
  )
}

function Found({ differences: found, file }: { differences: readonly CountDifference[]; file: string }) {
  const { t } = useTranslation('counts')
  const { time_zone: zone } = useSite()
  const told = useTold()
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
            { header: t('column.zone'), text: one => one.zone },
            { header: t('column.place'), text: one => one.stock_rack },
            { header: t('column.at'), day: one => today({ now: new Date(one.counted_at), timeZone: zone }) },
            { header: t('column.outcome'), text: one => t(`outcome.${one.outcome}`) },
            { header: t('column.plate'), text: one => one.license_plate },
            { header: t('column.customer'), text: one => one.companyname },
            { header: t('column.position'), text: one => one.position },
            { header: t('column.description'), text: one => one.description },
            { header: t('column.label'), number: one => one.db_id ?? one.label_tyre },
            { header: t('column.belongs'), text: one => one.belongs_rack },
            { header: t('column.solved'), text: stateOf },
            { header: t('column.reason'), text: one => one.reason },
          ]}
          rows={found}
        />
      </Group>
      <DataTable
        label={t('allDifferences')}
        columns={[
          {
            id: 'wheel',
            header: t('column.wheel'),
            render: one => (
              <>
                <strong>{t(`outcome.${one.outcome}`)}</strong>{' '}
                {one.flt_id !== null && <VehiclePlate plate={one.license_plate} id={one.flt_id} size="sm" />}{' '}
                <Unbroken part={one.belongs_rack || one.seen_rack}>
                  {[one.position, told(one)].filter(Boolean).join(' · ')}
                </Unbroken>
                <BelowCell>{stateOf(one)}</BelowCell>
              </>
            ),
          },
          { id: 'place', header: t('column.place'), render: one => <Rack name={one.stock_rack} />, nowrap: true },
          { id: 'at', header: t('column.at'), render: one => formatMoment(one.counted_at, zone), from: 'md' },
          {
            id: 'solved',
            header: t('column.solved'),
            render: one => (one.reason ? labelled(stateOf(one), one.reason) : stateOf(one)),
            from: 'sm',
          },
        ]}
        rows={found}
        keyOf={one => one.finding}
        empty={t('noDifference')}
        frame
      />
    </section>
  )
}
