/** The form that adds a vehicle to a fleet (SPEC §2, §5 "Vehicle"). What was typed stays when the server refuses. */
import { Button, Group, Paper, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fleet as calls } from '#contract/fleet.ts'
import type { Vehicle } from '#contract/wire.ts'
import { normalizePlate } from '#domain/plate.ts'
import { Refused, useAnswer, useCall } from '../api.ts'
import { useActing, useSeesSite, useVehicleConfigs } from '../session.ts'
import { Choice } from '../../ui/choice.tsx'
import { useEntered } from '../../ui/formDialog.tsx'
import { toFirstComplaint } from '../../ui/complaint.ts'
import { useDebounced } from '../../ui/hooks.ts'
import { ConfigurationPicture } from './configurationPicture.tsx'
import { complaintsOf, emptyForm, type VehicleForm } from './form.ts'
import classes from './newVehicle.module.css'
import { VehicleFields } from './vehicleFields.tsx'

type NewVehicleProps = {
  plate?: string
  /** The text of the button that adds it. */
  submit: string
  onAdded: (vehicle: Vehicle) => void
  /** Buttons beside it. */
  children?: ReactNode
  /** The dialog around it hears whether something was typed. */
  entered?: (entered: boolean) => void
}

export function NewVehicle({ plate = '', submit, onAdded, children, entered }: NewVehicleProps) {
  const { t } = useTranslation(['vehicle', 'failures'])
  // An administrator who acts for a customer adds to that fleet; one who acts for nobody is asked whose vehicle it is.
  const acting = useActing()
  const seesSite = useSeesSite()
  const configs = useVehicleConfigs()
  const add = useCall(calls.new, { doing: 'vehicle:creating', done: 'vehicle:created' })
  const [form, setForm] = useState<VehicleForm>(() => emptyForm(plate))
  const [picked, setPicked] = useState<number | null>(null)
  // A field complains after it was left, all do after an attempt to send.
  const [tried, setTried] = useState(false)
  const [taken, setTaken] = useState<string | null>(null)
  const element = useRef<HTMLFormElement>(null)

  useEntered(picked !== null || JSON.stringify(form) !== JSON.stringify(emptyForm(plate)), entered)
  const complaints = complaintsOf(form)
  const config = configs.find(({ description }) => description === form.configuration)
  const customer = acting?.seq_id ?? picked
  const noCustomer = seesSite && picked === null

  async function send(event: FormEvent) {
    event.preventDefault()
    if (add.isPending) return
    if (Object.keys(complaints).length > 0 || noCustomer) {
      setTried(true)
      toFirstComplaint(element)
      return
    }
    try {
      const vehicleData = { ...form, license_plate: normalizePlate(form.license_plate) }
      onAdded(await add.mutateAsync({ vehicleData, ...(customer !== null && { seq_id: customer }) }))
    } catch (error) {
      if (error instanceof Refused && error.code === 'vehicle.plate_taken') setTaken(normalizePlate(form.license_plate))
    }
  }

  return (
    <form ref={element} onSubmit={event => void send(event)} noValidate>
      <div className={classes.form}>
        <Paper className={classes.fields}>
          {seesSite && (
            <CustomerPicker
              value={picked}
              onChange={setPicked}
              error={tried && noCustomer ? t('vehicle:required') : undefined}
            />
          )}
          <VehicleFields
            form={form}
            change={setForm}
            complaints={complaints}
            tried={tried}
            plateTaken={taken}
            configs={configs}
            focused={!seesSite}
          />
        </Paper>
        <Paper className={classes.preview}>
          {config ? (
            <ConfigurationPicture config={config} />
          ) : (
            <Text size="sm" c="dimmed" ta="center">
              {t('vehicle:previewHint')}
            </Text>
          )}
        </Paper>
      </div>
      <Group mt="md" justify="space-between">
        {children ?? <span />}
        <Button type="submit" loading={add.isPending} rightSection={<IconArrowRight size={18} aria-hidden />}>
          {submit}
        </Button>
      </Group>
    </form>
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
    />
  )
}
