/** The warning of stock whose status has not changed for six months. */
import { Button, Paper, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Vehicle } from '#contract/wire.ts'
import { longStoredSince } from '#domain/tyres/health.ts'
import { useSite, useWho } from '../shared/session.ts'
import { formatDate, formatDepth } from '../shared/format.ts'
import { useToday } from '../shared/hooks.ts'
import { VehiclePlate } from '../vehicles/vehiclePlate.tsx'
import { BelowCell, Dimmed } from '../ui/dataTable/secondaryText.tsx'
import type { Columns } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { TextLink } from '../ui/link.tsx'
import { stored } from '../ui/stored.ts'
import { bySet, unchangedSince, unchangedStock } from './counts.ts'
import classes from './home.module.css'

/** Rows shown at first; an old fleet has thousands. */
const firstRows = 5

/** Whether the reader has folded the table, which this device remembers; it stands open at first. */
function useFolded() {
  const { username } = useWho()
  const store = useMemo(() => stored(`${username}.unchangedFolded`), [username])
  const [folded, setFolded] = useState(() => store.read() === true)
  const fold = (next: boolean) => {
    store.write(next || undefined)
    setFolded(next)
  }
  return [folded, fold] as const
}

export function UnchangedStock({ fleet }: { fleet: readonly Vehicle[] }) {
  const { t, i18n } = useTranslation(['home', 'common'])
  const { allowProfileDepth } = useSite()
  const today = useToday()
  const [rows, setRows] = useState(firstRows)
  const [folded, fold] = useFolded()
  const tyres = unchangedStock(fleet, today)
  const sets = bySet(tyres)
  const rest = Math.min(sets.length - rows, 200)
  const long = tyres.filter(({ status_date: date }) => date <= longStoredSince(today)).length
  type Unchanged = (typeof sets)[number]
  const setOf = ([{ tyre_set: set }]: Unchanged) => set ?? t('common:tyre.setless')
  const positionsOf = (set: Unchanged) => set.map(({ position }) => position).join(' ')
  const depthOf = (set: Unchanged) => {
    const depths = set.flatMap(({ profile_depth: depth }) => depth ?? []).toSorted((a, b) => a - b)
    const ends = [...new Set([depths.at(0), depths.at(-1)])].flatMap(depth => depth ?? [])
    return ends.length === 0
      ? ''
      : t('common:mm', { depth: ends.map(depth => formatDepth(depth, i18n.language)).join('–') })
  }
  const columns: Columns<Unchanged> = [
    {
      id: 'vehicle',
      header: t('common:tyre.vehicle'),
      render: ([tyre]) => <VehiclePlate plate={tyre.license_plate} id={tyre.flt_id} size="sm" />,
      area: 'plate',
    },
    {
      id: 'position',
      header: t('common:tyre.position'),
      render: positionsOf,
      from: 'sm',
      // those of four tyres have a line
      width: '7.5rem',
    },
    {
      id: 'description',
      header: t('common:tyre.description'),
      render: set => (
        <>
          {[...new Set(set.map(({ description }) => description))].map(description => (
            <div key={description}>{description}</div>
          ))}
          <BelowCell>
            {[positionsOf(set), setOf(set), allowProfileDepth && depthOf(set)].filter(Boolean).join(' · ')}
          </BelowCell>
        </>
      ),
      area: 'tyre',
    },
    {
      id: 'set',
      header: t('common:tyre.set'),
      render: set => set[0].tyre_set ?? <Dimmed>{setOf(set)}</Dimmed>,
      from: 'sm',
    },
    allowProfileDepth && {
      id: 'depth',
      header: t('common:tyre.depth'),
      render: depthOf,
      align: 'end',
      from: 'sm',
      nowrap: true,
    },
    {
      id: 'since',
      header: t('home:since'),
      render: ([oldest]) => formatDate(oldest.status_date),
      nowrap: true,
      area: 'since',
      className: classes.since,
    },
  ]
  return (
    <Paper
      component="section"
      aria-labelledby="unchanged"
      className={classes.unchanged}
      data-warning={tyres.length > 0 || undefined}
      data-folded={(tyres.length > 0 && folded) || undefined}
    >
      <div className={classes.unchangedHead}>
        {tyres.length > 0 && <IconAlertTriangle size={24} stroke={1.8} aria-hidden />}
        <div className={classes.unchangedWords}>
          <Title order={2} id="unchanged">
            {t('home:unchangedHeading')}
          </Title>
          <Text size="sm">
            {tyres.length === 0
              ? t('home:unchangedNone')
              : t('home:unchangedText', { count: tyres.length, date: formatDate(unchangedSince(today)) })}
            {long > 0 && (
              <>
                {' '}
                <TextLink to="/tyres" search={{ tab: 'tyres', long: true }} c="inherit">
                  {t('home:unchangedLong', { count: long })}
                </TextLink>
              </>
            )}
          </Text>
        </div>
        {tyres.length > 0 && (
          <Button variant="default" size="xs" aria-expanded={!folded} onClick={() => fold(!folded)}>
            {t(folded ? 'home:unchangedShow' : 'home:unchangedHide')}
          </Button>
        )}
      </div>
      {tyres.length > 0 && !folded && (
        <DataTable
          columns={columns}
          rows={sets.slice(0, rows)}
          keyOf={([{ db_id }]) => db_id}
          phone={{ areas: ['plate since', 'tyre tyre'], columns: 'auto 1fr' }}
        />
      )}
      {rest > 0 && !folded && (
        <Button variant="subtle" mt="xs" onClick={() => setRows(rows + rest)}>
          {t('home:unchangedMore', { count: rest })}
        </Button>
      )}
    </Paper>
  )
}
