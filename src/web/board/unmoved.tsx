/** The customers whose tyres have not moved for two seasons. */
import { formatNumber } from '#domain/texts/number.ts'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { board as calls, type Unmoved } from '#contract/board.ts'
import { useAnswer } from '../shared/api.ts'
import { CsvBelow } from '../shared/csvButton.tsx'
import { formatDate } from '../shared/format.ts'
import { useRemembered, useToday } from '../shared/hooks.ts'
import { Empty, Failed, Placeholders } from '../shared/screen.tsx'
import type { Columns } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { paging } from '../ui/dataTable/paging.tsx'

export function UnmovedCustomers() {
  const { t, i18n } = useTranslation(['board', 'home'])
  const today = useToday()
  const { data, error, refetch } = useAnswer(calls.unmoved, {})
  const [size, setSize] = useRemembered<number>('unmovedPerPage', 25)
  const [page, setPage] = useState(1)
  const number = (count: number) => formatNumber(count, i18n.language)
  if (!data) return error ? <Failed error={error} retry={refetch} /> : <Placeholders rows={4} height={36} />
  if (data.length === 0) return <Empty text={t('noUnmoved')} />
  const columns: Columns<Unmoved> = [
    {
      id: 'customer',
      header: t('customer'),
      rowHeader: true,
      render: customer => (
        <>
          {customer.companyname}
          <BelowCell>{[customer.city, formatDate(customer.since)].filter(Boolean).join(' · ')}</BelowCell>
        </>
      ),
    },
    { id: 'city', header: t('city'), render: customer => customer.city, from: 'sm' },
    { id: 'sets', header: t('sets'), align: 'end', render: customer => number(customer.sets) },
    { id: 'wheels', header: t('wheels'), align: 'end', render: customer => number(customer.wheel_count) },
    { id: 'since', header: t('since'), align: 'end', render: customer => formatDate(customer.since), from: 'sm' },
  ]
  const cells = () => [
    [t('customer'), t('city'), t('sets'), t('wheels'), t('since')],
    ...data.map(customer => [
      customer.companyname,
      customer.city,
      customer.sets,
      customer.wheel_count,
      formatDate(customer.since),
    ]),
  ]
  return (
    <>
      <DataTable
        label={t('unmoved')}
        columns={columns}
        rows={data}
        keyOf={customer => customer.seq_id}
        phone={{ heads: 'shown' }}
        spacing="0.25rem"
        paging={
          data.length > 25
            ? paging({
                label: t('home:statistics.perPage'),
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
      />
      <CsvBelow file={`${t('fileUnmoved')}-${today}`} cells={cells} />
    </>
  )
}
