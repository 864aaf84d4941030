/** The warehouse: where tyres lie and where there is room. */
import { Button, Group, Text } from '@mantine/core'
import { IconArrowLeft, IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { cards } from '#contract/cards.ts'
import { type Location as StockLocation, locations as calls } from '#contract/locations.ts'
import { fillOf } from '#domain/warehouse/location.ts'
import { locationName } from '../shared/format.ts'
import { ask, Refused, useAnswer } from '../shared/api.ts'
import { NearestRoom } from '../handling/nearestRoom.tsx'
import { PdfButton } from '../shared/pdf.tsx'
import { FilterField } from '../ui/filterField.tsx'
import { FormDialog } from '../ui/form/formDialog.tsx'
import { AsOf } from '../shared/offline/asOf.tsx'
import { Empty, Screen, Unanswered } from '../shared/screen.tsx'
import { useIsWarehouseOnly } from '../shared/session.ts'
import { Unbroken } from '../ui/unbroken.tsx'
import { isSamePlace, LocationDetail, type Moving } from './locationDetail.tsx'
import { MakeLocations } from './locationMake.tsx'
import { Fill, LocationRows } from './locationRows.tsx'
import classes from './locations.module.css'
import { above, findRacks, rowsOf, totalsAt, type Tree, treeOf } from './locationTree.ts'
import { useMove } from './move.ts'

/** How many locations a search lists. */
const matchLimit = 100

/** The lines of the tree: what a search has found, else what is open. `matches`: all that it has found. */
function useTreeRows(data: readonly StockLocation[] | undefined, tree: Tree, { id, filter }: TreeSearch) {
  const [toggled, setToggled] = useState<ReadonlyMap<number, boolean>>(new Map())
  // The tree is open down to its zones, and down to the chosen location, unless somebody closes it.
  const open = useMemo(() => {
    const tops = (data ?? []).filter(({ kind, parent }) => kind === 'site' || parent === null).map(({ _id }) => _id)
    const wanted = new Set([...tops, ...(id === undefined ? [] : above(tree, id))])
    for (const [at, isOpen] of toggled) {
      if (isOpen) wanted.add(at)
      else wanted.delete(at)
    }
    return wanted
  }, [data, tree, id, toggled])
  const searching = filter.trim() !== ''
  const matches = useMemo(() => findRacks(tree, filter), [tree, filter])
  const rows = useMemo(
    () =>
      searching
        ? matches.slice(0, matchLimit).map(location => ({ location, level: 1, open: null }))
        : rowsOf(tree, open),
    [tree, open, searching, matches],
  )
  return {
    rows,
    matches,
    searching,
    toggle: (at: number, isOpen: boolean) => setToggled(new Map(toggled).set(at, isOpen)),
  }
}

type TreeSearch = { id: number | undefined; filter: string }
type TreeViewProps = {
  data: readonly StockLocation[]
  tree: Tree
  search: TreeSearch
  choose: (id: number | undefined) => void
  settle: (filter: string) => void
}

/** The tree of locations, and a search by rack. */
function TreeView({ data, tree, search, choose, settle }: TreeViewProps) {
  const { t } = useTranslation('locations')
  const { rows, matches, searching, toggle } = useTreeRows(data, tree, search)
  return (
    <section className={classes.tree} aria-label={t('tree')}>
      <FilterField label={t('search')} placeholder={t('searchExample')} value={search.filter} settle={settle} />
      <Total tree={tree} hits={searching ? matches.length : undefined} />
      {rows.length === 0 ? (
        <Empty text={t('noneFound')} />
      ) : (
        <LocationRows
          key={search.filter}
          rows={rows}
          tree={tree}
          chosen={search.id}
          searching={searching}
          choose={choose}
          toggle={toggle}
        />
      )}
      {searching && matches.length > matchLimit && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('typeMore')}
        </Text>
      )}
    </section>
  )
}

type MovingBarProps = {
  moving: Moving
  setMoving: (change: (now: Moving) => Moving) => void
  chosen: StockLocation | undefined
  chooseAnother: () => void
}

/** The tyres on their way, and the buttons that put them down or leave them where they are. */
function MovingBar({ moving, setMoving, chosen, chooseAnother }: MovingBarProps) {
  const { t } = useTranslation('locations')
  const { move, put, full, split } = useMoving(moving, setMoving)
  const lieThere = chosen !== undefined && [...moving.values()].every(from => isSamePlace(from, chosen))
  if (moving.size === 0) return null
  return (
    <div className={classes.moving} role="status">
      <Text size="sm">{t('moving', { count: moving.size })}</Text>
      <Group gap="xs">
        {chosen && lieThere && (
          <Button size="compact-md" className={classes.elsewhere} onClick={chooseAnother}>
            {t('moveWhere')}
          </Button>
        )}
        {chosen && !lieThere && (
          <Button size="compact-md" loading={move.isPending} onClick={() => void put(chosen._id)}>
            <Unbroken part={locationName(chosen)}>{t('moveHere', { place: locationName(chosen) })}</Unbroken>
          </Button>
        )}
        <Button size="compact-md" variant="default" onClick={() => setMoving(() => new Map())}>
          {t('moveNot')}
        </Button>
      </Group>
      {full && (
        <NearestRoom
          location={full.location}
          free={full.free}
          needed={full.needed}
          split={() => void split(full)}
          className={classes.full}
        />
      )}
    </div>
  )
}

