/** Builds a vehicle configuration, or changes one, with its picture beside it. */
import { Alert, Button, SimpleGrid, Text, TextInput } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import {
  maxLocalAxles,
  maxConfigurationNameLength,
  configurationTemplates,
  drawingLimits,
  sameWheels,
  type Axle,
  type TemplateName,
  defaultAxleWidth,
} from '#domain/vehicles/axle.ts'
import { templateKeys } from '#domain/texts/templateKeys.ts'
import type { RawInput } from '#contract/call.ts'
import { type AdminVehicleConfig, vehicleConfigForm, vehicleConfigs as calls } from '#contract/vehicleConfigs.ts'
import type { VehicleConfig } from '#contract/wire.ts'
import { useCall } from '../shared/api.ts'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { ConfigurationPicture } from '../vehicles/diagram/configurationPicture.tsx'
import { Choice } from '../ui/select.tsx'
import { changesOf } from '../ui/form/changes.ts'
import { Form, FormActions } from '../ui/form/form.tsx'
import type { DialogControls } from '../ui/form/formDialog.tsx'
import { NumberField, useComplaint } from '../ui/form/numberField.tsx'
import { axlesOf, type AxleRow, problemOf, rowsOf } from './axleDraft.ts'
import { Axles } from './axles.tsx'
import classes from './vehicleConfigs.module.css'

type FormProps = {
  /** The configuration to edit; `null` for a new one. */
  kept: AdminVehicleConfig | null
  /** The template of a new one. */
  from: VehicleConfig | null
  dialog: DialogControls
  onMade: (made: AdminVehicleConfig) => void
}

/** A new one begins as a car. */
const first = configurationTemplates[0]

const wired = ({ type, lift, drive, steering, left, right }: Axle) => ({
  type,
  lift_axle: lift,
  drive_axle: drive,
  steering_axle: steering,
  wheels_left: left,
  wheels_right: right,
})

type Fields = {
  description: string
  axle_height: number | string
  axle_width: number | string
  rows: readonly AxleRow[]
  /** The template that a new one began with. */
  template: TemplateName | null
}

