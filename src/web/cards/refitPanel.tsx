/** Moves the wheel on the card to another vehicle of its customer (docs/product/warehouse.md "The card of a scan"). */
import { Button, Group, Text, TextInput } from '@mantine/core'
import { type FormEvent, Suspense, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { CardWheel } from '#contract/cards.ts'
import { fleet } from '#contract/fleet.ts'
import { tyres as calls } from '#contract/tyres.ts'
import type { Vehicle } from '#contract/wire.ts'
import { positionsOf } from '#domain/vehicles/axle.ts'
import { formatPlate, normalizePlate } from '#domain/vehicles/plate.ts'
import { messageOf, useAnswer, useCall } from '../shared/api.ts'
import { Placeholders } from '../shared/screen.tsx'
import { useVehicleConfigs } from '../shared/session.ts'
import { Choice } from '../ui/select.tsx'
import { setNamed, takenIn } from '../vehicles/diagram/adding.ts'
import type { CardWork } from './cardWork.ts'
import classes from './card.module.css'

/** Finds the other vehicle by its plate, and moves the wheel to a position of it. */
export function RefitPanel({ work, wheel }: { work: CardWork; wheel: CardWheel }) {
  const { t } = useTranslation(['damages', 'common'])
  const [typed, setTyped] = useState('')
  const [plate, setPlate] = useState('')
  const answer = useAnswer(fleet.fetch, { license_plate: plate }, { enabled: plate !== '', muted: true })
  const vehicle = answer.data?.find(candidate => candidate.seq_id === wheel.seq_id)
  function find(event: FormEvent) {
    event.preventDefault()
    setPlate(normalizePlate(typed))
  }
  const nothing = answer.isError
    ? messageOf(answer.error)
    : answer.data && !vehicle && t('refit.unknown', { company: wheel.companyname, plate: formatPlate(plate) })
  return (
    <section className={classes.keypad} aria-label={t('refit.title')}>
      <Text size="sm" fw={600}>
        {t('refit.title')}
      </Text>
      <form onSubmit={find}>
        <Group gap="xs" align="start" wrap="nowrap">
          <TextInput
            flex={1}
            label={t('refit.plate')}
            autoComplete="off"
            autoCapitalize="characters"
            value={typed}
            error={nothing}
            onChange={event => setTyped(event.currentTarget.value)}
          />
          <Button
            type="submit"
            variant="default"
            px="xs"
            mt={26}
            disabled={typed.trim() === ''}
            loading={answer.isFetching}
          >
            {t('refit.find')}
          </Button>
        </Group>
      </form>
      {vehicle && (
        <Suspense fallback={<Placeholders rows={2} height={44} />}>
          <Target key={vehicle.flt_id} work={work} wheel={wheel} vehicle={vehicle} />
        </Suspense>
      )}
      <Button variant="subtle" color="gray" onClick={work.closePanel}>
        {t('common:cancel')}
      </Button>
    </section>
  )
}

function Target({ work, wheel, vehicle }: { work: CardWork; wheel: CardWheel; vehicle: Vehicle }) {
  const { t } = useTranslation('damages')
  const refit = useCall(calls.refit)
  const configs = useVehicleConfigs()
  const axles = configs.find(({ description }) => description === vehicle.configuration)?.axles ?? []
  const [name, setName] = useState(wheel.tyre_set)
  const set = setNamed(name)
  const others = vehicle.tyres.filter(({ db_id }) => db_id !== wheel.db_id)
  const positions: readonly string[] = positionsOf(axles)
  const taken = takenIn(others, set, positions)
  const free = positions.filter(position => !taken.includes(position))
  const [wanted, setWanted] = useState(wheel.position)
  const position = free.includes(wanted) ? wanted : null
  async function save() {
    if (position === null) return
    try {
      await refit.mutateAsync({ db_id: wheel.db_id, flt_id: vehicle.flt_id, position, tyre_set: set })
      work.refitted(formatPlate(vehicle.license_plate), position)
    } catch {
      // shown in a toast; the choice stays
    }
  }
  return (
    <>
      <Text size="sm">
        {[formatPlate(vehicle.license_plate), vehicle.brand, vehicle.description].filter(Boolean).join(' · ')}
      </Text>
      <TextInput
        label={t('refit.set')}
        placeholder={t('refit.noSet')}
        maxLength={40}
        value={name}
        onChange={event => setName(event.currentTarget.value)}
      />
      <Choice
        label={t('refit.position')}
        data={free}
        value={position}
        error={free.length === 0 && t('refit.full')}
        onChange={chosen => chosen && setWanted(chosen)}
      />
      <Button disabled={position === null} loading={refit.isPending} onClick={() => void save()}>
        {t('refit.save')}
      </Button>
    </>
  )
}
