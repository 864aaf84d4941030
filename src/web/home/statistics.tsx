/** Operations per customer in a period, as a doughnut and as a table. */
import { Button, Group, Paper, Skeleton, Text, Title } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { operations as calls } from '#contract/operations.ts'
import { tabLines } from '#domain/texts/cell.ts'
import { addMonths, type IsoDate } from '#domain/texts/date.ts'
import { useAnswer } from '../shared/api.ts'
import { copyText } from '../ui/copy.ts'
import { DateField } from '../ui/dateField.tsx'
import { CsvButton } from '../shared/csvButton.tsx'
import { useRemembered, useToday } from '../shared/hooks.ts'
import { usePeriodComplaint } from '../shared/period.ts'
import { Ring } from '../ui/plot/ring.tsx'
import { WorkbookButton } from '../shared/workbookButton.tsx'
import { Empty, Failed, Placeholders } from '../shared/screen.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import type { Column } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { paging } from '../ui/dataTable/paging.tsx'
import { sorting } from '../ui/dataTable/sort.tsx'
import { type Counts, colorsOf, type CustomerCounts, partsOf, sorted, type SortKey, totalOf } from './byCustomer.ts'
import { typeOrder } from '../operations/typeOrder.ts'
import classes from './statistics.module.css'

/** The period is at first one year. */
const defaultMonths = 12

export function Statistics() {
  const { t } = useTranslation('home')
  const today = useToday()
  const [{ from, to }, setPeriod] = useState<{ from: IsoDate; to: IsoDate }>(() => ({
    from: addMonths(today, -defaultMonths),
    to: today,
  }))
  const complaint = usePeriodComplaint()({ from, to })
  const answer = useAnswer(
    calls.adminopsbydate_light,
    { startDate: from, endDate: to },
    { enabled: complaint === undefined, keep: true },
  )
  return (
    <Paper component="section" aria-labelledby="per-customer" className={classes.section}>
      <div className={classes.head}>
        <div>
          <Title order={2} id="per-customer">
            {t('statistics.heading')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('statistics.text')}
          </Text>
        </div>
        <Group gap="xs" align="flex-start" className={classes.period ?? ''}>
          <DateField
            label={t('statistics.from')}
            value={from}
            maxDate={today}
            onChange={day => day && setPeriod({ from: day, to })}
          />
          <DateField
            label={t('statistics.to')}
            value={to}
            maxDate={today}
            onChange={day => day && setPeriod({ from, to: day })}
            error={complaint}
          />
        </Group>
      </div>
      {answer.data ? (
        answer.data.length === 0 ? (
          <Empty text={t('statistics.none')} />
        ) : (
          <div className={classes.figures} aria-busy={answer.isPlaceholderData}>
            <CustomerDoughnut rows={answer.data} />
            <PerCustomer rows={answer.data} period={`${from}-${to}`} />
          </div>
        )
      ) : answer.isError ? (
        <Failed error={answer.error} retry={answer.refetch} />
      ) : (
        <div className={classes.figures}>
          <Skeleton height={200} width={200} circle mx="auto" />
          <Placeholders rows={6} height={36} />
        </div>
      )}
    </Paper>
  )
}

/** The table beside it has the legend and the counts. */
function CustomerDoughnut({ rows }: { rows: readonly CustomerCounts[] }) {
  const { t, i18n } = useTranslation('home')
  const total = totalOf(rows).total.toLocaleString(i18n.language)
  return (
    <div className={classes.doughnut}>
      <Ring parts={partsOf(rows, t('statistics.others'))} total={total} size={200} />
    </div>
  )
}

/** A line of the workbook: a customer, or all of them. */
type Named = Counts & { companyname: string }

/** Up to this number of customers there are no pages. */
const fewRows = 25

function PerCustomer({ rows, period }: { rows: readonly CustomerCounts[]; period: string }) {
  const { t, i18n } = useTranslation('home')
  const [{ by, desc }, setSort] = useState<{ by: SortKey; desc: boolean }>({ by: 'total', desc: true })
  const [size, setSize] = useRemembered<number>('customersPerPage', 25)
  const [page, setPage] = useState(1)
  const ordered = sorted(rows, { by, desc, language: i18n.language })
  const colors = colorsOf(rows)
  const all = totalOf(rows)
  const number = (count: number) => count.toLocaleString(i18n.language)
  const rest = (counts: Counts) => typeOrder.map(type => `${t(`finished.${type}`)} ${number(counts[type])}`).join(' · ')
  const columns: readonly Column<CustomerCounts, SortKey>[] = [
    {
      id: 'customer',
      header: t('statistics.customer'),
      render: row => (
        <>
          <span className={classes.swatch} style={{ backgroundColor: colors.get(row.seq_id) }} aria-hidden />
          {row.companyname}
          <BelowCell>{rest(row)}</BelowCell>
        </>
      ),
      sort: 'customer',
      footer: (
        <>
          {t('statistics.total')}, {t('statistics.all', { count: rows.length })}
          <BelowCell>{rest(all)}</BelowCell>
        </>
      ),
    },
    {
      id: 'total',
      header: t('statistics.total'),
      render: row => number(row.total),
      sort: 'total',
      align: 'end',
      footer: number(all.total),
    },
    ...typeOrder.map((type): Column<CustomerCounts, SortKey> => ({
      id: type,
      header: t(`finished.${type}`),
      render: row => number(row[type]),
      sort: type,
      align: 'end',
      from: 'sm',
      footer: number(all[type]),
    })),
  ]
  const cells = () => [
    columns.map(({ header }) => header),
    ...ordered.map(row => [row.companyname, row.total, ...typeOrder.map(type => row[type])]),
    [t('statistics.total'), all.total, ...typeOrder.map(type => all[type])],
  ]

  return (
    <div>
      <DataTable
        columns={columns}
        rows={ordered}
        keyOf={row => row.seq_id}
        sort={sorting({
          by,
          desc,
          choose: (next, turned) => {
            // The first press on a count brings the most to the top.
            setSort({ by: next, desc: next === by ? turned : next !== 'customer' })
            setPage(1)
          },
        })}
        paging={
          rows.length > fewRows
            ? paging({
                label: t('statistics.perPage'),
                page,
                size,
                onPage: setPage,
                onSize: next => {
                  setSize(next)
                  setPage(1)
                },
              })
            : undefined
        }
        rowAttributes={row => ({ 'data-customer': row.seq_id })}
        phone={{ heads: 'shown' }}
        spacing="0.25rem"
      />
      <Group gap="xs" justify="flex-end" mt="sm">
        <Button
          variant="default"
          leftSection={<IconCopy size={18} aria-hidden />}
          onClick={() => void copyText(tabLines(cells()))}
        >
          {t('statistics.copy')}
        </Button>
        <CsvButton file={`${t('statistics.file')}-${period}`} cells={cells} />
        <WorkbookButton
          title={t('statistics.heading')}
          file={`${t('statistics.file')}-${period}`}
          columns={[
            { header: t('statistics.customer'), text: (row: Named) => row.companyname },
            { header: t('statistics.total'), number: row => row.total },
            ...typeOrder.map(type => ({ header: t(`finished.${type}`), number: (row: Named) => row[type] })),
          ]}
          rows={[...ordered, { companyname: t('statistics.total'), ...all }]}
        />
      </Group>
    </div>
  )
}
