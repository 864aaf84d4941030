/** Tread depths of tyres, measured on one day. What was typed stays when the server refuses. */
import { NumberInput, SimpleGrid, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { tyres as calls } from '#contract/tyres.ts'
import type { Tyre } from '#contract/wire.ts'
import type { IsoDate } from '#domain/date.ts'
import { tachometer } from '#domain/operation.ts'
import { clampDepth, depth } from '#domain/tyre.ts'
import { ask, invalidate, messageOf, Refused } from '../api.ts'
import { useSite } from '../session.ts'
import { confirmFirst } from '../../ui/confirm.tsx'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { DateField } from '../../ui/dateField.tsx'
import { Form, FormActions } from '../../ui/form/form.tsx'
import type { DialogControls } from '../../ui/form/formDialog.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { formatDate } from '../format.ts'
import { useToday } from '../hooks.ts'
import { notify } from '../../ui/notify.ts'
import { TreadDepth } from './treadDepth.tsx'
import classes from './vehicleView.module.css'

type MeasureDepthsProps = { tyres: readonly Tyre[]; dialog: DialogControls }

/** So many readings the server takes at once. */
const atOnce = 200

type Fields = {
  date: IsoDate | null
  odometer: number | null
  /**
   * By tyre, as they were typed: '8.' on the way to 8.25 is no number yet, and must not be taken from under somebody's
   * fingers.
   */
  depths: Readonly<Record<string, string>>
}

export function MeasureDepths({ tyres, dialog }: MeasureDepthsProps) {
  const { t } = useTranslation(['fleet', 'common', 'vehicle'])
  const { allowTachometer } = useSite()
  const today = useToday()
  const form = useForm<Fields>({
    initial: { date: today, odometer: null, depths: {} },
    isDirty: ({ odometer, depths }) => odometer !== null || Object.keys(depths).length > 0,
    liveErrors: ({ date }) => ({ date: date === null ? t('vehicle:required') : undefined }),
    dialog,
  })
  const { date, odometer, depths } = form.values
  const readings = tyres.flatMap(({ db_id }) => {
    const measured = clampDepth(Number(depths[db_id] ?? Number.NaN))
    return measured === null || date === null
      ? []
      : [{ db_id, profile_depth: measured, profile_date: date, profile_tacho: odometer }]
  })

  async function send() {
    if (readings.length === 0) return
    let saved = true
    for (let from = 0; saved && from < readings.length; from += atOnce) {
      const part = readings.slice(from, from + atOnce)
      saved = await save(part, false)
      // What is kept is not sent once more when a later part is refused.
      const kept = new Set(part.map(({ db_id }) => String(db_id)))
      if (saved)
        form.set(now => ({ depths: Object.fromEntries(Object.entries(now.depths).filter(([id]) => !kept.has(id))) }))
    }
    if (saved) dialog.close()
  }

  /** Answers whether these are kept. A tyre that would have grown is asked about, and nothing kept without a yes. */
  async function save(part: typeof readings, deeper: boolean): Promise<boolean> {
    const toast = notify.doing(t('fleet:measuring', { count: part.length }))
    try {
      await ask(calls.measure, { readings: part, ...(deeper && { deeper }) })
      void invalidate(calls.measure.invalidates)
      notify.success(t('fleet:measured', { count: part.length }), { id: toast })
      return true
    } catch (error) {
      if (!(error instanceof Refused && error.code === 'tyre.deeper' && !deeper)) {
        if (error instanceof Refused && error.status === 401) notify.hide(toast)
        else notify.error(messageOf(error), { id: toast })
        return false
      }
      notify.hide(toast)
      const grown: readonly unknown[] = Array.isArray(error.params.tyres) ? error.params.tyres : []
      const positions = tyres.filter(({ db_id }) => grown.includes(db_id)).map(({ position }) => position)
      const sure = await confirmFirst({
        title: t('fleet:deeperQuestion'),
        text: t('fleet:deeperText', { count: positions.length, positions: positions.join(', ') }),
        confirm: t('fleet:deeperYes'),
        keep: t('fleet:deeperNo'),
      })
      return sure && save(part, true)
    }
  }

  return (
    <Form form={form} onSubmit={send}>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <DateField {...form.date('date')} label={t('fleet:measuredOn')} maxDate={today} required />
          {allowTachometer && (
            <NumberInput
              label={t('fleet:odometer')}
              value={odometer ?? ''}
              onChange={value => form.set({ odometer: typeof value === 'number' ? value : null })}
              min={tachometer.min}
              max={tachometer.max}
              step={tachometer.step}
              allowDecimal={false}
              allowNegative={false}
              clampBehavior="blur"
              thousandSeparator=" "
              suffix=" km"
              hideControls
            />
          )}
        </SimpleGrid>
        <DataTable
          columns={[
            {
              id: 'position',
              header: t('common:tyre.position'),
              render: tyre => tyre.position,
              className: classes.position,
            },
            {
              id: 'description',
              header: t('common:tyre.description'),
              render: tyre => (
                <>
                  {tyre.description}
                  <Text size="xs" c="dimmed">
                    {tyre.tyre_set ?? t('common:tyre.setless')}
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
                  <TreadDepth tyre={tyre} />
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
                <NumberInput
                  aria-label={t('fleet:depthOf', { position: tyre.position, description: tyre.description })}
                  value={depths[tyre.db_id] ?? ''}
                  onChange={value => {
                    const { [tyre.db_id]: _, ...others } = depths
                    form.set({ depths: value === '' ? others : { ...others, [tyre.db_id]: String(value) } })
                  }}
                  min={depth.min}
                  max={depth.max}
                  step={depth.step}
                  decimalScale={2}
                  clampBehavior="blur"
                  // A comma is what a Belgian keyboard has beside its digits.
                  allowedDecimalSeparators={[',', '.']}
                  // typed one by one it is taken; of a pasted text it would be lost, and 7,1 be 71
                  onPaste={event => {
                    const pasted = /^(\d+),(\d+)\s*(?:mm)?$/.exec(event.clipboardData.getData('text').trim())
                    if (!pasted) return
                    event.preventDefault()
                    form.set({ depths: { ...depths, [tyre.db_id]: `${pasted[1]}.${pasted[2]}` } })
                  }}
                  suffix=" mm"
                  hideControls
                  className={classes.depthField}
                  {...(tyre === tyres[0] && { 'data-autofocus': true })}
                />
              ),
            },
          ]}
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
