/** Fleet management: a customer's vehicles, and several of them open beside each other. */
import { Button, Group, Tabs, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconBuildingCommunity, IconX } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from '../../ui/texts.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { isMissing } from '../../shared/api.ts'
import { MissingVehicle } from '../missingVehicle.tsx'
import type { ActedFor } from '../../shared/acting.ts'
import { useActing, useFleet, useWho } from '../../shared/session.ts'
import { Choice } from '../../ui/select.tsx'
import { confirmFirst } from '../../ui/confirm.tsx'
import { CustomerSearch } from '../../customers/customerSearch.tsx'
import { useSwitchCustomer } from '../../customers/switch.ts'
import { useLatest } from '../../ui/hooks.ts'
import { LinkButton } from '../../ui/link.tsx'
import { Failed, Placeholders, Screen } from '../../shared/screen.tsx'
import { stored } from '../../ui/stored.ts'
import { useUnsavedGuard } from '../../shared/unsaved.ts'
import type { VehicleEdits } from '../form.ts'
import { OpensInTab } from '../opens.ts'
import type { VehicleTab } from '../tabs.ts'
import { useVehicle } from '../useVehicle.ts'
import { VehicleView } from '../vehicleView.tsx'
import { CustomerFleet } from './customer.tsx'
import { notify } from '../../ui/notify.ts'
import classes from './management.module.css'
import { maxVehicles, nextTab, tabToClose, type OpenVehicle, readTabs, withOpen } from './tabs.ts'
import { TabList } from '../../ui/tabList.tsx'

export function FleetManagement() {
  const { t } = useTranslation('fleetmanagement')
  const acting = useActing()
  const exchange = useSwitchCustomer()
  return (
    <Screen title={t('title')}>
      {acting ? (
        <Vehicles key={acting.seq_id} customer={acting} />
      ) : (
        <div className={classes.pick}>
          <Text c="dimmed" mb="md">
            {t('pick')}
          </Text>
          <CustomerSearch choose={customer => void exchange(customer)} />
        </div>
      )}
    </Screen>
  )
}

/** The customer's own tab among those of the vehicles. */
const ofCustomer = 'customer'

/**
 * The tabs of a customer. The selected one is in the address, the open ones are stored for this browser tab, and
 * unsaved vehicle data is kept here when another tab is selected.
 */
