/** The form for the tread depths of tyres, measured on one day. Input stays when the server refuses. */
import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { tyres as calls } from '#contract/tyres.ts'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import { tachometer } from '#domain/operations/operation.ts'
import { clampDepth, depth, likelyDepth } from '#domain/tyres/tyre.ts'
import { ask, invalidate, messageOf, Refused } from '../../shared/api.ts'
import { useSite } from '../../shared/session.ts'
import { confirmFirst } from '../../ui/confirm.tsx'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { BelowCell } from '../../ui/dataTable/secondaryText.tsx'
import { DateField } from '../../ui/dateField.tsx'
import { Form, FormActions } from '../../ui/form/form.tsx'
import { lossOf } from '../../ui/form/loss.ts'
import type { DialogControls } from '../../ui/form/formDialog.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { formatDate, formatDepth } from '../../shared/format.ts'
import { useLatest } from '../../ui/hooks.ts'
import { useToday } from '../../shared/hooks.ts'
import { notify } from '../../ui/notify.ts'
import { NumberField, useComplaint } from '../../ui/form/numberField.tsx'
import { useUndoable } from '../../shared/undo/undo.ts'
import { inMeasuringOrder, positionsIn } from '../diagram/positionOrder.ts'
import { TreadDepth } from './treadDepth.tsx'
import classes from '../vehicleView.module.css'

type MeasureDepthsProps = { vehicle: Vehicle; tyres: readonly Tyre[]; dialog: DialogControls }

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
  /** By tyre, the typed depth where its field now shows the limit. Nothing is saved until each of them is resolved. */
  doubts: Readonly<Record<string, number>>
}

export function MeasureDepths({ vehicle, tyres: measured, dialog }: MeasureDepthsProps) {
  const { t, i18n } = useTranslation(['fleet', 'common', 'vehicle'])
  const tyres = inMeasuringOrder(measured, i18n.language)
  const { allowTachometer } = useSite()
  const today = useToday()
  const complaint = useComplaint()
  const undoable = useUndoable()
  const form = useForm<Fields>({
    initial: { date: today, odometer: null, depths: {}, doubts: {} },
    loss: ({ odometer, depths }) => lossOf({ odometer: null, depths: {} }, { odometer, depths }),
    liveErrors: ({ date, odometer: value }) => ({
      date: date === null ? t('vehicle:required') : undefined,
      odometer: complaint({ ...tachometer, value: value ?? '' }),
    }),
    errors: ({ doubts }) => Object.fromEntries(Object.keys(doubts).map(id => [`doubts.${id}`, t('fleet:doubtFirst')])),
    dialog,
  })
  const { date, odometer, depths, doubts } = form.values
  const latest = useLatest(depths)
  const readings = tyres.flatMap(({ db_id }) => {
    const clamped = clampDepth(Number(depths[db_id] ?? Number.NaN))
    return clamped === null || date === null
      ? []
      : [{ db_id, profile_depth: clamped, profile_date: date, profile_tacho: odometer }]
  })

  const setOf = (tyre: Tyre) => tyre.tyre_set ?? t('common:tyre.setless')

  /** Replaces depths out of range by the limit, and asks about each. Returns whether there were any. */
  function limit(ids: readonly number[]): boolean {
    const wild = ids.filter(id => likelyDepth(Number(depths[id] ?? Number.NaN)) !== null)
    if (wild.length > 0)
      form.set(now => ({
        depths: { ...now.depths, ...Object.fromEntries(wild.map(id => [id, String(clampDepth(Number(depths[id])))])) },
        doubts: { ...now.doubts, ...Object.fromEntries(wild.map(id => [id, Number(depths[id])])) },
      }))
    return wild.length > 0
  }

  function put(id: number, typed: string) {
    const { [id]: _, ...others } = depths
    const { [id]: __, ...doubted } = doubts
    form.set({ depths: typed === '' ? others : { ...others, [id]: typed }, doubts: doubted })
  }

  /** Enter goes on to the next field, as the hand at the next wheel does, and Ctrl+Enter saves. */
  function goOn(event: KeyboardEvent<HTMLInputElement>, tyre: Tyre) {
    if (event.key !== 'Enter') return
    event.preventDefault()
    const doubted = limit([tyre.db_id])
    const save = event.ctrlKey || event.metaKey
    if (save && !doubted) return event.currentTarget.form?.requestSubmit()
    const stops = [...(event.currentTarget.form?.querySelectorAll<HTMLElement>('[data-depth], [type="submit"]') ?? [])]
    if (!save) stops[stops.indexOf(event.currentTarget) + 1]?.focus()
  }

  async function send() {
    if (readings.length === 0 || limit(tyres.map(tyre => tyre.db_id))) return
    const sent = depths
    const isSent = ([id, typed]: [string, string]) => sent[id] === typed
    for (let from = 0; from < readings.length; from += atOnce) {
      const part = readings.slice(from, from + atOnce)
      if (!(await save(part, false))) return
      // Saved depths are not sent again when a later part is refused; depths typed meanwhile stay.
      const kept = new Set(part.map(({ db_id }) => String(db_id)))
      form.set(now => ({
        depths: Object.fromEntries(Object.entries(now.depths).filter(entry => !(kept.has(entry[0]) && isSent(entry)))),
      }))
    }
    if (Object.entries(latest.current).every(isSent)) dialog.close()
  }

  /** Saves depths; returns whether it did. A depth above an earlier one needs a yes first. */
  async function save(part: typeof readings, deeper: boolean): Promise<boolean> {
    const toast = notify.doing(t('fleet:measuring', { count: part.length }))
    try {
      await ask(calls.measure, { readings: part, ...(deeper && { deeper }) })
      void invalidate(calls.measure.invalidates)
      const kept = part.map(({ db_id, profile_depth, profile_date }) => ({ db_id, profile_depth, profile_date }))
      const action = undoable('depth', { plate: vehicle.license_plate, readings: kept })
      notify.success(t('fleet:measured', { count: part.length }), { id: toast, action })
      return true
    } catch (error) {
      if (!(error instanceof Refused && error.code === 'tyre.deeper' && !deeper)) {
        if (error instanceof Refused && error.status === 401) notify.hide(toast)
        else notify.error(messageOf(error), { id: toast })
        return false
      }
      notify.hide(toast)
      const grown: readonly unknown[] = Array.isArray(error.params.tyres) ? error.params.tyres : []
      const deeperOnes = tyres.filter(({ db_id }) => grown.includes(db_id))
      const sure = await confirmFirst({
        title: t('fleet:deeperQuestion'),
        text: t('fleet:deeperText', {
          count: deeperOnes.length,
          positions: positionsIn(deeperOnes, vehicle.tyres, t('common:tyre.setless')),
        }),
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
          columns={[
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
