/** The depths of tyres as they are typed, the readings in them, and how they are saved. */
import type { KeyboardEvent } from 'react'
import { tyres as calls } from '#contract/tyres.ts'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import { tachometer } from '#domain/operations/operation.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import { clampDepth, likelyDepth } from '#domain/tyres/tyre.ts'
import { ask, invalidate, messageOf, Refused } from '../../shared/api.ts'
import { useToday } from '../../shared/hooks.ts'
import { useUndoable } from '../../shared/undo/undo.ts'
import { confirmFirst } from '../../ui/confirm.tsx'
import type { DialogControls } from '../../ui/form/formDialog.tsx'
import { lossOf } from '../../ui/form/loss.ts'
import { useComplaint } from '../../ui/form/numberField.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { useLatest } from '../../ui/hooks.ts'
import { notify } from '../../ui/notify.ts'
import { useTranslation } from '../../ui/texts.ts'
import { positionsIn } from '../diagram/positionOrder.ts'

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

type Reading = { db_id: number; profile_depth: number; profile_date: IsoDate; profile_tacho: number | null }

/** Saves readings of the tyres of a vehicle; answers whether it did. A depth above an earlier one needs a yes first. Never rejects: a toast says why not. */
function useSaveReadings(vehicle: Vehicle, tyres: readonly Tyre[]) {
  const { t } = useTranslation(['fleet', 'common'])
  const undoable = useUndoable()
  return async function save(part: readonly Reading[], deeper = false): Promise<boolean> {
    const toast = notify.doing(t('fleet:measuring', { count: part.length }))
    try {
      await ask(calls.measure, { readings: [...part], ...(deeper && { deeper }) })
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
}

/** The form of a measurement. `tyres` are in the order in which they are measured. */
export function useMeasurement(vehicle: Vehicle, tyres: readonly Tyre[], dialog: DialogControls) {
  const { t } = useTranslation(['fleet', 'vehicles'])
  const today = useToday()
  const complaint = useComplaint()
  const save = useSaveReadings(vehicle, tyres)
  const form = useForm<Fields>({
    initial: { date: today, odometer: null, depths: {}, doubts: {} },
    loss: ({ odometer, depths }) => lossOf({ odometer: null, depths: {} }, { odometer, depths }),
    liveErrors: ({ date, odometer: value }) => ({
      date: date === null ? t('vehicles:required') : undefined,
      odometer: complaint({ ...tachometer, value: value ?? '' }),
    }),
    errors: ({ doubts }) => Object.fromEntries(Object.keys(doubts).map(id => [`doubts.${id}`, t('fleet:doubtFirst')])),
    dialog,
  })
  const { date, odometer, depths, doubts } = form.values
  const latest = useLatest(depths)
  const readings: readonly Reading[] = tyres.flatMap(({ db_id }) => {
    const clamped = clampDepth(Number(depths[db_id] ?? Number.NaN))
    return clamped === null || date === null
      ? []
      : [{ db_id, profile_depth: clamped, profile_date: date, profile_tacho: odometer }]
  })

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
      if (!(await save(part))) return
      // Saved depths are not sent again when a later part is refused; depths typed meanwhile stay.
      const kept = new Set(part.map(({ db_id }) => String(db_id)))
      form.set(now => ({
        depths: Object.fromEntries(Object.entries(now.depths).filter(entry => !(kept.has(entry[0]) && isSent(entry)))),
      }))
    }
    if (Object.entries(latest.current).every(isSent)) dialog.close()
  }

  return { form, readings, put, limit, goOn, send }
}
