/** Builds a vehicle configuration, or changes one, with its picture beside it (SPEC §3 "Vehicle configuration", §4). */
import { Alert, Button, Group, NumberInput, SimpleGrid, Text, TextInput } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  axlesMade,
  configurationNameMost,
  configurationTemplates,
  drawingLimits,
  sameWheels,
  type Axle,
  type TemplateName,
  drawnWidth,
} from '#domain/axle.ts'
import { templateKeys } from '#domain/templateKeys.ts'
import { type KeptVehicleConfig, vehicleConfigs as calls } from '#contract/vehicleConfigs.ts'
import type { VehicleConfig } from '#contract/wire.ts'
import { messageOf, Refused, useCall } from '../shared/api.ts'
import { Choice } from '../ui/choice.tsx'
import { type DialogControls, useEntered } from '../ui/form/formDialog.tsx'
import { ConfigurationPicture } from '../shared/vehicle/configurationPicture.tsx'
import { axlesOf, complaintOf, rowsOf } from './axleDraft.ts'
import { Axles } from './axles.tsx'
import { same } from './draft.ts'
import classes from './vehicleConfigs.module.css'

type FormProps = {
  /** What is changed; `null` for a new one. */
  kept: KeptVehicleConfig | null
  /** What a new one begins as. */
  from: VehicleConfig | null
  dialog: DialogControls
  onMade: (made: KeptVehicleConfig) => void
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

export function VehicleConfigForm({ kept, from, dialog, onMade }: FormProps) {
  const { t } = useTranslation(['config', 'vehicle', 'common', 'failures'])
  const save = useCall(calls.save, { doing: 'config:vehicleConfigs.saving', done: 'config:vehicleConfigs.saved' })
  const [before] = useState<VehicleConfig>(() => ({
    description: kept?.config.description ?? '',
    source: 'local',
    axle_height: from?.axle_height ?? 100,
    axle_width: from?.axle_width ?? drawnWidth(first.axles),
    axles: [...(from?.axles ?? first.axles)],
  }))
  const [description, setDescription] = useState(before.description)
  const [height, setHeight] = useState<number | string>(before.axle_height)
  const [width, setWidth] = useState<number | string>(before.axle_width)
  const [rows, setRows] = useState(() => rowsOf(before.axles))
  const [template, setTemplate] = useState<TemplateName | null>(from ? null : first.name)
  /** How often it was tried to save: then every field says what is wrong with it. */
  const [attempts, setAttempts] = useState(0)
  const tried = attempts > 0
  const form = useRef<HTMLFormElement>(null)

  const config: VehicleConfig = {
    ...before,
    description: description.trim(),
    axle_height: inLimits(height, drawingLimits.axleHeight) ?? before.axle_height,
    axle_width: inLimits(width, drawingLimits.axleWidth) ?? before.axle_width,
    axles: axlesOf(rows),
  }
  const changed = (['description', 'axle_height', 'axle_width', 'axles'] as const).filter(
    field => !same(config[field], before[field]),
  )
  useEntered(changed.length > 0, dialog.setDirty)

  const had = kept ? kept.vehicles + kept.removed : 0
  const fixed = had > 0
  // A vehicle got it while it was open here.
  const tooLate = kept !== null && fixed && !sameWheels(config.axles, kept.config.axles)
  const complaint = complaintOf(rows)
  const refused = save.error instanceof Refused && save.error.code === 'configuration.name_taken'
  const taken = refused && save.variables?.description === config.description ? messageOf(save.error) : undefined
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-complains]')?.focus()
    // oxlint-disable-next-line react/exhaustive-deps -- where it goes is asked of the page, which says it once these change
  }, [attempts, tooLate, taken])

  function begin(name: string | null) {
    const chosen = configurationTemplates.find(each => each.name === name)
    if (!chosen) return
    // What was typed stays; what came from another template goes with it.
    const given = template ? t(`config:vehicleConfigs.template.${templateKeys[template]}`) : ''
    if (description === '' || description === given)
      setDescription(t(`config:vehicleConfigs.template.${templateKeys[chosen.name]}`))
    setTemplate(chosen.name)
    setRows(rowsOf(chosen.axles))
    setWidth(drawnWidth(chosen.axles))
  }

  function putBack() {
    if (kept) setRows(rowsOf(kept.config.axles))
    // The button goes with the alert.
    form.current?.querySelector('input')?.focus()
  }

  async function send(event: FormEvent) {
    event.preventDefault()
    if (save.isPending) return
    setAttempts(attempts + 1)
    if (config.description === '' || complaint || tooLate) return
    if (kept && changed.length === 0) return dialog.close()
    const { axles, ...fields } = config
    const wish = {
      ...(!kept || changed.includes('description') ? { description: fields.description } : {}),
      ...(!kept || changed.includes('axle_height') ? { axle_height: fields.axle_height } : {}),
      ...(!kept || changed.includes('axle_width') ? { axle_width: fields.axle_width } : {}),
      ...(!kept || changed.includes('axles') ? { axles: axles.map(wired) } : {}),
    }
    try {
      const saved = await save.mutateAsync(kept ? { _id: kept._id, ...wish } : wish)
      dialog.close()
      if (!kept) onMade(saved)
    } catch {
      // Told in a toast, and at its field.
    }
  }
  return (
    <form ref={form} onSubmit={event => void send(event)} noValidate className={classes.form}>
      <div className={classes.fields}>
        {fixed && !tooLate && (
          <Alert icon={<IconLock aria-hidden />} p="xs">
            {t('config:vehicleConfigs.fixed', { count: had })}
          </Alert>
        )}
        {tooLate && kept && (
          <Alert color="orange" icon={<IconLock aria-hidden />} role="alert" tabIndex={-1} data-complains>
            <Text size="sm">{t('failures:configuration.wheels_fixed')}</Text>
            <Button size="xs" variant="default" mt="xs" onClick={putBack}>
              {t('config:vehicleConfigs.putBack')}
            </Button>
          </Alert>
        )}
        <SimpleGrid cols={kept ? 1 : { base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
          <TextInput
            label={t('config:vehicleConfigs.description')}
            value={description}
            onChange={event => setDescription(event.currentTarget.value)}
            error={taken ?? (tried && config.description === '' ? t('config:complaint.required') : undefined)}
            maxLength={configurationNameMost}
            autoComplete="off"
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
        <Axles rows={rows} change={setRows} fixed={fixed} complaint={complaint} tried={tried} most={axlesMade} />
        <SimpleGrid cols={2} spacing="md" verticalSpacing="sm">
          <NumberInput
            label={t('config:vehicleConfigs.height')}
            value={height}
            onChange={setHeight}
            onBlur={() => setHeight(config.axle_height)}
            {...numberProps(drawingLimits.axleHeight)}
          />
          <NumberInput
            label={t('config:vehicleConfigs.width')}
            value={width}
            onChange={setWidth}
            onBlur={() => setWidth(config.axle_width)}
            {...numberProps(drawingLimits.axleWidth)}
          />
        </SimpleGrid>
      </div>
      <section className={classes.preview} aria-label={t('config:vehicleConfigs.picture')}>
        <ConfigurationPicture config={config} />
      </section>
      <Group justify="flex-end" gap="xs" className={classes.formActions}>
        <Button variant="default" onClick={dialog.cancel}>
          {t('common:cancel')}
        </Button>
        <Button type="submit" loading={save.isPending}>
          {t(kept ? 'config:save' : 'config:add')}
        </Button>
      </Group>
    </form>
  )
}

const numberProps = ([min, max]: readonly [number, number]) => ({
  min,
  max,
  step: 10,
  allowDecimal: false,
  allowNegative: false,
  autoComplete: 'off',
})

/** The number within its limits; none of what is no number. */
function inLimits(typed: number | string, [least, most]: readonly [number, number]): number | null {
  const number = typeof typed === 'number' ? typed : Number.parseInt(typed, 10)
  return Number.isFinite(number) ? Math.min(most, Math.max(least, Math.round(number))) : null
}
