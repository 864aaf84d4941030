/** The weeks of the board; each opens to its days. */
import { Badge, Text } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import type { Board, BoardDay } from '#contract/board.ts'
import { isDayFull } from '#domain/operations/delivery.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { formatDate } from '../shared/format.ts'
import { useTransportName } from '../operations/transportName.ts'
import { dayName } from '../shared/weekdays.ts'
import type { Columns } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { Expander } from '../ui/dataTable/expander.tsx'
import { useClosedDayName } from './names.ts'
import classes from './board.module.css'

type Week = { readonly monday: string; readonly days: readonly BoardDay[] }
type Side = 'in' | 'out'

const sum = ({ days }: Week, wheelsOf: (day: BoardDay) => number) => days.reduce((all, day) => all + wheelsOf(day), 0)

export function Weeks({ board }: { board: Board }) {
  const { t, i18n } = useTranslation('board')
  const number = (count: number) => formatNumber(count, i18n.language)
  const weeks = Array.from({ length: board.days.length / 7 }, (_, nth): Week => {
    const days = board.days.slice(nth * 7, nth * 7 + 7)
    return { monday: days[0]?.day ?? '', days }
  })
  const nameOf = ({ monday }: Week) => t('week', { date: formatDate(monday) })
  const flowColumn = (side: Side) => ({
    id: side,
    header: t(`column.${side}`),
    align: 'end' as const,
    area: side,
    labelled: true,
    render: (week: Week) => (
      <Flow
        requested={sum(week, ({ done, asked: requested }) => done[side] + requested[side])}
        forecast={board.forecast && sum(week, ({ forecast }) => forecast?.[side] ?? 0)}
      />
    ),
  })
  return (
    <DataTable
      label={t('weeks')}
      columns={[
        {
          id: 'week',
          header: t('column.week'),
          area: 'week',
          rowHeader: true,
          render: (week, state) => (
            <span className={classes.week}>
              <Expander label={nameOf(week)} state={state} points="right" size={28} />
              {nameOf(week)}
              {week.days.some(({ day }) => day === board.today) && <Badge size="sm">{t('thisWeek')}</Badge>}
            </span>
          ),
        },
        flowColumn('in'),
        flowColumn('out'),
        {
          id: 'stored',
          header: t('column.stored'),
          align: 'end',
          area: 'stored',
          labelled: true,
          render: week => number(week.days.at(-1)?.stored ?? 0),
        },
      ]}
      rows={weeks}
      keyOf={week => week.monday}
      details={{ render: week => <Days week={week} board={board} /> }}
      phone={{ areas: ['week week week', 'in out stored'], columns: 'minmax(0, 1fr) minmax(0, 1fr) auto' }}
    />
  )
}

/** Requested or done wheels, and below them the forecast. */
function Flow({ requested, forecast }: { requested: number; forecast: number | null }) {
  const { t, i18n } = useTranslation('board')
  const number = (count: number) => formatNumber(count, i18n.language)
  return (
    <>
      <span className={classes.number}>{number(requested)}</span>
      {forecast !== null && (
        <Text size="xs" c="dimmed">
          {t('column.forecast', { wheels: number(forecast) })}
        </Text>
      )}
    </>
  )
}

function Days({ week, board }: { week: Week; board: Board }) {
  const { t, i18n } = useTranslation('board')
  const closedName = useClosedDayName()
  const flowColumn = (side: Side) => ({
    id: side,
    header: t(`column.${side}`),
    align: 'end' as const,
    area: side,
    labelled: true,
    render: ({ done, asked: wanted, forecast }: BoardDay) => (
      <Flow requested={done[side] + wanted[side]} forecast={forecast?.[side] ?? null} />
    ),
  })
  const columns: Columns<BoardDay> = [
    {
      id: 'day',
      header: t('column.day'),
      rowHeader: true,
      area: 'day',
      render: boardDay => (
        <>
          {dayName(boardDay.day, i18n.language, 'short')}{' '}
          {boardDay.closed && (
            <Badge size="sm" color="orange">
              {closedName(boardDay.closed)}
            </Badge>
          )}
        </>
      ),
    },
    flowColumn('in'),
    flowColumn('out'),
    {
      id: 'stored',
      header: t('column.stored'),
      align: 'end',
      area: 'stored',
      labelled: true,
      render: ({ stored }) => formatNumber(stored, i18n.language),
    },
    {
      id: 'transport',
      header: t('column.transport'),
      area: 'transport',
      render: ({ transports }) => <Loads loads={transports} limits={board.transports} />,
    },
  ]
  return (
    <DataTable
      label={t('week', { date: formatDate(week.monday) })}
      columns={columns}
      rows={[...week.days]}
      keyOf={boardDay => boardDay.day}
      phone={{
        areas: ['day day day', 'in out stored', 'transport transport transport'],
        columns: 'minmax(0, 1fr) minmax(0, 1fr) auto',
      }}
      spacing="0.25rem"
    />
  )
}

type LoadsProps = { loads: BoardDay['transports']; limits: Board['transports'] }

function Loads({ loads, limits }: LoadsProps) {
  const { t } = useTranslation('board')
  const transportName = useTransportName()
  const ways = loads.flatMap(({ transport, operation_count, tyre_count, arrivals, arriving_tyres }) => [
    { transport, way: 'out' as const, operations: operation_count, tyres: tyre_count },
    { transport, way: 'in' as const, operations: arrivals, tyres: arriving_tyres },
  ])
  return (
    <ul className={classes.loads}>
      {ways.map(({ transport, way, operations, tyres }) => {
        if (operations === 0) return null
        const limit = limits.find(({ _id }) => _id === transport)
        const name = transportName(transport)
        const most = { operationsPerDay: limit?.operations_per_day ?? 0, tyresPerDay: limit?.tyres_per_day ?? 0 }
        // the limit that is nearer: a day may be full of operations that have few tyres
        const byTyres =
          most.tyresPerDay > 0 &&
          (most.operationsPerDay === 0 || tyres / most.tyresPerDay >= operations / most.operationsPerDay)
        const text = byTyres
          ? t(way === 'in' ? 'arrivingOf' : 'loadOf', { name, tyres, most: most.tyresPerDay })
          : most.operationsPerDay > 0
            ? t(way === 'in' ? 'arrivingOfStorages' : 'loadOfRecalls', {
                name,
                operations,
                most: most.operationsPerDay,
              })
            : t(way === 'in' ? 'arriving' : 'load', { name, tyres, operations })
        return (
          <li key={`${transport} ${way}`}>
            {text}{' '}
            {isDayFull({ operations, tyres }, most) && (
              <Badge size="sm" color="red">
                {t('full')}
              </Badge>
            )}
          </li>
        )
      })}
    </ul>
  )
}
