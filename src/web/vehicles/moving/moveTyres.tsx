/** Moves tyres to another vehicle: the best fits are proposed, and what differs is said before (docs/product/vehicles.md "Moving a set"). */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowLeft, IconTransfer } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { fleet as fleetCalls } from '#contract/fleet.ts'
import { moves as calls } from '#contract/moves.ts'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import { differencesOf } from '#domain/tyres/fitting.ts'
import { positionsOf } from '#domain/vehicles/axle.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { hasWords, vehicleText, wordsOf } from '#domain/texts/listFilter.ts'
import { CustomerSearch } from '../../customers/customerSearch.tsx'
import type { ActedFor } from '../../shared/acting.ts'
import { useAnswer, useCall } from '../../shared/api.ts'
import { useToday } from '../../shared/hooks.ts'
import { Failed, Placeholders } from '../../shared/screen.tsx'
import { useSite, useWho } from '../../shared/session.ts'
import { useUndoable } from '../../shared/undo/undo.ts'
import { DateField } from '../../ui/dateField.tsx'
import { Choice } from '../../ui/select.tsx'
import { useTranslation } from '../../ui/texts.ts'
import { needsSetName, setNamed, setNameMax, takenIn } from '../diagram/adding.ts'
import { Differences } from './differences.tsx'
import { byFit, type Fit, useFittingVehicle } from './fitting.ts'

type MoveTyresProps = {
  /** Tyres of one vehicle, and set. */
  tyres: readonly Tyre[]
  from: Pick<Vehicle, 'flt_id' | 'seq_id' | 'license_plate'>
  /** The vehicle that is proposed first, as somebody has matched it already. */
  proposed?: number
  onMoved: (to: Vehicle, position: string) => void
}

/** How many vehicles are proposed at once. */
const mostProposed = 6

export function MoveTyres({ tyres, from, proposed, onMoved }: MoveTyresProps) {
  const { t } = useTranslation(['fleet', 'common'])
  const who = useWho()
  const fittingOf = useFittingVehicle()
  const [customer, setCustomer] = useState<ActedFor | null>(null)
  const [isElsewhere, setElsewhere] = useState(false)
  const owner = customer ? { seq_id: customer.seq_id } : who.type === 'user' ? {} : { seq_id: from.seq_id }
  const fleet = useAnswer(fleetCalls.fetch, owner, { muted: true })
  const [chosen, choose] = useState<number | null>(proposed ?? null)
  const fits = useMemo(
    () =>
      byFit(
        (fleet.data ?? []).filter(({ flt_id }) => flt_id !== from.flt_id),
        tyres,
        fittingOf,
      ),
    [fleet.data, from.flt_id, tyres, fittingOf],
  )
  if (isElsewhere && customer === null)
    return (
      <Stack gap="sm">
        <CustomerSearch choose={setCustomer} not={from.seq_id} />
        <BackButton onClick={() => setElsewhere(false)} />
      </Stack>
    )
  if (fleet.isError) return <Failed error={fleet.error} retry={fleet.refetch} />
  if (!fleet.data) return <Placeholders rows={4} />
  const target = fits.find(({ vehicle }) => vehicle.flt_id === chosen)?.vehicle
  if (target)
    return (
      <Target
        key={target.flt_id}
        tyres={tyres}
        from={from}
        target={target}
        back={() => choose(null)}
        onMoved={onMoved}
      />
    )
  return (
    <Stack gap="sm">
      {customer && <Text size="sm">{t('fleet:move.of', { customer: customer.name })}</Text>}
      <Proposals fits={fits} choose={choose} />
      {who.type === 'admin' && !who.warehouse && (
        <Button variant="subtle" size="compact-sm" onClick={() => (customer ? setCustomer(null) : setElsewhere(true))}>
          {t(customer ? 'fleet:move.ownFleet' : 'fleet:move.otherCustomer')}
        </Button>
      )}
    </Stack>
  )
}

const BackButton = ({ onClick }: { onClick: () => void }) => {
  const { t } = useTranslation('fleet')
  return (
    <Button variant="default" leftSection={<IconArrowLeft size={18} aria-hidden />} onClick={onClick}>
      {t('move.back')}
    </Button>
  )
}

function Proposals({ fits, choose }: { fits: readonly Fit[]; choose: (vehicle: number) => void }) {
  const { t } = useTranslation('fleet')
  const { mode } = useSite()
  const [filter, setFilter] = useState('')
  const words = wordsOf(filter)
  const shown = fits
    .filter(({ vehicle }) => hasWords(words, { text: vehicleText(vehicle, mode), plate: vehicle.license_plate }))
    .slice(0, mostProposed)
  return (
    <>
      <TextInput
        label={t('move.find')}
        value={filter}
        onChange={event => setFilter(event.currentTarget.value)}
        autoComplete="off"
      />
      <Text size="sm" c="dimmed" role="status">
        {shown.length === 0 ? t('move.nothing') : t('move.best')}
      </Text>
      <Stack gap={6}>
        {shown.map(({ vehicle, differences }) => (
          <Button
            key={vehicle.flt_id}
            variant="default"
            justify="space-between"
            h="auto"
            py={6}
            styles={{ label: { whiteSpace: 'normal', textAlign: 'start' } }}
            rightSection={
              <Text size="xs" c={differences.length === 0 ? 'green.9' : 'dimmed'}>
                {differences.length === 0 ? t('move.fitsShort') : t('move.differ', { count: differences.length })}
              </Text>
            }
            onClick={() => choose(vehicle.flt_id)}
            data-target={vehicle.license_plate}
          >
            {[formatPlate(vehicle.license_plate), vehicle.brand, vehicle.description].filter(Boolean).join(' · ')}
          </Button>
        ))}
      </Stack>
    </>
  )
}

