/** The scans on the screen of a count: a place, its wheels, the next place (docs/product/warehouse.md "Counting"). */
import { useTranslation } from '../ui/texts.ts'
import { type Counted, type CountDifference, counts as calls } from '#contract/counts.ts'
import { type Command, isCommand, isLocation, type Label } from '#domain/warehouse/barcode.ts'
import { maxCounted, type Solution, solutionsOf } from '#domain/warehouse/count.ts'
import { locationName } from '../shared/format.ts'
import { useCall } from '../shared/api.ts'
import type { CountedLabel, RecordOf, ScanRecord } from '../scanning/records.ts'
import { useAnswered, useScans } from '../scanning/scans.ts'
import { type Spoken, useScanWork } from '../scanning/scanWork.ts'
import { useSite } from '../shared/session.ts'

type PlaceRecord = RecordOf<'count'>
type Named = { readonly _id: number; readonly stock_rack: string; readonly stock_site_name: string }

const isOf =
  (count: number | null) =>
  (record: ScanRecord): record is PlaceRecord =>
    record.kind === 'count' && record.counted.count === count

/**
 * The work of a count on this device. A place is kept with every scan, and sent when it is done. `places`: those that are known;
 * `whole`: there are no others.
 */
export function useCountWork(count: number | null, { places, whole }: { places: readonly Named[]; whole: boolean }) {
  const { t } = useTranslation('counts')
  const site = useSite()
  const { queue, state, add } = useScans('counts')
  const solving = useCall(calls.solve, {
    shown: ['count.solution', 'location.full', 'wheel.step', 'tyre.status_refused'],
  })
  const mine = state.history.filter(isOf(count))
  const open = mine.find(record => record.state === 'open') ?? null
  const last = mine.find(record => record.state !== 'open') ?? null
  /** The current records, rendered or not. */
  const current = () => queue.snapshot().history.filter(isOf(count))
  const openNow = () => current().find(record => record.state === 'open') ?? null

  const close = async (record: PlaceRecord): Promise<Spoken> => {
    await queue.replace({ ...record, at: Date.now(), state: 'waiting' })
    void queue.send()
    return { sound: 'counted', words: t('said.sent', { place: placeName(record) }) }
  }
  const scanPlace = async (location: number): Promise<Spoken> => {
    const before = openNow()
    const place = places.find(({ _id }) => _id === location)
    if (whole && !place) return { sound: 'misplaced', words: t('said.otherPlace') }
    if (before?.counted.location !== location) {
      if (before) await close(before)
      const counted = { count, location, rack: place ? locationName(place) : null, wheels: [] }
      add({ kind: 'count', outcome: 'counted', state: 'open', counted })
    }
    return { sound: 'location', words: t('said.place', { place: place ? locationName(place) : `#${location}` }) }
  }
  const scanWheel = async (label: CountedLabel): Promise<Spoken> => {
    const record = openNow()
    if (!record) return { sound: 'misplaced', words: t('said.placeFirst') }
    const { wheels } = record.counted
    if (label.tyre !== null && wheels.some(wheel => wheel.tyre === label.tyre && wheel.site === label.site))
      return { sound: 'duplicate', words: t('said.again') }
    if (wheels.length === maxCounted) return { sound: 'refused', words: t('said.full') }
    await queue.replace({ ...record, counted: { ...record.counted, wheels: [...wheels, label] } })
    if (label.tyre === null) return { sound: 'found', words: t('said.bare') }
    if (label.site !== site.site_number) return { sound: 'other_site', words: t('said.foreign') }
    return { sound: 'found', words: t('said.wheel', { count: wheels.length + 1 }) }
  }
  const undo = async (): Promise<Spoken> => {
    const record = openNow()
    if (!record || record.counted.wheels.length === 0) return { sound: 'not_now', words: t('said.nothing') }
    await queue.replace({ ...record, counted: { ...record.counted, wheels: record.counted.wheels.slice(0, -1) } })
    return { sound: 'stepped', words: t('said.undone') }
  }
  const solve = async (some: readonly CountDifference[], how: Solution, reason?: string): Promise<Spoken> => {
    for (const { finding } of some) {
      await solving.mutateAsync({ finding, how, ...(reason !== undefined && { reason }) })
      await keepSolved(finding, how)
    }
    return { sound: 'stepped', words: t('said.solved', { count: some.length }) }
  }
  const keepSolved = async (finding: number, how: Solution) => {
    const record = current().find(({ counted: { result } }) =>
      result?.differences.some(difference => difference.finding === finding),
    )
    if (!record?.counted.result) return
    const { result } = record.counted
    const differences = result.differences.map(difference =>
      difference.finding === finding ? { ...difference, solved: how, open: false } : difference,
    )
    await queue.replace({ ...record, counted: { ...record.counted, result: { ...result, differences } } })
  }
  const command = async (what: Command): Promise<Spoken> => {
    const record = openNow()
    if (what === 'undo') return undo()
    if (what === 'next' && record) return close(record)
    const how = ({ missing: 'miss', confirm: 'here' } as const)[what as 'missing' | 'confirm']
    const some = record || !how ? [] : solvable(current()[0]?.counted.result, how)
    if (some.length === 0) return { sound: 'not_now', words: t('said.nothing') }
    return solve(some, how)
  }
  const work = useScanWork(async label => {
    if (isCommand(label)) return command(label.command)
    if (!isLocation(label)) return scanWheel({ tyre: label.tyre, site: label.site })
    if (label.site !== site.site_number) return { sound: 'other_site', words: t('said.otherSite') }
    return scanPlace(label.location)
  })

  useAnswered(queue, records => {
    const [newest] = current().filter(record => record.state !== 'open')
    if (!newest || !records.includes(newest)) return
    const { counted, reason } = newest
    const place = counted.result?.stock_rack ?? placeName({ counted })
    const differences = counted.result?.differences.length ?? 0
    void work.run(() => {
      if (reason?.kind === 'refused')
        return Promise.resolve({ sound: 'refused', words: t('refused', { place, why: reason.message }) })
      return Promise.resolve(
        differences === 0
          ? { sound: 'complete', words: t('said.clean', { place }) }
          : { sound: 'elsewhere', words: t('said.differences', { place, count: differences }) },
      )
    })
  })

  return {
    open,
    last,
    /** Places counted on this device that the server may not know yet. */
    unsent: new Set(
      mine.filter(({ state: at }) => at === 'open' || at === 'waiting').map(record => record.counted.location),
    ),
    /** Places that this device has counted. */
    counted: new Set(mine.filter(record => record.state !== 'refused').map(record => record.counted.location)),
    waiting: state.waiting.length,
    problem: state.problem,
    message: work.message,
    solving: solving.isPending,
    take: (label: Label) => void work.take(label),
    addBare: () => void work.run(() => scanWheel({ tyre: null, site: null })),
    solve: (difference: CountDifference, how: Solution) => void work.run(() => solve([difference], how)),
    /** Says that it is in order, and why. Rejects when that can't be sent. */
    settle: (difference: CountDifference, reason: string) => work.attempt(() => solve([difference], 'done', reason)),
  }
}
export type CountWork = ReturnType<typeof useCountWork>

export const placeName = ({ counted }: Pick<PlaceRecord, 'counted'>): string => counted.rack ?? `#${counted.location}`

/** The open differences that can be solved like this. */
const solvable = (result: Counted | undefined, how: Solution): CountDifference[] =>
  (result?.differences ?? []).filter(
    difference => difference.open && solutionsOf(difference.outcome, difference).includes(how),
  )
