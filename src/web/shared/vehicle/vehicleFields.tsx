/** The fields of a vehicle with the rules of SPEC §5 "Vehicle", for a new one and for one that is changed. */
import { Fieldset, SimpleGrid, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { VehicleConfig } from '#contract/wire.ts'
import { normalizePlate } from '#domain/plate.ts'
import { vehicleKind, vehicleLimits } from '#domain/vehicle.ts'
import { useExtra, useSite } from '../session.ts'
import { Choice } from '../../ui/choice.tsx'
import { type Complaint, kindNamed, type VehicleForm } from './form.ts'
import classes from './newVehicle.module.css'

type VehicleFieldsProps = {
  form: VehicleForm
  change: (form: VehicleForm) => void
  /** What is wrong with each field; one complains after it was left. */
  complaints: Record<string, Complaint>
  /** All fields complain: somebody tried to send them. */
  tried: boolean
  /** A plate that the server refused because another vehicle has it. */
  plateTaken: string | null
  /** The configurations to choose from; left out where that is no field of the form. */
  configs?: readonly VehicleConfig[]
  /** The first field takes the focus when the dialog around it opens. */
  focused?: boolean
}

export function VehicleFields({ form, change, complaints, tried, plateTaken, configs, focused }: VehicleFieldsProps) {
  const { t } = useTranslation(['vehicle', 'failures'])
  const { mode } = useSite()
  const { vehicleTypes } = useExtra()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const leave = (field: string) => setLeft(before => new Set(before).add(field))
  const said = (field: string): string | undefined => {
    if (field === 'license_plate' && plateTaken !== null && plateTaken === normalizePlate(form.license_plate)) {
      return t('failures:vehicle.plate_taken')
    }
    const complaint = complaints[field]
    if (!complaint || !(tried || left.has(field))) return undefined
    return complaint.why === 'tooLong' ? t('vehicle:tooLong', { count: complaint.max }) : t(`vehicle:${complaint.why}`)
  }
  type Text = Exclude<keyof VehicleForm, 'driver'>
  const text = (field: Text, max: number) => ({
    label: t(`vehicle:${field}`),
    value: form[field],
    onChange: (event: { currentTarget: { value: string } }) => change({ ...form, [field]: event.currentTarget.value }),
    onBlur: () => leave(field),
    error: said(field),
    maxLength: max,
    autoComplete: 'off',
  })
  const driver = (field: keyof VehicleForm['driver'], max: number) => ({
    label: t(`vehicle:driver.${field}`),
    value: form.driver[field],
    onChange: (event: { currentTarget: { value: string } }) =>
      change({ ...form, driver: { ...form.driver, [field]: event.currentTarget.value } }),
    onBlur: () => leave(`driver.${field}`),
    error: said(`driver.${field}`),
    maxLength: max,
    autoComplete: 'off',
  })
  const types = vehicleTypes.map(({ vet_description: type }) => {
    const kind = kindNamed(type)
    return { value: type, label: kind ? t(`vehicle:kind.${kind}`) : type }
  })
  // A vehicle is kept with its kind, which the site may call by a word of its own; an imported one can have any word.
  const kind = vehicleKind(form.type)
  const chosen =
    types.find(({ value }) => value === form.type) ??
    (kind === 'unknown' ? undefined : types.find(({ value }) => vehicleKind(value) === kind))
  if (!chosen && form.type) {
    types.push({ value: form.type, label: kind === 'unknown' ? form.type : t(`vehicle:kind.${kind}`) })
  }

  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
        <TextInput
          {...text('license_plate', 40)}
          data-autofocus={focused || undefined}
          onBlur={() => {
            change({ ...form, license_plate: normalizePlate(form.license_plate) })
            leave('license_plate')
          }}
          autoCapitalize="characters"
          spellCheck={false}
          required
        />
        {mode !== 'hotelonly' && <TextInput {...text('number', 40)} />}
        <TextInput {...text('brand', vehicleLimits.brand)} required />
        <TextInput {...text('description', vehicleLimits.description)} required />
        <Choice
          label={t('vehicle:type')}
          data={types}
          value={(chosen?.value ?? form.type) || null}
          onChange={type => change({ ...form, type: type ?? '' })}
          onBlur={() => leave('type')}
          error={said('type')}
          searchable
          required
        />
        <TextInput
          {...text('chassis_number', vehicleLimits.chassis_number)}
          spellCheck={false}
          autoCapitalize="characters"
        />
        {configs && (
          <Choice
            label={t('vehicle:configuration')}
            data={configs.map(({ description }) => description)}
            value={form.configuration || null}
            onChange={configuration => change({ ...form, configuration: configuration ?? '' })}
            onBlur={() => leave('configuration')}
            error={said('configuration')}
            description={t('vehicle:configurationHint')}
            searchable
            required
            className={classes.wide}
          />
        )}
      </SimpleGrid>
      <Fieldset
        legend={t('vehicle:driverLegend')}
        variant="unstyled"
        classNames={{ root: classes.driver, legend: classes.legend }}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
          <TextInput {...driver('name', vehicleLimits.driver_name)} />
          <TextInput {...driver('email', vehicleLimits.email)} type="email" inputMode="email" />
          <TextInput {...driver('mobile_no', vehicleLimits.mobile_no)} type="tel" />
          <TextInput {...driver('telephone_no', vehicleLimits.telephone_no)} type="tel" />
        </SimpleGrid>
      </Fieldset>
    </>
  )
}
