/** Step 2: which service, for which tyres of the vehicle (SPEC §2 "Wizard", §4 "Tyre choice in the wizard"). */
import { Alert, Button, Checkbox, Group, Paper, Table, Text, Title, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconArrowRight, IconLock } from '@tabler/icons-react'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { type MouseEvent, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { operations as operationCalls } from '#contract/operations.ts'
import type { Operation, Tyre, Vehicle } from '#contract/wire.ts'
import { offered, type OfferedType, offeredTypes } from '#domain/tyre.ts'
import { useCall } from '../shared/api.ts'
import { useOperations, useSite, useVehicleConfigs } from '../shared/session.ts'
import { OtherCustomer, useOfOther } from '../shared/customer/otherCustomer.tsx'
import { formatDepth } from '../shared/format.ts'
import { useLatest } from '../ui/hooks.ts'
import { TextLink } from '../ui/link.tsx'
import { addOperation } from '../shared/operation/lists.ts'
import { Empty, Failed } from '../shared/screen.tsx'
import { OperationTypeIcon } from '../shared/trade.tsx'
import { ConfigurationPicture } from '../shared/vehicle/configurationPicture.tsx'
import type { PictureTyre } from '../shared/vehicle/occupants.ts'
import { useVehicle } from '../shared/vehicle/useVehicle.ts'
import { VehicleLine } from '../shared/vehicle/vehicleLine.tsx'
import { Frame } from './frame.tsx'
import { makePreselection } from './preselect.ts'
import { choicesFor, isServiceOpen, shownFor, stillFree, toggled, wholeSet } from './selection.ts'
import classes from './wizard.module.css'

export function Step2() {
  const { t } = useTranslation('wizard')
  const search = useSearch({ from: '/wizard/step2' })
  const handed = useLocation({ select: location => location.state.flt_id })
  const id = search.flt_id ?? handed
  return (
    <Frame step={2}>
      {id === undefined ? (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
          {t('noVehicle')} <TextLink to="/wizard/step1">{t('pickVehicle')}</TextLink>
        </Alert>
      ) : (
        <Vehicle key={id} id={id} type={search.type} />
      )}
    </Frame>
  )
}

function Vehicle({ id, type }: { id: number; type: OfferedType | undefined }) {
  const { t } = useTranslation('wizard')
  const navigate = useNavigate()
  const answer = useVehicle(id)
  const vehicle = answer.data
  const ofOther = useOfOther(vehicle)
  if (answer.isError && !vehicle) return <Failed error={answer.error} retry={answer.refetch} />
  // The steps that follow look for the operation among those of the customer acted for.
  if (vehicle && ofOther) {
    return (
      <>
        <VehicleHead vehicle={vehicle} />
        <OtherCustomer vehicle={vehicle} />
      </>
    )
  }

  const pick = (next: OfferedType) =>
    void navigate({
      to: '/wizard/step2',
      search: { flt_id: id, type: next },
      state: { flt_id: id },
      replace: true,
      resetScroll: false,
    })
  return (
    <>
      <VehicleHead vehicle={vehicle} />
      <section aria-labelledby="pick-service">
        <Title order={2} id="pick-service" mb="xs">
          {t('pickService')}
        </Title>
        <div className={classes.servicesPick}>
          {offeredTypes.map(one => (
            <UnstyledButton
              key={one}
              className={classes.service}
              aria-pressed={one === type}
              disabled={!vehicle || !isServiceOpen(one, vehicle.tyres)}
              onClick={() => pick(one)}
            >
              <OperationTypeIcon type={one} size={34} />
              <span>{t(`service.${one}`)}</span>
            </UnstyledButton>
          ))}
        </div>
      </section>
      {vehicle && type && isServiceOpen(type, vehicle.tyres) && <Tyres key={type} vehicle={vehicle} type={type} />}
    </>
  )
}

function VehicleHead({ vehicle }: { vehicle: Vehicle | undefined }) {
  const { t } = useTranslation('wizard')
  return (
    <Paper className={classes.vehicle} aria-busy={!vehicle}>
      {vehicle ? (
        <VehicleLine vehicle={vehicle} />
      ) : (
        <Text c="dimmed" role="status">
          {t('loadingVehicle')}
        </Text>
      )}
    </Paper>
  )
}

function Tyres({ vehicle, type }: { vehicle: Vehicle; type: OfferedType }) {
  const { t } = useTranslation('wizard')
  const navigate = useNavigate()
  const configs = useVehicleConfigs()
  const { data: operations } = useOperations()
  const create = useCall(operationCalls.new, { doing: 'wizard:creating', done: 'wizard:created' })
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [preselected, setPreselected] = useState<readonly number[]>([])
  // Set at the first click and for good once the operation exists: a second click makes no second operation.
  const [creating, setCreating] = useState(false)

  const tyres = shownFor(type, vehicle.tyres)
  const selected = stillFree(type, tyres, chosen)
  const isSelected = new Set(selected)
  const config = configs.find(({ description }) => description === vehicle.configuration)
  const busy = (tyre: Tyre): Operation | undefined => operations?.find(({ _id }) => _id === tyre.operation)

  const latest = useLatest({ tyres })
  const preselection = useMemo(
    () =>
      makePreselection({
        take: ids => setChosen(before => toggled(before, ids)),
        takeSet: ids => {
          const [first] = ids
          if (first !== undefined) setChosen(before => toggled(before, wholeSet(type, latest.current.tyres, first)))
        },
        show: setPreselected,
      }),
    [type, latest],
  )
  useEffect(() => () => void preselection.stop(), [preselection])

  async function proceed() {
    if (creating) return
    // A tyre that was clicked a moment ago counts, although its 250 ms are not over.
    const waiting = preselection.stop()
    const now = stillFree(type, tyres, toggled(new Set(selected), waiting))
    if (now.length === 0) return
    setChosen(new Set(now))
    setCreating(true)
    try {
      const operation = await create.mutateAsync({
        operation: {
          flt_id: vehicle.flt_id,
          tyres: now,
          operationType: type,
          vehicle: { type: [vehicle.type], license_plate: [vehicle.license_plate] },
        },
      })
      addOperation(operation)
      await navigate({ to: '/wizard/step3', search: { operation: operation._id }, state: { operation: operation._id } })
    } catch {
      // Told in a toast; the selection stays, without tyres that somebody else has taken.
      setCreating(false)
    }
  }

  const noConfiguration = (
    <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {t('noConfiguration')}
    </Alert>
  )
  if (tyres.length === 0) return config ? <Empty text={t('noTyres')} /> : noConfiguration
  const free = tyres.filter(tyre => offered(type, tyre))
  return (
    <section aria-labelledby="pick-tyres" className={classes.tyresPick}>
      <Title order={2} id="pick-tyres">
        {t('pickTyres')}
      </Title>
      <Helper type={type} tyres={tyres} free={free} selected={isSelected} choose={setChosen} />
      <div className={classes.pickers}>
        <Paper className={classes.pictureCard}>
          {config ? (
            <ConfigurationPicture
              config={config}
              tyres={tyres.map((tyre): PictureTyre => ({
                id: tyre.db_id,
                position: tyre.position,
                set: tyre.tyre_set,
                description: tyre.description,
                state: !offered(type, tyre)
                  ? 'blocked'
                  : isSelected.has(tyre.db_id)
                    ? 'selected'
                    : preselected.includes(tyre.db_id)
                      ? 'preselected'
                      : 'free',
                reason: offered(type, tyre) ? undefined : t('inOperation'),
              }))}
              pick={(ids, how) => (how === 'click' ? preselection.click(ids) : setChosen(toggled(chosen, ids)))}
            />
          ) : (
            noConfiguration
          )}
        </Paper>
        <Paper className={classes.tableCard}>
          <TyreTable
            type={type}
            tyres={tyres}
            selected={isSelected}
            preselected={preselected}
            busy={busy}
            click={id => preselection.click([id])}
            toggle={id => setChosen(toggled(chosen, [id]))}
          />
        </Paper>
      </div>
      <div className={classes.proceed}>
        <Text role="status" size="sm">
          {t('selected', { count: selected.length })}
        </Text>
        <Button
          size="md"
          disabled={selected.length === 0}
          loading={creating}
          onClick={() => void proceed()}
          rightSection={<IconArrowRight size={18} aria-hidden />}
        >
          {t('proceed')}
        </Button>
      </div>
    </section>
  )
}

type HelperProps = {
  type: OfferedType
  tyres: readonly Tyre[]
  free: readonly Tyre[]
  selected: ReadonlySet<number>
  choose: (ids: ReadonlySet<number>) => void
}

/** All, none, a set, an axle with one click. A choice that is in already is taken out again. */
function Helper({ type, tyres, free, selected, choose }: HelperProps) {
  const { t } = useTranslation(['wizard', 'common'])
  if (free.length === 0) return null
  const all = free.map(tyre => tyre.db_id)
  const complete = (ids: readonly number[]) => ids.every(id => selected.has(id))
  return (
    <Group gap={6} role="group" aria-label={t('wizard:helper')} className={classes.helper}>
      <Button
        size="compact-sm"
        variant={complete(all) ? 'light' : 'default'}
        aria-pressed={complete(all)}
        onClick={() => choose(new Set(all))}
      >
        {t('wizard:selectAll', { count: all.length })}
      </Button>
      {choicesFor(type, tyres).map(choice => (
        <Button
          key={choice.kind === 'set' ? `set ${choice.set}` : `axle ${choice.axle}`}
          size="compact-sm"
          variant={complete(choice.ids) ? 'light' : 'default'}
          aria-pressed={complete(choice.ids)}
          onClick={() => choose(toggled(selected, choice.ids))}
        >
          {choice.kind === 'set'
            ? t('wizard:selectSet', { set: choice.set ?? t('common:tyre.setless'), count: choice.ids.length })
            : t('wizard:selectAxle', { axle: choice.axle, count: choice.ids.length })}
        </Button>
      ))}
      <Button size="compact-sm" variant="subtle" disabled={selected.size === 0} onClick={() => choose(new Set())}>
        {t('wizard:selectNone')}
      </Button>
      <Text size="xs" c="dimmed">
        {t('wizard:helperHint')}
      </Text>
    </Group>
  )
}

type TableProps = {
  type: OfferedType
  tyres: readonly Tyre[]
  selected: ReadonlySet<number>
  preselected: readonly number[]
  busy: (tyre: Tyre) => Operation | undefined
  /** A row was clicked with a mouse or finger: one click is this tyre, two are its set. */
  click: (id: number) => void
  /** The checkbox: without delay. */
  toggle: (id: number) => void
}

function TyreTable({ type, tyres, selected, preselected, busy, click, toggle }: TableProps) {
  const { t, i18n } = useTranslation(['wizard', 'common'])
  const { allowProfileDepth } = useSite()
  const stock = type !== 'to_stock'

  function press(event: MouseEvent, id: number) {
    if (event.target instanceof Element && event.target.closest('a')) return
    click(id)
  }
  return (
    <Table className={classes.table} highlightOnHover={false}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th className={classes.checkColumn}>
            <span className="wh-hidden">{t('wizard:select')}</span>
          </Table.Th>
          <Table.Th>{t('common:tyre.position')}</Table.Th>
          <Table.Th>{t('common:tyre.description')}</Table.Th>
          <Table.Th className={classes.wideColumn}>{t('common:tyre.set')}</Table.Th>
          {stock && <Table.Th className={classes.wideColumn}>{t('common:tyre.rack')}</Table.Th>}
          {allowProfileDepth && <Table.Th className={classes.number}>{t('common:tyre.depth')}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {tyres.map(tyre => {
          const free = offered(type, tyre)
          return (
            // The row is a larger target for the pointer; keys and screen readers have the checkbox in it.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
            <Table.Tr
              key={tyre.db_id}
              data-tyre={tyre.db_id}
              data-selected={selected.has(tyre.db_id) || undefined}
              data-preselected={preselected.includes(tyre.db_id) || undefined}
              data-blocked={!free || undefined}
              onClick={free ? event => press(event, tyre.db_id) : undefined}
            >
              <Table.Td className={classes.checkColumn}>
                {free ? (
                  <Checkbox
                    size="md"
                    checked={selected.has(tyre.db_id)}
                    aria-label={t('wizard:selectTyre', { position: tyre.position, description: tyre.description })}
                    onChange={() => toggle(tyre.db_id)}
                    onClick={event => event.stopPropagation()}
                  />
                ) : (
                  <IconLock size={18} stroke={1.7} role="img" aria-label={t('wizard:inOperation')} />
                )}
              </Table.Td>
              <Table.Td>{tyre.position}</Table.Td>
              <Table.Td>
                {tyre.description}
                <span className={classes.underneath}>
                  {[tyre.tyre_set ?? t('common:tyre.setless'), stock && tyre.stock_rack].filter(Boolean).join(' · ')}
                </span>
                {!free && <BusyReason tyre={tyre} operation={busy(tyre)} />}
              </Table.Td>
              <Table.Td className={classes.wideColumn}>
                {tyre.tyre_set ?? <span className={classes.dim}>{t('common:tyre.setless')}</span>}
              </Table.Td>
              {stock && <Table.Td className={classes.wideColumn}>{tyre.stock_rack}</Table.Td>}
              {allowProfileDepth && (
                <Table.Td className={classes.number}>
                  {tyre.profile_depth === null
                    ? '–'
                    : t('common:mm', { depth: formatDepth(tyre.profile_depth, i18n.language) })}
                </Table.Td>
              )}
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}

/** Why a tyre can't be selected, with the way to the operation that holds it. */
function BusyReason({ tyre, operation }: { tyre: Tyre; operation: Operation | undefined }) {
  const { t } = useTranslation(['wizard', 'common'])
  const action = tyre.action && t(`common:operationType.${tyre.action}`)
  return (
    <Text size="xs" c="dimmed">
      {t('wizard:inOperation')}{' '}
      {operation && action && (operation.status === 'pending' || operation.status === 'submitted') && (
        <TextLink
          to="/operations"
          search={{ tab: operation.status }}
          state={{ tab: operation.status }}
          hash={`operation-${operation._id}`}
          size="xs"
        >
          {t('wizard:openOperation', { type: action, status: t(`common:operationStatus.${operation.status}`) })}
        </TextLink>
      )}
    </Text>
  )
}
