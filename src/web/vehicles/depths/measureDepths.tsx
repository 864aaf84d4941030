/** The form for the tread depths of tyres, measured on one day. Input stays when the server refuses. */
import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useTranslation } from '../../ui/texts.ts'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import { clampDepth, depth, likelyDepth } from '#domain/tyres/tyre.ts'
import { useSite } from '../../shared/session.ts'
import type { Columns } from '../../ui/dataTable/column.ts'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { BelowCell } from '../../ui/dataTable/secondaryText.tsx'
import { DateField } from '../../ui/dateField.tsx'
import { Form, FormActions } from '../../ui/form/form.tsx'
import type { DialogControls } from '../../ui/form/formDialog.tsx'
import { formatDate, formatDepth } from '../../shared/format.ts'
import { useToday } from '../../shared/hooks.ts'
import { NumberField } from '../../ui/form/numberField.tsx'
import { inMeasuringOrder } from '../diagram/positionOrder.ts'
import { useMeasurement } from './measurement.ts'
import { TreadDepth } from './treadDepth.tsx'
import classes from '../vehicleView.module.css'

type MeasureDepthsProps = { vehicle: Vehicle; tyres: readonly Tyre[]; dialog: DialogControls }

/** The columns of the form: a tyre, its last reading, and the field for the new one. */
function useColumns(
  vehicle: Vehicle,
  tyres: readonly Tyre[],
  measurement: ReturnType<typeof useMeasurement>,
): Columns<Tyre> {
  const { t } = useTranslation(['fleet', 'common'])
  const { form, put, limit, goOn } = measurement
  const { depths, doubts } = form.values
  const setOf = (tyre: Tyre) => tyre.tyre_set ?? t('common:tyre.setless')
  return [
    {
      id: 'position',
      header: t('common:tyre.position'),
      render: tyre => (
        <>
          {tyre.position}
          <BelowCell>{setOf(tyre)}</BelowCell>
          <BelowCell>{t(`common:tyreStatus.${tyre.tyre_status}`)}</BelowCell>
        </>
      ),
      className: classes.position,
    },
    {
      id: 'description',
      header: t('common:tyre.description'),
      render: tyre => (
        <>
          {tyre.description}
          <Text size="xs" c="dimmed">
            {setOf(tyre)} · {t(`common:tyreStatus.${tyre.tyre_status}`)}
          </Text>
        </>
      ),
      from: 'sm',
    },
    {
      id: 'last',
      header: t('fleet:lastReading'),
      render: tyre => (
        <>
          <TreadDepth tyre={tyre} vehicle={vehicle} />
          <Text size="xs" c="dimmed">
            {formatDate(tyre.profile_date)}
          </Text>
        </>
      ),
    },
    {
      id: 'new',
      header: t('fleet:newDepth'),
      render: tyre => (
        <>
          <NumberField
            aria-label={t('fleet:depthOf', {
              position: tyre.position,
              description: `${tyre.description}, ${setOf(tyre)}, ${t(`common:tyreStatus.${tyre.tyre_status}`)}`,
            })}
            value={depths[tyre.db_id] ?? ''}
            onChange={value => {
              // the field reports its own clamping as a change; that is not typing
              if (String(value) !== depths[tyre.db_id]) put(tyre.db_id, String(value))
            }}
            onBlur={() => limit([tyre.db_id])}
            onKeyDown={event => goOn(event, tyre)}
            enterKeyHint="next"
            data-depth
            min={depth.min}
            max={depth.max}
            allowNegative
            clampBehavior="none"
            step={depth.step}
            decimals={2}
            suffix=" mm"
            hideControls
            className={classes.depthField}
            error={doubts[tyre.db_id] !== undefined}
            {...(tyre === tyres[0] && { 'data-autofocus': true })}
          />
          <Doubt typed={doubts[tyre.db_id]} answer={likely => put(tyre.db_id, String(likely))} />
        </>
      ),
    },
  ]
}

/** Fields for the depths of tyres of a vehicle, in the order in which they are measured. */
export function MeasureDepths({ vehicle, tyres: measured, dialog }: MeasureDepthsProps) {
  const { t, i18n } = useTranslation(['fleet', 'common'])
  const tyres = inMeasuringOrder(measured, i18n.language)
  const { allowTachometer } = useSite()
  const today = useToday()
  const measurement = useMeasurement(vehicle, tyres, dialog)
  const columns = useColumns(vehicle, tyres, measurement)
  const { form, readings, send } = measurement
  const { odometer } = form.values
  return (
    <Form form={form} onSubmit={send}>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <DateField {...form.date('date')} label={t('fleet:measuredOn')} maxDate={today} required />
          {allowTachometer && (
            <NumberField
              label={t('fleet:odometer')}
              value={odometer ?? ''}
              onChange={value => form.set({ odometer: value === '' ? null : Number(value) })}
              error={form.error('odometer')}
              suffix=" km"
              hideControls
            />
          )}
        </SimpleGrid>
        <DataTable
          columns={columns}
          rows={tyres}
          keyOf={tyre => tyre.db_id}
          phone={{ heads: 'shown' }}
          className={classes.depths}
          borderless
          still
        />
        <FormActions
          form={form}
          dialog={dialog}
          submit={t('fleet:saveReadings', { count: readings.length })}
          disabled={readings.length === 0}
        />
      </Stack>
    </Form>
  )
}

type DoubtProps = { typed: number | undefined; answer: (depth: number) => void }

/** Asks which depth was meant by one out of range. */
function Doubt({ typed, answer }: DoubtProps) {
  const { t, i18n } = useTranslation(['fleet', 'common'])
  const likely = typed === undefined ? null : likelyDepth(typed)
  const limit = typed === undefined ? null : clampDepth(typed)
  if (typed === undefined || likely === null || limit === null) return null
  const format = (depth: number) => formatDepth(depth, i18n.language)
  return (
    <div role="alert" className={classes.doubt}>
      <Text size="sm">
        {t('fleet:doubt', {
          typed: new Intl.NumberFormat(i18n.language).format(typed),
          limit: format(limit),
          likely: format(likely),
        })}
      </Text>
      <Group gap="xs">
        {[...new Set([likely, limit])].map(depth => (
          <Button key={depth} size="xs" variant="default" data-invalid-part onClick={() => answer(depth)}>
            {t('common:mm', { depth: format(depth) })}
          </Button>
        ))}
      </Group>
    </div>
  )
}
