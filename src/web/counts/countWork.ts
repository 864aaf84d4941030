/** The scans on the screen of a count: a place, its wheels, the next place (docs/product/warehouse.md "Counting"). */
import { type CountDifference, counts as calls } from '#contract/counts.ts'
import { type Command, isCommand, isLocation, type Label } from '#domain/warehouse/barcode.ts'
import type { Solution } from '#domain/warehouse/count.ts'
import type { CountedLabel, CountedPlace, RecordOf, ScanRecord } from '../scanning/records.ts'
import { useAnswered, useScans } from '../scanning/scans.ts'
import { type Spoken, useScanWork } from '../scanning/scanWork.ts'
import { useCall } from '../shared/api.ts'
import { useSite } from '../shared/session.ts'
import { useTranslation } from '../ui/texts.ts'
import { type Course, outcomeOf, placeName, scanPlace, scanWheel, solvable, undo, withSolved } from './countReducer.ts'

type PlaceRecord = RecordOf<'count'>

const isOf =
  (count: number | null) =>
  (record: ScanRecord): record is PlaceRecord =>
    record.kind === 'count' && record.counted.count === count

/** The work of a count on this device. A place is kept with every scan, and sent when it is done. */
export function useCountWork(course: Course) {
  const { count } = course
  const { t } = useTranslation('counts')
  const { site_number: site } = useSite()
  const { queue, state, add } = useScans('counts')
  const solving = useCall(calls.solve, {
    shown: ['count.solution', 'location.full', 'wheel.step', 'tyre.status_refused'],
  })
  const mine = state.history.filter(isOf(count))
  /** The current records, rendered or not. */
  const current = () => queue.snapshot().history.filter(isOf(count))
  const openNow = () => current().find(record => record.state === 'open') ?? null

  const spoken = ({ sound, text, params }: ReturnType<typeof outcomeOf>): Spoken => ({ sound, words: t(text, params) })
  const keep = (record: PlaceRecord, counted: CountedPlace) => queue.replace({ ...record, counted })
  const close = async (record: PlaceRecord): Promise<Spoken> => {
    await queue.replace({ ...record, at: Date.now(), state: 'waiting' })
    void queue.send()
    return { sound: 'counted', words: t('said.sent', { place: placeName(record.counted) }) }
  }
  const takePlace = async (location: number): Promise<Spoken> => {
    const before = openNow()
    const { opens, notice } = scanPlace(before?.counted ?? null, location, course)
    if (opens && before) await close(before)
    if (opens) await add({ kind: 'count', outcome: 'counted', state: 'open', counted: opens }).kept
    return spoken(notice)
  }
  const takeWheel = async (label: CountedLabel): Promise<Spoken> => {
    const record = openNow()
    const { counted, notice } = scanWheel(record?.counted ?? null, label, site)
    if (record && counted) await keep(record, counted)
    return spoken(notice)
  }
  const takeBack = async (): Promise<Spoken> => {
    const record = openNow()
    const { counted, notice } = undo(record?.counted ?? null)
    if (record && counted) await keep(record, counted)
    return spoken(notice)
  }
  const solve = async (some: readonly CountDifference[], how: Solution, reason?: string): Promise<Spoken> => {
    for (const { finding } of some) {
      await solving.mutateAsync({ finding, how, ...(reason !== undefined && { reason }) })
      for (const record of current()) {
        const counted = withSolved(record.counted, finding, how)
        if (counted) await keep(record, counted)
      }
    }
    return { sound: 'stepped', words: t('said.solved', { count: some.length }) }
  }
  const command = async (what: Command): Promise<Spoken> => {
    const record = openNow()
    if (what === 'undo') return takeBack()
    if (what === 'next' && record) return close(record)
    const how = ({ missing: 'miss', confirm: 'here' } as const)[what as 'missing' | 'confirm']
    const some = record || !how ? [] : solvable(current()[0]?.counted.result, how)
    return some.length === 0 ? { sound: 'not_now', words: t('said.nothing') } : solve(some, how)
  }
  const work = useScanWork(async label => {
    if (isCommand(label)) return command(label.command)
    if (!isLocation(label)) return takeWheel({ tyre: label.tyre, site: label.site })
    if (label.site !== site) return { sound: 'other_site', words: t('said.otherSite') }
    return takePlace(label.location)
  })

  // the server's answer for the place counted last is announced once, when it comes
  useAnswered(queue, records => {
    const [newest] = current().filter(record => record.state !== 'open')
    if (!newest || !records.includes(newest)) return
    const { counted, reason } = newest
    void work.run(async () => spoken(outcomeOf(counted, reason?.kind === 'refused' ? reason.message : null)))
  })

  return {
    /** The place that is being counted, and the one counted last. */
    open: mine.find(record => record.state === 'open') ?? null,
    last: mine.find(record => record.state !== 'open') ?? null,
    /** Places counted on this device that the server may not know yet. */
    unsent: new Set(
      mine.filter(({ state: at }) => at === 'open' || at === 'waiting').map(record => record.counted.location),
    ),
    /** Places that this device has counted. */
    counted: new Set(mine.filter(record => record.state !== 'refused').map(record => record.counted.location)),
    waiting: state.waiting.length,
    message: work.message,
    solving: solving.isPending,
    take: (label: Label) => void work.take(label),
    addBare: () => void work.run(() => takeWheel({ tyre: null, site: null })),
    solve: (difference: CountDifference, how: Solution) => void work.run(() => solve([difference], how)),
    /** Says that it is in order, and why. Rejects when that can't be sent. */
    settle: (difference: CountDifference, reason: string) => work.attempt(() => solve([difference], 'done', reason)),
  }
}
export type CountWork = ReturnType<typeof useCountWork>
