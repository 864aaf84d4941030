/** The fields of a vehicle, for a new one and for one that is changed. */
import { Fieldset, SimpleGrid, TextInput } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { VehicleConfig } from '#contract/wire.ts'
import { normalizePlate } from '#domain/vehicles/plate.ts'
import { vehicleKind, vehicleLimits, yearlyDistance } from '#domain/vehicles/vehicle.ts'
import { useExtra, useSite } from '../shared/session.ts'
import { Choice } from '../ui/select.tsx'
import { DateField } from '../ui/dateField.tsx'
import { NumberField } from '../ui/form/numberField.tsx'
import type { Form } from '../ui/form/useForm.ts'
import { kindNamed, type TextField, type VehicleForm, withType } from './form.ts'
import classes from './newVehicle.module.css'

type VehicleFieldsProps = {
  form: Pick<Form<VehicleForm>, 'values' | 'set' | 'leave' | 'text' | 'number' | 'choice' | 'date'>
  /** The configurations to choose from; left out where that is no field of the form. */
  configs?: readonly VehicleConfig[]
  /** Notes under the plate and under the configuration. */
  plateNote?: ReactNode
  configNote?: ReactNode
  /** The first field takes the focus when the dialog around it opens. */
  focused?: boolean
}

export function VehicleFields({ form, configs, plateNote, configNote, focused }: VehicleFieldsProps) {
  const { t } = useTranslation('vehicles')
  const { mode } = useSite()
  const { vehicleTypes } = useExtra()
  const { values } = form
  const text = (field: TextField, max: number) => ({
    ...form.text(field),
    label: t(`${field}`),
    maxLength: max,
  })
  const driver = (field: keyof VehicleForm['driver'], max: number) => ({
    ...form.text(`driver.${field}`),
    label: t(`driver.${field}`),
    maxLength: max,
  })
  const types = vehicleTypes.map(({ vet_description: type }) => {
    const kind = kindNamed(type)
    return { value: type, label: kind ? t(`kind.${kind}`) : type }
  })
  // A vehicle is kept with its kind, which the site may call by a word of its own; an imported one can have any word.
  const kind = vehicleKind(values.type)
  const chosen =
    types.find(({ value }) => value === values.type) ??
    (kind === 'unknown' ? undefined : types.find(({ value }) => vehicleKind(value) === kind))
  if (!chosen && values.type) {
    types.push({ value: values.type, label: kind === 'unknown' ? values.type : t(`kind.${kind}`) })
  }

  // A field of the contract without an input does not compile.
  const inputs = {
    license_plate: (
      <div>
        <TextInput
          {...text('license_plate', 40)}
          data-autofocus={focused || undefined}
          onBlur={() => {
            form.set({ license_plate: normalizePlate(values.license_plate) })
            form.leave('license_plate')
          }}
          autoCapitalize="characters"
          spellCheck={false}
          required
        />
        {plateNote}
      </div>
    ),
    number: mode !== 'hotelonly' && <TextInput {...text('number', 40)} />,
    brand: <TextInput {...text('brand', vehicleLimits.brand)} required />,
    description: <TextInput {...text('description', vehicleLimits.description)} required />,
    type: (
      <Choice
        {...form.choice('type')}
        label={t('type')}
        data={types}
        value={(chosen?.value ?? values.type) || null}
        onChange={next => next !== null && form.set(configs ? withType(values, next, configs) : { type: next })}
        searchable
        required
      />
    ),
    chassis_number: (
      <TextInput
        {...text('chassis_number', vehicleLimits.chassis_number)}
        spellCheck={false}
        autoCapitalize="characters"
      />
    ),
    cost_centre: <TextInput {...text('cost_centre', vehicleLimits.cost_centre)} />,
    yearly_distance: (
      <NumberField
        {...form.number('yearly_distance')}
        label={t('yearly_distance')}
        min={yearlyDistance.min}
        max={yearlyDistance.max}
        suffix=" km"
        hideControls
      />
    ),
    contract_end: <DateField {...form.date('contract_end')} label={t('contract_end')} clearable />,
    configuration: configs && (
      <div className={classes.wide}>
        <Choice
          {...form.choice('configuration')}
          label={t('configuration')}
          data={configs.map(({ description }) => description)}
          value={values.configuration || null}
          description={t('configurationHint')}
          searchable
          required
        />
        {configNote}
      </div>
    ),
  } satisfies Record<TextField | 'yearly_distance' | 'contract_end', ReactNode>
  const driverInputs = {
    name: <TextInput {...driver('name', vehicleLimits.driver_name)} />,
    email: <TextInput {...driver('email', vehicleLimits.email)} type="email" inputMode="email" />,
    mobile_no: <TextInput {...driver('mobile_no', vehicleLimits.mobile_no)} type="tel" />,
    telephone_no: <TextInput {...driver('telephone_no', vehicleLimits.telephone_no)} type="tel" />,
  } satisfies Record<keyof VehicleForm['driver'], ReactNode>

  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
        {inOrder(inputs)}
      </SimpleGrid>
      <Fieldset
        legend={t('driverLegend')}
        variant="unstyled"
        classNames={{ root: classes.driver, legend: classes.legend }}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
          {inOrder(driverInputs)}
        </SimpleGrid>
      </Fieldset>
    </>
  )
}

const inOrder = (inputs: Readonly<Record<string, ReactNode>>): ReactNode =>
  Object.entries(inputs).map(([field, input]) => <Fragment key={field}>{input}</Fragment>)
