/** The form that adds a vehicle to a fleet. Input stays when the server refuses. */
import { Button, Paper, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { fleet as calls, newVehicle } from '#contract/fleet.ts'
import type { Vehicle } from '#contract/wire.ts'
import { useCall } from '../shared/api.ts'
import { CustomerChoice } from '../customers/customerChoice.tsx'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { useSameInput } from '../several/useSeveral.ts'
import { useActing, useSeesSite, useVehicleConfigs, useWho } from '../shared/session.ts'
import { Form, FormButtons } from '../ui/form/form.tsx'
import type { DialogControls } from '../ui/form/formDialog.tsx'
import { usePhone } from '../ui/usePhone.ts'
import { ConfigurationPicture } from './diagram/configurationPicture.tsx'
import { emptyForm, inputOf, useVehicleErrorText } from './form.ts'
import classes from './newVehicle.module.css'
import { RegisterNote } from './sets/registerNote.tsx'
import { VehicleFields } from './vehicleFields.tsx'

type NewVehicleProps = {
  plate?: string
  /** The text of the button that adds it. */
  submit: string
  onAdded: (vehicle: Vehicle) => void
  /** Buttons beside it. */
  children?: ReactNode
  /** The dialog around it. */
  dialog?: DialogControls
}

export function NewVehicle({ plate = '', submit, onAdded, children, dialog }: NewVehicleProps) {
  const { t } = useTranslation('vehicles')
  // An administrator who acts for a customer adds to that fleet; one who acts for none chooses the owner.
  const acting = useActing()
  const seesSite = useSeesSite()
  const configs = useVehicleConfigs()
  const registers = useWho().vehicleRegister === true
  const same = useSameInput()
  const add = useCall(calls.new, { doing: 'vehicles:creating', done: 'vehicles:created' })
  const form = useContractForm({
    initial: { ...emptyForm(plate), picked: null as number | null },
    schema: newVehicle,
    input: ({ picked, ...vehicle }) => ({ ...inputOf(vehicle), picked }),
    text: useVehicleErrorText(),
    rules: ({ picked }) => ({ picked: seesSite && picked === null ? t('required') : undefined }),
    refusals: { 'vehicle.plate_taken': 'license_plate' },
    dialog,
  })
  const { picked, configuration } = form.values
  const config = configs.find(({ description }) => description === configuration)
  const picture = config && <ConfigurationPicture config={config} />
  const phone = usePhone()

  return (
    <Form
      form={form}
      onSubmit={async wish => {
        const { picked: _, ...vehicleData } = wish
        const customer = acting?.seq_id ?? picked
        onAdded(await add.mutateAsync(same({ vehicleData, ...(customer !== null && { seq_id: customer }) })))
      }}
    >
      <div className={classes.form}>
        <Paper className={classes.fields}>
          {seesSite && (
            <CustomerChoice
              label={t('customer')}
              placeholder={t('customerSearch')}
              value={picked ?? undefined}
              onChange={customer => form.set({ picked: customer ?? null })}
              error={form.error('picked')}
              required
              first
            />
          )}
          <VehicleFields
            form={form}
            configs={configs}
            configNote={phone && picture}
            plateNote={registers && <RegisterNote form={form} />}
            focused={!seesSite}
          />
        </Paper>
        {!phone && (
          <Paper className={classes.preview}>
            {picture ?? (
              <Text size="sm" c="dimmed" ta="center">
                {t('previewHint')}
              </Text>
            )}
          </Paper>
        )}
      </div>
      <FormButtons mt="md" justify="space-between">
        {children ?? <span />}
        <Button type="submit" loading={form.busy} rightSection={<IconArrowRight size={18} aria-hidden />}>
          {submit}
        </Button>
      </FormButtons>
    </Form>
  )
}
