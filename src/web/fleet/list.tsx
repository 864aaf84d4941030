/** The fleet list (docs/product.md "Fleet list"). */
import { Button, Group, Pagination, Text } from '@mantine/core'
import { IconCar, IconDots, IconFilter, IconPlus, IconSnowflake } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fleet as calls, vehiclesPerPage } from '#contract/fleet.ts'
import { isHotel } from '#domain/site.ts'
import type { Vehicle } from '#contract/wire.ts'
import { fleetSearch } from '../addresses.ts'
import { ask, useAnswer } from '../shared/api.ts'
import { OnlyCustomer } from '../shared/customer/onlyCustomer.tsx'
import { useFleet, useSeesSite, useSite } from '../shared/session.ts'
import { FilterField } from '../ui/filterField.tsx'
import { FormDialog } from '../ui/form/formDialog.tsx'
import { Empty, Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { NewVehicle } from '../shared/vehicle/newVehicle.tsx'
import { rowOf } from '../shared/vehicle/vehicleRows.ts'
import { type ListView, VehicleRows, VehicleTable, VehicleFiles } from '../shared/vehicle/vehicleTable.tsx'
import { anyVehicle, type VehicleWish } from '#domain/vehicleFilter.ts'
import { ViewMenu } from '../shared/views/viewMenu.tsx'
import { Tucked } from '../ui/tucked.tsx'
import { Filters } from './filters.tsx'
import classes from './fleet.module.css'

export function FleetList() {
  const { t } = useTranslation(['fleet', 'common'])
  const seesSite = useSeesSite()
  const { mode, allowProfileDepth } = useSite()
  const [adding, setAdding] = useState(false)
  const navigate = useNavigate()
  const search = useSearch({ from: '/fleet' })
  const wish: VehicleWish = {
    sets: search.sets ?? null,
    group: search.group ?? null,
    season: search.season ?? null,
    // a depth that is not shown is not searched by either
    depth: (allowProfileDepth && search.depth) || null,
    verdict: (allowProfileDepth && search.verdict) || null,
  }
  const view: ListView = {
    filter: search.filter ?? '',
    by: search.by ?? 'plate',
    desc: search.desc ?? false,
    page: search.page ?? 1,
  }

  const { page: _page, ...kept } = search

  // In the address, so that the way back from a vehicle leads to the same rows.
  function change(next: Partial<ListView & VehicleWish>) {
    const { filter, by, desc, page, sets, group, season, depth, verdict } = { ...view, ...wish, ...next }
    void navigate({
      to: '/fleet',
      search: {
        ...(filter !== '' && { filter }),
        ...(sets !== null && { sets }),
        ...(group !== null && { group }),
        ...(season !== null && { season }),
        ...(depth !== null && { depth }),
        ...(verdict !== null && { verdict }),
        ...(by !== 'plate' && { by }),
        ...(desc && { desc }),
        ...(page > 1 && { page }),
      },
      replace: true,
      resetScroll: next.page !== undefined,
    })
  }
  return (
    <Screen
      title={t('title')}
      actions={
        <>
          <ViewMenu
            list="vehicles"
            filter={kept}
            open={saved => void navigate({ to: '/fleet', search: fleetSearch(saved), resetScroll: false })}
          />
          <Tucked label={t('common:more')} icon={<IconDots size={18} aria-hidden />} closes>
            <Button variant="default" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
              {t('newVehicle')}
            </Button>
            {isHotel(mode) && !seesSite && (
              <Button
                component={Link}
                to="/season"
                variant="default"
                leftSection={<IconSnowflake size={18} aria-hidden />}
              >
                {t('seasonChange')}
              </Button>
            )}
          </Tucked>
          {isHotel(mode) && (
            <Button component={Link} to="/wizard/step1" leftSection={<IconPlus size={18} aria-hidden />}>
              {t('newOperation')}
            </Button>
          )}
        </>
      }
    >
      <div className={classes.search}>
        <FilterField
          label={t('filterLabel')}
          placeholder={t(seesSite ? 'filterSite' : mode === 'hotelonly' ? 'filterHotel' : 'filter')}
          short={t(seesSite ? 'filterSiteShort' : 'filterShort')}
          value={view.filter}
          settle={filter => change({ filter, page: 1 })}
          className={classes.filter}
        />
        {!seesSite && (
          <Tucked
            label={t('common:filters')}
            icon={<IconFilter size={18} aria-hidden />}
            count={Object.values(wish).filter(asked => asked !== null).length}
          >
            <Filters wish={wish} change={next => change({ ...next, page: 1 })} />
          </Tucked>
        )}
      </div>
      {seesSite ? (
        <SiteFleet filter={view.filter} add={() => setAdding(true)} />
      ) : (
        <OwnFleet
          view={view}
          wish={wish}
          change={change}
          clear={() => change({ filter: '', ...anyVehicle, page: 1 })}
          add={() => setAdding(true)}
        />
      )}
      <FormDialog
        opened={adding}
        onClose={() => setAdding(false)}
        title={t('newVehicle')}
        size="72rem"
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

const greyRows = 8

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

type OwnFleetProps = {
  view: ListView
  wish: VehicleWish
  change: (change: Partial<ListView>) => void
  clear: () => void
  add: () => void
}

function OwnFleet({ view, wish, change, clear, add }: OwnFleetProps) {
  const fleet = useFleet()
  if (fleet.data?.length === 0) return <NoVehicle add={add} />
  if (fleet.data) return <VehicleTable vehicles={fleet.data} view={view} wish={wish} change={change} clear={clear} />
  return fleet.isError ? <Failed error={fleet.error} retry={fleet.refetch} /> : <Placeholders rows={greyRows} />
}

/** The vehicles of all pages. */
async function allOfSite(filter: string): Promise<readonly Vehicle[]> {
  const search = filter.trim() !== '' && { search: filter }
  const vehicles: Vehicle[] = []
  let after: number | undefined
  do {
    // oxlint-disable-next-line no-await-in-loop -- a page begins after the last vehicle of the one before
    const page = await ask(calls.fetch, { ...search, ...(after !== undefined && { last_vehicle: after }) })
    vehicles.push(...page)
    after = page.length === vehiclesPerPage ? page.at(-1)?.flt_id : undefined
  } while (after !== undefined)
  return vehicles
}

/** All vehicles of the site, searched by the server (docs/product.md "Fleet list"). */
function SiteFleet({ filter, add }: { filter: string; add: () => void }) {
  const { t } = useTranslation(['fleet', 'common'])
  const { mode } = useSite()
  // The last vehicle of every page before the one that is shown; another filter begins at the first page.
  const [turned, setTurned] = useState<{ filter: string; before: readonly number[] }>({ filter, before: [] })
  const before = turned.filter === filter ? turned.before : []
  const after = before.at(-1)
  const page = useAnswer(
    calls.fetch,
    { ...(filter.trim() !== '' && { search: filter }), ...(after !== undefined && { last_vehicle: after }) },
    { keep: true },
  )
  if (!page.data) {
    return page.isError ? <Failed error={page.error} retry={page.refetch} /> : <Placeholders rows={greyRows} />
  }
  const last = page.data.at(-1)
  const more = page.data.length === vehiclesPerPage && last !== undefined
  const here = before.length + 1
  if (page.data.length === 0 && here === 1)
    return filter.trim() === '' ? <NoVehicle add={add} /> : <Empty text={t('fleet:empty')} />
  return (
    <>
      <Group justify="space-between" gap="xs" mb="xs">
        <Text size="sm" c="dimmed">
          {t('fleet:byPlate')}
        </Text>
        <VehicleFiles vehicles={() => allOfSite(filter)} />
      </Group>
      <VehicleRows rows={page.data.map(vehicle => rowOf(vehicle, mode))} />
      <Group justify="space-between" mt="sm">
        <Text size="sm" c="dimmed">
          {t('fleet:vehiclesPerPage')}: {vehiclesPerPage}
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
