/** How full the places of each size class will be. */
import { formatNumber } from '#domain/texts/number.ts'
import { Badge } from '@mantine/core'
import { IconMapPin } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import type { Board, SizeClass } from '#contract/board.ts'
import { formatDate } from '../shared/format.ts'
import { Empty } from '../shared/screen.tsx'
import type { Columns } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { LinkButton } from '../ui/link.tsx'
import { useClassName } from './names.ts'

const short = (day: string | undefined) => formatDate(day).slice(0, 5)
const fullest = ({ weeks }: SizeClass) => weeks.indexOf(Math.max(...weeks))

export function SizeClasses({ board }: { board: Board }) {
  const { t, i18n } = useTranslation('board')
  const nameOf = useClassName()
  const number = (count: number) => formatNumber(count, i18n.language)
  const mondays = board.days.filter((_, nth) => nth % 7 === 0).map(({ day }) => day)
  /** How many wheels more than places. */
  const over = (wheels: number, { capacity }: SizeClass) =>
    wheels > capacity && (
      <>
        {' '}
        <Badge size="sm" color="red">
          {t('over', { count: wheels - capacity })}
        </Badge>
      </>
    )
  const columns: Columns<SizeClass> = [
    { id: 'class', header: t('class'), rowHeader: true, area: 'class', render: nameOf },
    {
      id: 'capacity',
      header: t('capacity'),
      align: 'end',
      area: 'capacity',
      labelled: true,
      render: sizeClass => number(sizeClass.capacity),
    },
    {
      id: 'now',
      header: t('now'),
      align: 'end',
      area: 'now',
      labelled: true,
      render: sizeClass => number(sizeClass.held),
    },
    {
      id: 'coming',
      header: t('coming'),
      align: 'end',
      area: 'coming',
      labelled: true,
      render: sizeClass => number(sizeClass.coming),
    },
    {
      id: 'fullest',
      header: t('fullest'),
      align: 'end',
      area: 'fullest',
      labelled: true,
      render: sizeClass => (
        <>
          {t('fullestOf', {
            wheels: number(sizeClass.weeks[fullest(sizeClass)] ?? 0),
            date: short(mondays[fullest(sizeClass)]),
          })}
          {over(sizeClass.weeks[fullest(sizeClass)] ?? 0, sizeClass)}
        </>
      ),
    },
    ...mondays.map((monday, nth) => ({
      id: monday,
      header: short(monday),
      align: 'end' as const,
      from: 'xl' as const,
      render: (sizeClass: SizeClass) => number(sizeClass.weeks[nth] ?? 0),
    })),
  ]
  if (board.classes.length === 0)
    return (
      <Empty text={t('noPlaces')} icon={IconMapPin}>
        <LinkButton to="/admin/locations" variant="default">
          {t('toLocations')}
        </LinkButton>
      </Empty>
    )
  return (
    <DataTable
      label={t('classes')}
      columns={columns}
      rows={board.classes}
      keyOf={sizeClass => [sizeClass.diameter, sizeClass.width, sizeClass.weight, sizeClass.takes].join(' ')}
      phone={{
        areas: ['class class', 'capacity now', 'coming coming', 'fullest fullest'],
        columns: 'minmax(0, 1fr) minmax(0, 1fr)',
      }}
    />
  )
}
