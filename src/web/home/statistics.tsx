/** Operations per customer in a period, as a doughnut and as a table (SPEC §2 "Admin home", §9). */
import { Button, Group, Paper, Skeleton, Table, Text, Title } from '@mantine/core'
import { IconCopy, IconDownload } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { operations as calls } from '#contract/operations.ts'
import { csvFile, tabLines } from '#domain/cell.ts'
import { addMonths, type IsoDate } from '#domain/date.ts'
import { useAnswer } from '../shared/api.ts'
import { copyText } from '../ui/copy.ts'
import { DateField } from '../ui/dateField.tsx'
import { saveFile } from '../ui/download.ts'
import { useRemembered, useToday } from '../shared/hooks.ts'
import { notify } from '../ui/notify.ts'
import { pageWithin, Paging } from '../ui/paging.tsx'
import { Empty, Failed, Placeholders } from '../shared/screen.tsx'
import { type Sort, SortChoice, SortHead } from '../ui/sort.tsx'
import { type Counts, colorsOf, type CustomerCounts, partsOf, sorted, type SortKey, totalOf } from './byCustomer.ts'
import classes from './statistics.module.css'

const Doughnut = lazy(async () => ({ default: (await import('./charts.tsx')).Doughnut }))

/** SPEC §9: one year. */
const defaultMonths = 12

/** The counts beside the total, in the order of their columns. */
const types = ['to_customer', 'to_stock', 'to_waste'] as const

export function Statistics() {
  const { t } = useTranslation('home')
  const today = useToday()
  const [{ from, to }, setPeriod] = useState<{ from: IsoDate; to: IsoDate }>(() => ({
    from: addMonths(today, -defaultMonths),
    to: today,
  }))
  const turned = from > to
  const answer = useAnswer(
    calls.adminopsbydate_light,
    { startDate: from, endDate: to },
    { enabled: !turned, keep: true },
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
            error={turned && t('statistics.turned')}
          />
        </Group>
      </div>
      {answer.data ? (
        answer.data.length === 0 ? (
          <Empty text={t('statistics.none')} />
        ) : (
          <div className={classes.figures} aria-busy={answer.isPlaceholderData}>
            <Shares rows={answer.data} />
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

/** The table beside it says what each colour is, and how many. */
function Shares({ rows }: { rows: readonly CustomerCounts[] }) {
  const { t, i18n } = useTranslation('home')
  const total = totalOf(rows).total.toLocaleString(i18n.language)
  return (
    <div className={classes.doughnut}>
      <Suspense fallback={<Skeleton height={200} circle />}>
        <Doughnut parts={partsOf(rows, t('statistics.others'))} total={total} size={200} />
      </Suspense>
    </div>
  )
}

function PerCustomer({ rows, period }: { rows: readonly CustomerCounts[]; period: string }) {
  const { t, i18n } = useTranslation('home')
  const [{ by, desc }, setSort] = useState<{ by: SortKey; desc: boolean }>({ by: 'total', desc: true })
  const [size, setSize] = useRemembered<number>('customersPerPage', 25)
  const [wanted, setWanted] = useState(1)
  const ordered = sorted(rows, { by, desc, language: i18n.language })
  const page = pageWithin(wanted, { total: rows.length, size })
  const colors = colorsOf(rows)
  const all = totalOf(rows)
  const columns = [
    { by: 'customer', text: t('statistics.customer') },
    { by: 'total', text: t('statistics.total') },
    ...types.map(type => ({ by: type, text: t(`finished.${type}`) })),
  ] as const satisfies readonly { by: SortKey; text: string }[]
  const sort: Sort<SortKey> = {
    by,
    desc,
    choose: (next, turned) => {
      // The first press on a count brings the most to the top.
      setSort({ by: next, desc: next === by ? turned : next !== 'customer' })
      setWanted(1)
    },
  }
  const number = (count: number) => count.toLocaleString(i18n.language)
  const rest = (counts: Counts) => types.map(type => `${t(`finished.${type}`)} ${number(counts[type])}`).join(' · ')
  const cells = () => [
    columns.map(({ text }) => text),
    ...ordered.map(row => [row.companyname, row.total, ...types.map(type => row[type])]),
    [t('statistics.total'), all.total, ...types.map(type => all[type])],
  ]

  return (
    <div className={classes.perCustomer}>
      <SortChoice columns={columns} sort={sort} className={classes.choice} />
      <Table className={classes.table} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ by: column, text }) => (
              <SortHead
                key={column}
                by={column}
                text={text}
                sort={sort}
                className={column === 'customer' ? undefined : column === 'total' ? classes.count : classes.wide}
              />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {ordered.slice((page - 1) * size, page * size).map(row => (
            <Table.Tr key={row.seq_id} data-customer={row.seq_id}>
              <Table.Td>
                <span className={classes.swatch} style={{ backgroundColor: colors.get(row.seq_id) }} aria-hidden />
                {row.companyname}
                <span className={classes.underneath}>{rest(row)}</span>
              </Table.Td>
              <Table.Td className={classes.count}>{number(row.total)}</Table.Td>
              {types.map(type => (
                <Table.Td key={type} className={classes.wide}>
                  {number(row[type])}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">
              {t('statistics.total')}, {t('statistics.all', { count: rows.length })}
              <span className={classes.underneath}>{rest(all)}</span>
            </Table.Th>
            <Table.Td className={classes.count}>{number(all.total)}</Table.Td>
            {types.map(type => (
              <Table.Td key={type} className={classes.wide}>
                {number(all[type])}
              </Table.Td>
            ))}
          </Table.Tr>
        </Table.Tfoot>
      </Table>
      {rows.length > 25 && (
        <Paging
          label={t('statistics.perPage')}
          total={rows.length}
          page={page}
          size={size}
          onPage={setWanted}
          onSize={next => {
            setSize(next)
            setWanted(1)
          }}
        />
      )}
      <Group gap="xs" justify="flex-end" mt="sm">
        <Button
          variant="default"
          leftSection={<IconCopy size={18} aria-hidden />}
          onClick={() => void copyText(tabLines(cells()))}
        >
          {t('statistics.copy')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden />}
          onClick={() => {
            const name = `${t('statistics.file')}-${period}.csv`
            saveFile(csvFile(cells()), { name, type: 'text/csv;charset=utf-8' })
            notify.success(t('statistics.exported'))
          }}
        >
          {t('statistics.export')}
        </Button>
      </Group>
    </div>
  )
}