/** The tree of stock locations, and the one at the address with what lies on it. */
export function Locations() {
  const { t } = useTranslation(['locations', 'cards'])
  const { id, filter = '' } = useSearch({ from: '/admin/locations' })
  const navigate = useNavigate({ from: '/admin/locations' })
  const { data, error, refetch, dataUpdatedAt } = useAnswer(calls.all, {})
  const tree = useMemo(() => treeOf(data ?? []), [data])
  const [adding, setAdding] = useState<number | null | undefined>(undefined)
  const [moving, setMoving] = useState<Moving>(new Map())
  const ofWarehouse = useIsWarehouseOnly()
  const chosen = id === undefined ? undefined : tree.byId.get(id)
  const show = (search: { id?: number | undefined; filter: string }, replace: boolean) =>
    void navigate({
      search: {
        ...(search.filter !== '' && { filter: search.filter }),
        ...(search.id !== undefined && { id: search.id }),
      },
      replace,
      resetScroll: false,
    })
  const choose = (next: number | undefined, replace = false) => show({ id: next, filter }, replace)

  return (
    <Screen
      title={t('title')}
      actions={
        <>
          <PdfButton name="commands" pdf={() => ask(cards.commands, {})}>
            {t('cards:commandSheet')}
          </PdfButton>
          {!ofWarehouse && (
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding(null)}>
              {t('newSite')}
            </Button>
          )}
        </>
      }
    >
      <AsOf at={dataUpdatedAt} />
      {!data && <Unanswered error={error} retry={refetch} rows={10} />}
      {data?.length === 0 && (
        <Empty text={t('empty')}>
          {!ofWarehouse && (
            <Button variant="default" onClick={() => setAdding(null)}>
              {t('newSite')}
            </Button>
          )}
        </Empty>
      )}
      {data && data.length > 0 && (
        <div className={classes.work} data-face={chosen ? 'detail' : 'tree'}>
          <TreeView
            data={data}
            tree={tree}
            search={{ id, filter }}
            choose={choose}
            settle={wanted => show({ id, filter: wanted }, true)}
          />
          <section className={classes.detail} aria-label={t('detail')}>
            {chosen && (
              <Button
                className={classes.back}
                variant="subtle"
                leftSection={<IconArrowLeft size={18} aria-hidden />}
                onClick={() => choose(undefined)}
              >
                {t('back')}
              </Button>
            )}
            <MovingBar moving={moving} setMoving={setMoving} chosen={chosen} chooseAnother={() => choose(undefined)} />
            {chosen ? (
              <LocationDetail
                key={chosen._id}
                location={chosen}
                tree={tree}
                moving={moving}
                setMoving={setMoving}
                add={() => setAdding(chosen._id)}
                left={() => choose(chosen.parent ?? undefined, true)}
              />
            ) : (
              <Text c="dimmed" size="sm" className={classes.hint}>
                {t('pick')}
              </Text>
            )}
          </section>
        </div>
      )}
      <FormDialog
        opened={adding !== undefined}
        onClose={() => setAdding(undefined)}
        title={t('make')}
        size="44rem"
        long
        lost={t('unsaved')}
      >
        {dialog =>
          adding !== undefined && (
            <MakeLocations
              dialog={dialog}
              parent={adding === null ? null : (tree.byId.get(adding) ?? null)}
              tree={tree}
            />
          )
        }
      </FormDialog>
    </Screen>
  )
}

type TotalProps = {
  tree: Tree
  /** How many locations a search has found. */
  hits: number | undefined
}

/** How full all warehouses are together; of a single one its own line says so. */
function Total({ tree, hits }: TotalProps) {
  const { t } = useTranslation('locations')
  const tops = tree.below.get(null) ?? []
  const all = { capacity: 0, tyre_count: 0, coming: 0, places: 0 }
  for (const top of tops) {
    const { capacity, tyre_count, coming, places } = totalsAt(tree, top._id)
    all.capacity += capacity
    all.tyre_count += tyre_count
    all.coming += coming
    all.places += places
  }
  const repeated = hits === undefined && tops.length === 1
  return (
    <Group justify="space-between" gap="xs" my="xs" mih={repeated ? 0 : 28}>
      <Text size="sm" c="dimmed" role="status">
        {hits !== undefined ? t('found', { count: hits }) : !repeated && t('places', { count: all.places })}
      </Text>
      {!repeated && hits === undefined && <Fill {...all} fill={fillOf(all)} />}
    </Group>
  )
}

type FullPlace = { location: number; free: number; needed: number }

/** Tyres on their way to another place: ticked, then put down by a button. A scanned tyre has its card, which puts it down, too. */
function useMoving(moving: Moving, setMoving: (change: (now: Moving) => Moving) => void) {
  const { t } = useTranslation('locations')
  const [refused, setRefused] = useState<FullPlace | null>(null)
  // of the tyres that are on their way now
  const full = refused?.needed === moving.size ? refused : null
  const move = useMove({
    doing: 'locations:movingNow',
    done: ({ moved, planned, stock_rack }) => t('moved', { count: moved.length + planned.length, place: stock_rack }),
  })
  const put = async (location: number) => {
    if (moving.size === 0 || move.isPending) return
    await putDown([...moving.keys()], location)
  }
  async function putDown(tyres: readonly number[], location: number) {
    try {
      await move.mutateAsync({ tyres: [...tyres], location })
      setRefused(null)
      // others may have been taken up meanwhile
      setMoving(now => new Map([...now].filter(([tyre]) => !tyres.includes(tyre))))
    } catch (error) {
      // Shown in a toast; the tyres are still on their way.
      if (error instanceof Refused && error.code === 'location.full')
        setRefused({ location, free: Number(error.params.free), needed: Number(error.params.needed) })
    }
  }
  const split = ({ location, free }: FullPlace) => putDown([...moving.keys()].slice(0, free), location)
  return { move, put, full, split }
}