function Vehicles({ customer }: { customer: ActedFor }) {
  const { t } = useTranslation('fleetmanagement')
  const { username } = useWho()
  const { vehicle: requested } = useSearch({ from: '/admin/fleetmanagement' })
  const navigate = useNavigate()
  const { data: fleet } = useFleet()
  const store = useMemo(() => stored(`${username}.vehicleTabs.${customer.seq_id}`, 'tab'), [username, customer.seq_id])
  const [tabs, setTabs] = useState(() => readTabs(store.read()))
  const [edits, setEdits] = useState<Readonly<Record<number, VehicleEdits | null>>>({})
  // An address that was bookmarked, or opened in a tab of the browser, opens its vehicle while there is room: once, or the tab
  // that is closed would come back as long as the address still names it.
  const [heard, setHeard] = useState<number>()
  if (requested !== heard) {
    setHeard(requested)
    if (requested !== undefined && !tabToClose(tabs, requested)) setTabs(withOpen(tabs, { id: requested, plate: '' }))
  }
  useEffect(() => store.write(tabs), [store, tabs])
  const active = tabs.some(({ id }) => id === requested) ? requested : undefined

  const plateIn = (id: number) => fleet?.find(vehicle => vehicle.flt_id === id)?.license_plate
  const plateOf = ({ id, plate }: OpenVehicle) => formatPlate(plateIn(id) ?? plate) || '…'
  const unsaved = tabs.filter(({ id }) => edits[id])
  useUnsavedGuard(unsaved.length > 0, t('unsaved', { count: unsaved.length, plates: unsaved.map(plateOf).join(', ') }))
  const latest = useLatest({ tabs, edits, active })

  const show = (id: number | null | undefined, { replace = false } = {}) =>
    navigate({
      to: '/admin/fleetmanagement',
      search: id == null ? {} : { vehicle: id },
      replace,
      resetScroll: false,
    })

  function drop(id: number) {
    setTabs(before => before.filter(tab => tab.id !== id))
    setEdits(before => ({ ...before, [id]: null }))
  }

  async function open(id: number) {
    const oldest = tabToClose(latest.current.tabs, id)
    if (oldest) {
      const lost = latest.current.edits[oldest.id]
      const sure = await confirmFirst({
        title: t('limit', { plate: plateOf(oldest) }),
        ...(lost && { text: t('limitUnsaved'), danger: true }),
        confirm: t('closeVehicle'),
        keep: t('keepVehicle'),
      })
      if (!sure) {
        notify.info(t('notOpened', { plate: formatPlate(plateIn(id) ?? '') || '…', count: maxVehicles }))
        return
      }
      drop(oldest.id)
    }
    setTabs(before => withOpen(before, { id, plate: plateIn(id) ?? '' }))
    leads.current = true
    await show(id)
  }

  async function close(tab: OpenVehicle, { focus = false } = {}) {
    if (latest.current.edits[tab.id]) {
      const sure = await confirmFirst({
        title: t('closeQuestion'),
        text: t('unsaved', { count: 1, plates: plateOf(tab) }),
        confirm: t('closeVehicle'),
        keep: t('keepVehicle'),
        danger: true,
      })
      if (!sure) return
    }
    const next = nextTab(latest.current.tabs, tab.id)
    // Unsaved input is discarded, so leaving asks no question.
    flushSync(() => drop(tab.id))
    if (latest.current.active === tab.id || focus) await show(next, { replace: true })
    if (focus) list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus()
  }

  const list = useRef<HTMLDivElement>(null)
  /** The pressed button is hidden with its tab: the focus moves to the newly selected tab. */
  const leads = useRef(false)
  useEffect(() => {
    if (leads.current)
      list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus({ preventScroll: true })
    leads.current = false
    // oxlint-disable-next-line react/exhaustive-deps -- another tab that is shown takes it
  }, [active])

  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const labels = [
    { value: ofCustomer, label: customer.name },
    ...tabs.map(tab => ({
      value: String(tab.id),
      label: plateOf(tab) + (edits[tab.id] ? ` (${t('unsavedMark')})` : ''),
    })),
  ]
  const go = (value: string | null) => void show(value === ofCustomer ? null : Number(value))
  // Without a list of tabs the panels are labelled by the choice in the field.
  const panel = (label: string) => (phone ? { role: 'group', 'aria-labelledby': undefined, 'aria-label': label } : {})

  return (
    <OpensInTab value={id => void open(id)}>
      <Tabs value={String(active ?? ofCustomer)} onChange={go}>
        {phone ? (
          tabs.length > 0 && (
            <Choice label={t('show')} data={labels} value={String(active ?? ofCustomer)} onChange={go} mb="md" />
          )
        ) : (
          <TabList
            selected={String(active ?? ofCustomer)}
            ref={list}
            mb="md"
            className={classes.tabs}
            aria-label={t('tabs')}
          >
            <Tabs.Tab value={ofCustomer} leftSection={<IconBuildingCommunity size={16} aria-hidden />}>
              {customer.name}
            </Tabs.Tab>
            {tabs.map(tab => (
              <VehicleTabHead
                key={tab.id}
                tab={tab}
                plate={plateOf(tab)}
                unsaved={!!edits[tab.id]}
                close={how => void close(tab, how)}
              />
            ))}
          </TabList>
        )}
        <Tabs.Panel value={ofCustomer} {...panel(customer.name)}>
          <CustomerFleet open={id => void open(id)} />
        </Tabs.Panel>
        {tabs.map(tab => (
          <Tabs.Panel key={tab.id} value={String(tab.id)} {...panel(plateOf(tab))}>
            <Group justify="flex-end" gap="xs" mb="xs">
              <LinkButton
                to="/fleet/vehicle"
                search={{ id: tab.id }}
                state={{ id: tab.id }}
                variant="subtle"
                size="compact-sm"
              >
                {t('ownScreen')}
              </LinkButton>
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<IconX size={14} aria-hidden />}
                onClick={() => void close(tab, { focus: true })}
              >
                {t('closeTab')}
              </Button>
            </Group>
            <Vehicle
              id={tab.id}
              view={tab.view}
              setView={view =>
                setTabs(before => before.map(other => (other.id === tab.id ? { ...other, view } : other)))
              }
              kept={{
                edits: edits[tab.id] ?? null,
                setEdits: change => setEdits(before => ({ ...before, [tab.id]: change(before[tab.id] ?? null) })),
              }}
              onRemoved={() => {
                const next = nextTab(latest.current.tabs, tab.id)
                drop(tab.id)
                leads.current = true
                void show(next, { replace: true })
              }}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
    </OpensInTab>
  )
}

type HeadProps = {
  tab: OpenVehicle
  plate: string
  unsaved: boolean
  close: (how: { focus: boolean }) => void
}

/** A tab that is closed with its cross, with the middle button, or with the Delete key. */
function VehicleTabHead({ tab, plate, unsaved, close }: HeadProps) {
  const { t } = useTranslation('fleetmanagement')

  function press(event: KeyboardEvent) {
    if (event.key !== 'Delete') return
    event.preventDefault()
    close({ focus: true })
  }
  function pressOther(event: MouseEvent) {
    if (event.button === 1) close({ focus: false })
  }
  return (
    <Tabs.Tab
      value={String(tab.id)}
      className={classes.vehicle ?? ''}
      aria-keyshortcuts="Delete"
      title={t('closeHint')}
      onKeyDown={press}
      onAuxClick={pressOther}
      // A middle button that is held begins to scroll the page.
      onMouseDown={event => event.button === 1 && event.preventDefault()}
      rightSection={
        // For the pointer; keys have Delete and the button in the panel. A button may not stand within a tab.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
        <span
          className={classes.close}
          aria-hidden
          onClick={event => {
            event.stopPropagation()
            close({ focus: false })
          }}
        >
          <IconX size={14} />
        </span>
      }
    >
      <span translate="no">{plate}</span>
      {unsaved && (
        <>
          <span aria-hidden> •</span>
          <span className="wh-hidden"> {t('unsavedMark')}</span>
        </>
      )}
    </Tabs.Tab>
  )
}

type VehicleProps = {
  id: number
  view: VehicleTab
  setView: (view: VehicleTab) => void
  kept: React.ComponentProps<typeof VehicleView>['kept'] & object
  onRemoved: () => void
}

function Vehicle({ id, view, setView, kept, onRemoved }: VehicleProps) {
  const { data: vehicle, isError, error, refetch } = useVehicle(id)
  if (vehicle) return <VehicleView vehicle={vehicle} tab={view} setTab={setView} kept={kept} onRemoved={onRemoved} />
  if (isMissing(error)) return <MissingVehicle />
  return isError ? <Failed error={error} retry={refetch} /> : <Placeholders rows={8} />
}
