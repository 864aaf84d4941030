/** The data of a vehicle, to be changed (SPEC §2 "Vehicle detail", §5 "Vehicle"). */
import { Button, Group, Paper, Text } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fleet as calls } from '#contract/fleet.ts'
import type { Vehicle } from '#contract/wire.ts'
import { normalizePlate } from '#domain/plate.ts'
import { Refused, useCall } from '../api.ts'
import { barredWhen } from '../../ui/barred.ts'
import { DriverData } from './driverData.tsx'
import { complaintsOf, editsOf, formOf, type VehicleEdits, withEdits } from './form.ts'
import { VehicleFields } from './vehicleFields.tsx'
import { toFirstComplaint } from '../../ui/complaint.ts'
import classes from './vehicleView.module.css'

type VehicleDataProps = {
  vehicle: Vehicle
  edits: VehicleEdits | null
  setEdits: (change: (edits: VehicleEdits | null) => VehicleEdits | null) => void
}

/** `edits` is what was typed over what is saved: what somebody else saves meanwhile shows in the fields left alone. */
export function VehicleData({ vehicle, edits, setEdits }: VehicleDataProps) {
  const { t } = useTranslation(['fleet', 'common'])
  const save = useCall(calls.update, { doing: 'fleet:updating', done: 'fleet:updated' })
  const [tried, setTried] = useState(false)
  const [taken, setTaken] = useState<string | null>(null)
  const element = useRef<HTMLFormElement>(null)
  const saved = formOf(vehicle)
  const form = withEdits(saved, edits)
  const { configuration: _, ...complaints } = complaintsOf(form)

  async function send(event: FormEvent) {
    event.preventDefault()
    if (save.isPending || !edits) return
    if (Object.keys(complaints).length > 0) {
      setTried(true)
      toFirstComplaint(element)
      return
    }
    const { license_plate: plate } = edits
    try {
      const { updatedVehicle } = await save.mutateAsync({
        vehicle: {
          flt_id: vehicle.flt_id,
          ...edits,
          ...(plate !== undefined && { license_plate: normalizePlate(plate) }),
        },
      })
      const answered = formOf(updatedVehicle)
      // What was typed while it was saved is still to be saved.
      setEdits(now => now && editsOf(answered, settled(withEdits(form, now), form, answered)))
      setTried(false)
    } catch (error) {
      if (error instanceof Refused && error.code === 'vehicle.plate_taken') setTaken(normalizePlate(form.license_plate))
    }
  }

  return (
    <Paper className={classes.data}>
      <form ref={element} onSubmit={event => void send(event)} noValidate className={classes.dataForm}>
        <VehicleFields
          form={form}
          change={next => setEdits(() => editsOf(saved, next))}
          complaints={complaints}
          tried={tried}
          plateTaken={taken}
        />
        <Group justify="flex-end" gap="xs">
          <Text size="sm" c="dimmed" role="status">
            {edits && t('fleet:unsaved')}
          </Text>
          <Button
            variant="default"
            onClick={() => {
              setEdits(() => null)
              setTried(false)
            }}
            {...barredWhen(!edits || save.isPending)}
          >
            {t('fleet:discard')}
          </Button>
          <Button type="submit" loading={save.isPending} {...barredWhen(!edits)}>
            {t('fleet:save')}
          </Button>
        </Group>
      </form>
      <DriverData vehicle={vehicle} />
    </Paper>
  )
}

type Form = ReturnType<typeof formOf>

const settle = <T extends object>(now: T, sent: T, answered: T): T =>
  Object.fromEntries(
    (Object.keys(now) as (keyof T)[]).map(field => [field, now[field] === sent[field] ? answered[field] : now[field]]),
  ) as T

/** The form as it is now, with what the server made of each field that is still as it was sent: it trims. */
const settled = (now: Form, sent: Form, answered: Form): Form => ({
  ...settle(now, sent, answered),
  driver: settle(now.driver, sent.driver, answered.driver),
})