type TargetProps = Omit<MoveTyresProps, 'proposed'> & { target: Vehicle; back: () => void }

/** The name that tyres keep on a vehicle where it is free, else with the plate that they come from. */
function nameThere(set: string | null, plate: string, isTaken: (name: string) => boolean): string {
  if (set === null || !isTaken(set)) return set ?? ''
  return `${set} ${formatPlate(plate)}`.slice(0, setNameMax)
}

function Target({ tyres, from, target, back, onMoved }: TargetProps) {
  const { t } = useTranslation(['fleet', 'common', 'failures'])
  const today = useToday()
  const fitting = useFittingVehicle()(target)
  const undoable = useUndoable()
  const [first] = tyres
  const own = tyres.map(({ position }) => position)
  const others = target.tyres.filter(({ db_id }) => !tyres.some(tyre => tyre.db_id === db_id))
  const [name, setName] = useState(() =>
    nameThere(first?.tyre_set ?? null, from.license_plate, wish => takenIn(others, setNamed(wish), own).length > 0),
  )
  const set = setNamed(name)
  const wheels: readonly string[] = fitting.axles ? positionsOf(fitting.axles) : []
  const taken = takenIn(others, set, wheels)
  const [places, setPlaces] = useState<ReadonlyMap<number, string>>(new Map())
  const placed = tyres.map(tyre => ({ ...tyre, position: places.get(tyre.db_id) ?? tyre.position }))
  const positions = placed.map(({ position }) => position)
  const isPlaced = ({ position }: Tyre, nth: number) =>
    wheels.includes(position) && !taken.includes(position) && positions.indexOf(position) === nth
  const isElsewhere = target.seq_id !== from.seq_id
  const [date, setDate] = useState<string | null>(today)
  const move = useCall(calls.tyres, {
    done: () => t('fleet:move.done', { count: tyres.length, plate: formatPlate(target.license_plate) }),
    offer: () =>
      isElsewhere
        ? undefined
        : undoable('move', {
            plate: target.license_plate,
            from: from.flt_id,
            to: target.flt_id,
            set: first?.tyre_set ?? null,
            tyres: tyres.map(({ db_id, position }) => ({ db_id, position })),
          }),
  })
  const isNameMissing = set === null && needsSetName(target.tyres, wheels.length)
  const isReady = placed.every(isPlaced) && !isNameMissing && (!isElsewhere || date !== null)
  async function save() {
    try {
      await move.mutateAsync({
        flt_id: target.flt_id,
        tyres: placed.map(({ db_id, position }) => ({ db_id, position })),
        tyre_set: set,
        expected: from.flt_id,
        ...(isElsewhere && date !== null && { date }),
      })
      onMoved(target, positions[0] ?? '')
    } catch {
      // shown in a toast; the choice stays
    }
  }
  return (
    <Stack gap="sm">
      <Text size="sm">
        {formatPlate(from.license_plate)} →{' '}
        <strong>
          {[formatPlate(target.license_plate), target.brand, target.description].filter(Boolean).join(' · ')}
        </strong>
        {isElsewhere && ` (${target.customer_name})`}
      </Text>
      <Differences differences={differencesOf(placed, fitting)} />
      {tyres.some(({ tyre_status }) => tyre_status === 'on_vehicle') && (
        <Text size="sm">{t('fleet:move.takenOff', { plate: formatPlate(from.license_plate) })}</Text>
      )}
      <TextInput
        label={t('fleet:move.set')}
        placeholder={t('common:tyre.setless')}
        maxLength={setNameMax}
        value={name}
        error={isNameMissing && t('failures:set.name_missing')}
        onChange={event => setName(event.currentTarget.value)}
      />
      {(tyres.length === 1 || placed.some((tyre, nth) => !isPlaced(tyre, nth))) && (
        <Group gap="sm" align="flex-end">
          {placed.map((tyre, nth) => (
            <Choice
              key={tyre.db_id}
              label={t('fleet:mount.positionOf', { position: tyres[nth]?.position })}
              data={wheels.filter(position => !taken.includes(position))}
              value={wheels.includes(tyre.position) && !taken.includes(tyre.position) ? tyre.position : null}
              error={wheels.length === taken.length && t('fleet:move.full')}
              onChange={place => place !== null && setPlaces(new Map(places).set(tyre.db_id, place))}
            />
          ))}
        </Group>
      )}
      {isElsewhere && (
        <>
          <DateField label={t('fleet:transfer.date')} value={date} onChange={setDate} maxDate={today} />
          <Text size="sm">{t('fleet:move.split')}</Text>
        </>
      )}
      <Group justify="flex-end" gap="xs">
        <BackButton onClick={back} />
        <Button
          leftSection={<IconTransfer size={18} aria-hidden />}
          disabled={!isReady}
          loading={move.isPending}
          onClick={() => void save()}
          data-move
        >
          {t('fleet:move.save', { count: tyres.length })}
        </Button>
      </Group>
    </Stack>
  )
}
