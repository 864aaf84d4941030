/** The form that adds a vehicle to a fleet. What was typed stays when the server refuses. */
import { Button, Paper, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fleet as calls, newVehicle } from '#contract/fleet.ts'
import type { Vehicle } from '#contract/wire.ts'
import { useAnswer, useCall } from '../api.ts'
import { useContractForm } from '../form/useContractForm.ts'
import { useActing, useSeesSite, useVehicleConfigs, useWho } from '../session.ts'
import { Choice } from '../../ui/select.tsx'
import { Form, FormButtons } from '../../ui/form/form.tsx'
import type { DialogControls } from '../../ui/form/formDialog.tsx'
import { useDebounced } from '../../ui/hooks.ts'
import { ConfigurationPicture } from './configurationPicture.tsx'
import { emptyForm, inputOf, useVehicleErrorText } from './form.ts'
import classes from './newVehicle.module.css'
import { RegisterNote } from './registerNote.tsx'
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
  const { t } = useTranslation('vehicle')
  // An administrator who acts for a customer adds to that fleet; one who acts for nobody is asked whose vehicle it is.
  const acting = useActing()
  const seesSite = useSeesSite()
  const configs = useVehicleConfigs()
  const registers = useWho().vehicleRegister === true
  const add = useCall(calls.new, { doing: 'vehicle:creating', done: 'vehicle:created' })
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

  return (
    <Form
      form={form}
      onSubmit={async wish => {
        const { picked: _, ...vehicleData } = wish
        const customer = acting?.seq_id ?? picked
        onAdded(await add.mutateAsync({ vehicleData, ...(customer !== null && { seq_id: customer }) }))
      }}
    >
      <div className={classes.form}>
        <Paper className={classes.fields}>
          {seesSite && (
            <CustomerPicker
              value={picked}
              onChange={customer => form.set({ picked: customer })}
              error={form.error('picked')}
            />
          )}
          <VehicleFields
            form={form}
            configs={configs}
            plateNote={registers && <RegisterNote form={form} />}
            focused={!seesSite}
          />
        </Paper>
        <Paper className={classes.preview}>
          {config ? (
            <ConfigurationPicture config={config} />
          ) : (
            <Text size="sm" c="dimmed" ta="center">
              {t('previewHint')}
            </Text>
          )}
        </Paper>
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

type PickerProps = { value: number | null; onChange: (customer: number | null) => void; error?: string | undefined }

/** Whose vehicle it is; only an administrator is asked. Looks customers up by what is typed. */
function CustomerPicker({ value, onChange, error }: PickerProps) {
  const { t } = useTranslation('vehicle')
  const [search, setSearch] = useState('')
  const [name, setName] = useState('')
  // The name of the one that was picked is not a search.
  const wanted = useDebounced(search === name ? '' : search, 200)
  const found = useAnswer(calls.findcustomerbyname, { string: wanted }, { keep: true })
  const options = (found.data ?? []).map(customer => ({
    value: String(customer.seq_id),
    label: [customer.companyname || customer.name, customer.city].filter(Boolean).join(', '),
  }))
  if (value !== null && !options.some(option => option.value === String(value))) {
    options.unshift({ value: String(value), label: name })
  }
  return (
    <Choice
      label={t('customer')}
      placeholder={t('customerSearch')}
      data={options}
      value={value === null ? null : String(value)}
      onChange={(id, option) => {
        setName(option?.label ?? '')
        onChange(id === null ? null : Number(id))
      }}
      searchValue={search}
      onSearchChange={setSearch}
      // The server has searched already, in more than the label shows.
      filter={({ options: all }) => all}
      nothingFoundMessage={found.isFetching ? t('searching') : t('noCustomer')}
      error={error}
      searchable
      required
      data-autofocus
    />
  )
}