export function VehicleConfigForm({ kept, from, dialog, onMade }: FormProps) {
  const { t } = useTranslation(['config', 'vehicles', 'common', 'failures'])
  const save = useCall(calls.save, { doing: 'config:vehicleConfigs.saving', done: 'config:vehicleConfigs.saved' })
  const [before] = useState<VehicleConfig>(() => ({
    description: kept?.config.description ?? '',
    source: 'local',
    axle_height: from?.axle_height ?? 100,
    axle_width: from?.axle_width ?? defaultAxleWidth(first.axles),
    axles: [...(from?.axles ?? first.axles)],
  }))
  const configIn = (values: Fields): VehicleConfig => ({
    ...before,
    description: values.description.trim(),
    axle_height: inLimits(values.axle_height, drawingLimits.axleHeight) ?? before.axle_height,
    axle_width: inLimits(values.axle_width, drawingLimits.axleWidth) ?? before.axle_width,
    axles: axlesOf(values.rows),
  })
  const complaint = useComplaint()
  const sizeError = (value: number | string, [min, max]: readonly [number, number]) =>
    value === '' ? t('vehicles:required') : complaint({ min, max, value })
  const had = kept ? kept.vehicle_count + kept.removed_count : 0
  const fixed = had > 0
  /** A vehicle got it while it was open here. */
  const isTooLate = ({ rows }: Fields) => kept !== null && fixed && !sameWheels(axlesOf(rows), kept.config.axles)
  const form = useContractForm({
    initial: {
      description: before.description,
      axle_height: before.axle_height,
      axle_width: before.axle_width,
      rows: rowsOf(before.axles),
      template: from ? null : first.name,
    } as Fields,
    schema: vehicleConfigForm,
    // Of an existing one only the changes are sent.
    input(values) {
      const { axles, source: _, ...config } = configIn(values)
      const wish = { ...config, axles: axles.map(wired) }
      if (!kept) return wish
      const { source: __, ...saved } = before
      return { _id: kept._id, ...changesOf({ ...saved, axles: before.axles.map(wired) }, wish) }
    },
    text: useFieldErrorText(),
    rules: values => ({ wheels: isTooLate(values) ? t('failures:configuration.wheels_fixed') : undefined }),
    liveErrors: ({ axle_height, axle_width }) => ({
      axle_height: sizeError(axle_height, drawingLimits.axleHeight),
      axle_width: sizeError(axle_width, drawingLimits.axleWidth),
    }),
    errorsOnBlur: () => false,
    refusals: { 'configuration.name_taken': 'description' },
    dialog,
  })
  const { description, rows, template } = form.values
  const config = configIn(form.values)
  const tooLate = isTooLate(form.values)
  const { tried, focusInvalid } = form
  useEffect(() => {
    if (tried && tooLate) focusInvalid()
    // oxlint-disable-next-line react/exhaustive-deps -- when it turns out to be too late after an attempt
  }, [tooLate])

  function begin(name: string | null) {
    const chosen = configurationTemplates.find(each => each.name === name)
    if (!chosen) return
    // Typed input is kept; values of the previous template are replaced.
    const given = template ? t(`config:vehicleConfigs.template.${templateKeys[template]}`) : ''
    form.set({
      ...((description === '' || description === given) && {
        description: t(`config:vehicleConfigs.template.${templateKeys[chosen.name]}`),
      }),
      template: chosen.name,
      rows: rowsOf(chosen.axles),
      axle_width: defaultAxleWidth(chosen.axles),
    })
  }

  function putBack() {
    if (kept) form.set({ rows: rowsOf(kept.config.axles) })
    // The button is removed with the alert.
    form.ref.current?.querySelector('input')?.focus()
  }

  async function send(wish: RawInput<typeof calls.save>) {
    if (kept && !form.dirty) return dialog.close()
    const saved = await save.mutateAsync(wish)
    dialog.close()
    if (!kept) onMade(saved)
  }
  return (
    <Form form={form} onSubmit={send} className={classes.form}>
      <div className={classes.fields}>
        {fixed && !tooLate && (
          <Alert icon={<IconLock aria-hidden />} p="xs">
            {t('config:vehicleConfigs.fixed', { count: had })}
          </Alert>
        )}
        {tooLate && kept && (
          <Alert color="orange" icon={<IconLock aria-hidden />} role="alert" tabIndex={-1} data-invalid-part>
            <Text size="sm">{t('failures:configuration.wheels_fixed')}</Text>
            <Button size="xs" variant="default" mt="xs" onClick={putBack}>
              {t('config:vehicleConfigs.putBack')}
            </Button>
          </Alert>
        )}
        <SimpleGrid cols={kept ? 1 : { base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
          <TextInput
            {...form.text('description')}
            label={t('config:vehicleConfigs.description')}
            maxLength={maxConfigurationNameLength}
            required
            data-autofocus
          />
          {!kept && (
            <Choice
              label={t('config:vehicleConfigs.start')}
              description={t('config:vehicleConfigs.startHint')}
              placeholder={t('config:choose')}
              data={configurationTemplates.map(({ name }) => ({
                value: name,
                label: t(`config:vehicleConfigs.template.${templateKeys[name]}`),
              }))}
              value={template}
              onChange={begin}
              searchable
            />
          )}
        </SimpleGrid>
        <Axles
          rows={rows}
          change={next => form.set({ rows: next })}
          fixed={fixed}
          problem={problemOf(rows)}
          tried={tried}
          most={maxLocalAxles}
        />
        <SimpleGrid cols={2} spacing="md" verticalSpacing="sm">
          <NumberField
            {...form.number('axle_height')}
            label={t('config:vehicleConfigs.height')}
            {...numberProps(drawingLimits.axleHeight)}
          />
          <NumberField
            {...form.number('axle_width')}
            label={t('config:vehicleConfigs.width')}
            {...numberProps(drawingLimits.axleWidth)}
          />
        </SimpleGrid>
      </div>
      <section className={classes.preview} aria-label={t('config:vehicleConfigs.picture')}>
        <ConfigurationPicture config={config} />
      </section>
      <FormActions
        form={form}
        dialog={dialog}
        submit={t(kept ? 'config:save' : 'config:add')}
        className={classes.formActions}
      />
    </Form>
  )
}

const numberProps = ([min, max]: readonly [number, number]) => ({
  min,
  max,
  step: 10,
  autoComplete: 'off',
})

/** The number, clamped to its limits; `null` for text that is no number. */
function inLimits(typed: number | string, [least, most]: readonly [number, number]): number | null {
  const number = typeof typed === 'number' ? typed : Number.parseInt(typed, 10)
  return Number.isFinite(number) ? Math.min(most, Math.max(least, Math.round(number))) : null
}
