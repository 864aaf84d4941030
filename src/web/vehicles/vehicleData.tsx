/** The data of a vehicle, to be changed. */
import { Paper } from '@mantine/core'
import { fleet as calls } from '#contract/fleet.ts'
import type { Vehicle } from '#contract/wire.ts'
import { overSaved, unsentOf, withChanges } from '../ui/form/changes.ts'
import { Form } from '../ui/form/form.tsx'
import { useCall } from '../shared/api.ts'
import { SaveBar } from '../shared/form/saveBar.tsx'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { DriverData } from './driverData.tsx'
import { changesIn, editsOf, formOf, inputOf, knownVehicle, useVehicleErrorText, type VehicleEdits } from './form.ts'
import { VehicleFields } from './vehicleFields.tsx'
import classes from './vehicleView.module.css'

type VehicleDataProps = {
  vehicle: Vehicle
  edits: VehicleEdits | null
  setEdits: (change: (edits: VehicleEdits | null) => VehicleEdits | null) => void
}

/** `edits` are the values typed over the saved ones: changes that another user saves meanwhile show in the fields left alone. */
export function VehicleData({ vehicle, edits, setEdits }: VehicleDataProps) {
  const save = useCall(calls.update, { doing: 'fleet:updating', done: 'fleet:updated' })
  const saved = formOf(vehicle)
  const form = useContractForm({
    initial: saved,
    controlled: overSaved(saved, edits, setEdits, editsOf),
    schema: knownVehicle,
    input: inputOf,
    text: useVehicleErrorText(),
    refusals: { 'vehicle.plate_taken': 'license_plate' },
  })

  async function send() {
    if (!edits) return
    const { updatedVehicle } = await save.mutateAsync({
      vehicle: {
        flt_id: vehicle.flt_id,
        ...changesIn(edits),
      },
    })
    const answered = formOf(updatedVehicle)
    // Edits made during the save are still to be saved.
    setEdits(now => editsOf(answered, withChanges(answered, unsentOf(now, edits))))
  }
  return (
    <Paper className={classes.data}>
      <Form form={form} onSubmit={send} className={classes.dataForm}>
        <VehicleFields form={form} />
        <SaveBar
          form={form}
          discard={() => {
            setEdits(() => null)
            form.forgive()
          }}
        />
      </Form>
      <DriverData vehicle={vehicle} />
    </Paper>
  )
}
