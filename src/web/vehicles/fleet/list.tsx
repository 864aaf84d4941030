/** The fleet list (docs/product/vehicles.md "Fleet list"). */
import { Button, Group, Pagination, Text } from '@mantine/core'
import { IconCar, IconPlus } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { fleet as calls, vehiclesPerPage } from '#contract/fleet.ts'
import { isHotel } from '#domain/site.ts'
import type { Vehicle } from '#contract/wire.ts'
import { labelled } from '../../i18n.ts'
import { fleetSearch } from '../../searchParams.ts'
import { ask, useAnswer } from '../../shared/api.ts'
import { OnlyCustomer } from '../../customers/onlyCustomer.tsx'
import { useFirstVehicles, useFleet, useSeesSite, useSite } from '../../shared/session.ts'
import { FilterField } from '../../ui/filterField.tsx'
import { useBeforeAddress, useLatest } from '../../ui/hooks.ts'
import { FormDialog } from '../../ui/form/formDialog.tsx'
import { Empty, Failed, Screen } from '../../shared/screen.tsx'
import { NewVehicle } from '../newVehicle.tsx'
import { rowOf } from '../vehicleRows.ts'
import { type ListView, useVehicleFiles, VehicleRows, VehicleTable } from '../vehicleTable.tsx'
import { anyVehicle, type VehicleWish } from '#domain/vehicles/vehicleFilter.ts'
import { ViewMenu } from '../../views/viewMenu.tsx'
import { ListLine, type ListLineProps } from '../../ui/listLine.tsx'
import { usePhone } from '../../ui/usePhone.ts'
import { Filters, useChips } from './filters.tsx'
import classes from './fleet.module.css'

export function FleetList() {
  const { t } = useTranslation(['fleet', 'common'])
  const { mode } = useSite()
  const [adding, setAdding] = useState(false)
  const navigate = useNavigate()
  const add = useCallback(() => setAdding(true), [])
  const phone = usePhone()
  return (
    <Screen
      title={t('title')}
      actions={
        <>
          {/* on a phone it is in the menu of the list */}
          {!phone && (
            <Button variant="default" leftSection={<IconPlus size={18} aria-hidden />} onClick={add}>
              {t('newVehicle')}
            </Button>
          )}
          {isHotel(mode) && (
            <Button component={Link} to="/wizard/step1" leftSection={<IconPlus size={18} aria-hidden />}>
              {t('newOperation')}
            </Button>
          )}
        </>
      }
    >
      <Vehicles add={add} />
      <FormDialog
        opened={adding}
        onClose={() => setAdding(false)}
        title={t('newVehicle')}
        size="72rem"
        long
        lost={t('newVehicleLost')}
      >
        {dialog => (
          <NewVehicle
            plate=""
            submit={t('addVehicle')}
            onAdded={({ flt_id: id }) => void navigate({ to: '/fleet/vehicle', search: { id }, state: { id } })}
            dialog={dialog}
          >
            <Button variant="default" onClick={dialog.cancel}>
              {t('cancel')}
            </Button>
          </NewVehicle>
        )}
      </FormDialog>
    </Screen>
  )
}

function Views() {
  const { t } = useTranslation('fleet')
  const { page: _page, ...kept } = useSearch({ from: '/fleet' })
  const navigate = useNavigate()
  return (
    <ViewMenu
      list="vehicles"
      ours={useSeesSite() ? [] : [{ name: t('setWish.noWinter'), filter: { sets: 'noWinter' } }]}
      filter={kept}
      open={saved => void navigate({ to: '/fleet', search: fleetSearch(saved), resetScroll: false })}
    />
  )
}

type Chosen = ListView & VehicleWish

const searchOf = ({ filter, by, desc, page, sets, group, season, depth, verdict }: Chosen) => ({
  ...(filter !== '' && { filter }),
  ...(sets !== null && { sets }),
  ...(group !== null && { group }),
  ...(season !== null && { season }),
  ...(depth !== null && { depth }),
  ...(verdict !== null && { verdict }),
  ...(by !== 'plate' && { by }),
  ...(desc && { desc }),
  ...(page > 1 && { page }),
})

/** The state of the list, and its setter: kept in the address, so that the way back from a vehicle leads to the same rows. */
function useChosen() {
  const { filter = '', by = 'plate', desc = false, page = 1, ...search } = useSearch({ from: '/fleet' })
  const { sets = null, group = null, season = null } = search
  const { allowProfileDepth } = useSite()
  // a depth that is not shown is not searched by either
  const depth = (allowProfileDepth && search.depth) || null
  const verdict = (allowProfileDepth && search.verdict) || null
  const navigate = useNavigate()
  // the whole fleet is looked through again for another wish, not for another filter
  const wish = useMemo(
    (): VehicleWish => ({ sets, group, season, depth, verdict }),
    [sets, group, season, depth, verdict],
  )
  const inAddress: Chosen = { filter, by, desc, page, ...wish }
  const latest = useLatest(inAddress)
  const change = useCallback(
    (next: Partial<Chosen>) =>
      void navigate({
        to: '/fleet',
        search: searchOf({ ...latest.current, ...next }),
        replace: true,
        resetScroll: next.page !== undefined,
      }),
    [navigate, latest],
  )
  return { inAddress, wish, change }
}

type VehiclesProps = {
  add: () => void
}

/** A list's part of the line above it. */
type Listed = Pick<ListLineProps, 'status' | 'actions' | 'more'>

/** The list, and the line above it. */
function Vehicles({ add }: VehiclesProps) {
  const { t } = useTranslation('fleet')
  const seesSite = useSeesSite()
  const { mode } = useSite()
  const { inAddress, wish, change } = useChosen()
  const [filter, settle] = useBeforeAddress(inAddress.filter, next => change({ filter: next, page: 1 }))
  const { by, desc } = inAddress
  const page = filter === inAddress.filter ? inAddress.page : 1
  const view = useMemo((): ListView => ({ filter, by, desc, page }), [filter, by, desc, page])
  const clear = useCallback(() => change({ filter: '', ...anyVehicle, page: 1 }), [change])
  const changeWish = (next: Partial<VehicleWish>) => change({ ...next, page: 1 })
  const chips = useChips(wish, changeWish)
  const phone = usePhone()
  const renderLine = (listed: Listed) => (
    <ListLine
      search={
        <FilterField
          label={t('filterLabel')}
          placeholder={t(seesSite ? 'filterSite' : mode === 'hotelonly' ? 'filterHotel' : 'filter')}
          short={t(seesSite ? 'filterSiteShort' : 'filterShort')}
          value={filter}
          settle={settle}
          className={classes.filter}
        />
      }
      filters={!seesSite && <Filters wish={wish} change={changeWish} />}
      chips={seesSite ? [] : chips}
      clear={() => changeWish(anyVehicle)}
      views={<Views />}
      {...listed}
      more={[...(phone ? [{ label: t('newVehicle'), icon: IconPlus, run: add }] : []), ...(listed.more ?? [])]}
    />
  )
  return seesSite ? (
    <SiteFleet filter={filter} add={add} renderLine={renderLine} />
  ) : (
    <OwnFleet view={view} wish={wish} change={change} clear={clear} add={add} renderLine={renderLine} />
  )
}

/** A fleet without a vehicle, and the way to its first. */
function NoVehicle({ add }: { add: () => void }) {
  const { t } = useTranslation('fleet')
  return (
    <Empty text={t('empty')} icon={IconCar}>
      <OnlyCustomer />
      <Button variant="default" leftSection={<IconPlus size={18} aria-hidden />} onClick={add}>
        {t('newVehicle')}
      </Button>
    </Empty>
  )
}

type OwnFleetProps = VehiclesProps & {
  view: ListView
  wish: VehicleWish
  change: (change: Partial<ListView>) => void
  clear: () => void
  renderLine: (listed: Listed) => ReactNode
}

function OwnFleet({ view, wish, change, clear, add, renderLine }: OwnFleetProps) {
  const fleet = useFleet()
  const first = useFirstVehicles()
  // the initial view: the first page of all vehicles, by plate
  const isStart = Object.keys(searchOf({ ...view, ...wish })).length === 0
  if (!fleet.data && fleet.isError) return <Failed error={fleet.error} retry={fleet.refetch} />
  const vehicles = fleet.data ?? (isStart ? first : undefined)
  if (vehicles?.length === 0) return <NoVehicle add={add} />
  const isWhole = fleet.data !== undefined
  return (
    <VehicleTable
      vehicles={vehicles}
      isWhole={isWhole}
      view={view}
      wish={wish}
      change={change}
      clear={clear}
      renderLine={renderLine}
    />
  )
}

/** The vehicles of all pages. */
async function allOfSite(filter: string): Promise<readonly Vehicle[]> {
  const search = filter.trim() !== '' && { search: filter }
  const vehicles: Vehicle[] = []
  let after: number | undefined
  do {
    const page = await ask(calls.fetch, { ...search, ...(after !== undefined && { last_vehicle: after }) })
    vehicles.push(...page)
    after = page.length === vehiclesPerPage ? page.at(-1)?.flt_id : undefined
  } while (after !== undefined)
  return vehicles
}

/** All vehicles of the site, searched by the server (docs/product/vehicles.md "Fleet list"). */
function SiteFleet({
  filter,
  add,
  renderLine,
}: VehiclesProps & { filter: string; renderLine: (listed: Listed) => ReactNode }) {
  const { t } = useTranslation(['fleet', 'common'])
  const { mode } = useSite()
  // The last vehicle of every page before the one that is shown; another filter begins at the first page.
  const [turned, setTurned] = useState<{ filter: string; before: readonly number[] }>({ filter, before: [] })
  const before = turned.filter === filter ? turned.before : []
  const after = before.at(-1)
  const all = useCallback(() => allOfSite(filter), [filter])
  const saved = useVehicleFiles(all)
  const page = useAnswer(
    calls.fetch,
    { ...(filter.trim() !== '' && { search: filter }), ...(after !== undefined && { last_vehicle: after }) },
    { keep: true },
  )
  if (!page.data && page.isError) return <Failed error={page.error} retry={page.refetch} />
  const last = page.data?.at(-1)
  const more = page.data?.length === vehiclesPerPage && last !== undefined
  const here = before.length + 1
  if (page.data?.length === 0 && here === 1 && filter.trim() === '') return <NoVehicle add={add} />
  return (
    <>
      {renderLine({ ...saved, status: t('fleet:byPlate') })}
      <VehicleRows rows={page.data?.map(vehicle => rowOf(vehicle, mode))} />
      <Group justify="space-between" mt="sm">
        <Text size="sm" c="dimmed">
          {labelled(t('fleet:vehiclesPerPage'), vehiclesPerPage)}
        </Text>
        {(more || here > 1) && (
          <Pagination.Root
            size="sm"
            total={here + Number(more)}
            value={here}
            disabled={page.isPlaceholderData}
            onChange={next =>
              setTurned({ filter, before: next > here && last ? [...before, last.flt_id] : before.slice(0, next - 1) })
            }
            getItemProps={number => ({ 'aria-label': t('common:page.number', { number }) })}
          >
            <Group gap={5} justify="center">
              <Pagination.Previous aria-label={t('common:page.previous')} />
              <Pagination.Items />
              <Pagination.Next aria-label={t('common:page.next')} />
            </Group>
          </Pagination.Root>
        )}
      </Group>
    </>
  )
}
