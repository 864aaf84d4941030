/** The scans of intake on this device: its reducer, the lists that it asks, and the scans that it listens to (docs/product/warehouse.md "Intake"). */
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { locations } from '#contract/locations.ts'
import { tyres } from '#contract/tyres.ts'
import { type Command, isCommand, isLocation, type Label } from '#domain/warehouse/barcode.ts'
import { isOfferedType, type OfferedType } from '#domain/tyres/tyre.ts'
import { applyMarked, useSubmitted } from '../handling/desk.ts'
import { type IndexedTyre, outcomeOf, tyreIndex } from '../handling/lookup.ts'
import type { ScannedPlace, ScanRecord } from '../scanning/records.ts'
import { scanFeed } from '../scanning/scanFeed.ts'
import type { ScanQueue } from '../scanning/scanQueue.ts'
import { onMarked } from '../scanning/scanSender.ts'
import { useAnswered, useScans, waitingIn } from '../scanning/scans.ts'
import { play, type Sound } from '../scanning/sounds.ts'
import { ask, useAnswer } from '../shared/api.ts'
import { useRemembered } from '../shared/hooks.ts'
import { useSite } from '../shared/session.ts'
import { questionOfScans } from '../ui/confirm.tsx'
import { useLatest } from '../ui/hooks.ts'
import { type IntakeStep, putOnPlace, recheck, scanPlace, scanTyre, scanUnreadable, takeTyre } from './intakeReducer.ts'

/** The minimum interval of refetches because of a tyre that was not found, in ms. */
const refetchEveryMs = 3000

type IntakeParts = {
  /** A scan before a type was chosen. */
  onUntyped: () => void
  onCommand: (command: Command) => void
  /** Scanning begins without the list of expected operations, which is hidden. */
  isScanScreen: boolean
}

/** `job` at most every 3 seconds: a tyre that was just submitted elsewhere is not in the list yet. */
function useThrottled(job: () => unknown): () => void {
  const lastRun = useRef(0)
  return useCallback(() => {
    const now = Date.now()
    if (now - lastRun.current < refetchEveryMs) return
    lastRun.current = now
    void job()
  }, [job])
}

/** A label of no operation of this type may be a tyre that the server knows: its card shows owner and place. */
async function identify(queue: ScanQueue, { scanId, tyreId }: ScanRecord): Promise<void> {
  const [tyre] = await ask(tyres.find, { tyre: tyreId ?? 0 }, { muted: true }).catch(() => [])
  const card = queue.snapshot().history.find(record => record.scanId === scanId)
  if (tyre && card?.outcome === 'missing') await queue.replace({ ...card, known: tyre })
}

/** The intake of one operation type; without a type nothing is scanned. */
export function useIntake(type: OfferedType | null, { onUntyped, onCommand, isScanScreen }: IntakeParts) {
  const { site_number: site } = useSite()
  const { sender, queue, state, add } = useScans()
  const { data, error, refetch, dataUpdatedAt } = useSubmitted({ muted: true, ahead: isScanScreen })
  const index = useMemo(() => tyreIndex(data ?? []), [data])
  // known beforehand, so that a scanned place has its name without a network
  const { data: warehouse } = useAnswer(locations.all, {}, { muted: true, ahead: true, enabled: type === 'to_stock' })
  const waiting = useMemo(() => new Set(state.waiting.flatMap(({ tyreId }) => tyreId ?? [])), [state.waiting])
  const [muted, setMuted] = useRemembered('intakeMuted', false)
  const last =
    state.history.find(
      ({ type: scannedType, tyre, reason }) => scannedType === type && tyre && (!reason || reason.kind === 'conflict'),
    )?.operation?._id ?? null
  const sound = useLatest((what: Sound) => {
    if (!muted) play(what)
  })
  const refetchThrottled = useThrottled(refetch)

  const perform = ({ record: facts, sound: what, follow }: IntakeStep) => {
    const { record } = add(facts)
    sound.current(what)
    if (follow.includes('send')) void queue.send()
    if (follow.includes('refetch')) refetchThrottled()
    if (follow.includes('identify')) void identify(queue, record)
  }
  /** The records as they are now: two scans can come before the screen is drawn again. */
  const historyNow = () => queue.snapshot().history
  const take = (entry: IndexedTyre, ticsId: number | null, scannedType: OfferedType) => {
    const outcome = outcomeOf(entry, waitingIn(queue))
    perform(takeTyre(entry, historyNow(), { ticsId, outcome, type: scannedType }))
  }

  const onScan = useLatest({
    label(label: Label) {
      if (!type) return onUntyped()
      if (isCommand(label)) return onCommand(label.command)
      // no answer: the question comes up again where its operation is ready to be confirmed
      questionOfScans()?.putOff()
      const at = { type, site, index: data ? index : null, history: historyNow() }
      perform(isLocation(label) ? scanPlace(label, at, warehouse) : scanTyre(label, at))
    },
    unreadable(text: string) {
      if (!type) return onUntyped()
      perform(scanUnreadable(text, type))
    },
  })
  useEffect(
    () =>
      scanFeed.handle({
        label: label => onScan.current.label(label),
        unreadable: text => onScan.current.unreadable(text),
      }),
    [onScan],
  )

  useEffect(() => onMarked(applyMarked), [])

  // a new list may contain missing tyres, or explain scans made before the first list
  useEffect(() => {
    if (index.size === 0) return
    for (const { record, sound: what, sends } of recheck(queue.snapshot().history, index, Date.now())) {
      void queue.replace(record)
      if (what) sound.current(what)
      if (sends) void queue.send()
    }
  }, [index, queue, sound])

  useAnswered(queue, records => {
    // a refusal by the server comes after the scan's own sound: it has one too
    if (records.some(record => record.state === 'refused')) {
      sound.current('refused')
      refetchThrottled()
    }
    // so does the news that another device had scanned the tyre
    if (records.some(({ reason }) => reason?.kind === 'conflict')) sound.current('duplicate')
  })

  return {
    sender,
    queue,
    state,
    operations: data,
    /** When the list of operations came, in ms; 0 for not yet. */
    answeredAt: dataUpdatedAt,
    index,
    error: data ? null : error,
    retry: refetch,
    waiting,
    /** The operation that was scanned last. */
    last,
    muted,
    setMuted,
    sound: (what: Sound) => sound.current(what),
    /** Marks a tyre whose label can't be read. */
    pick: (entry: IndexedTyre) => type && take(entry, null, type),
    /** Registers a scan that was made under a wrong type under the type of its tyre's operation, which is chosen from then on. */
    register({ tyreId, ticsId }: ScanRecord, choose: (type: OfferedType) => void) {
      const entry = index.get(tyreId ?? 0)
      const actualType = entry?.operation.type
      if (!entry || !actualType || !isOfferedType(actualType)) return
      choose(actualType)
      take(entry, ticsId, actualType)
    },
    /** Places the remaining tyres that were scanned before a place there, too. */
    placeRemaining({ location, rack, rest = [] }: ScannedPlace) {
      const [group, ...others] = rest
      if (group) perform(putOnPlace({ location, rack }, group, others))
    },
    /** Puts as many tyres on a full place as still fit, in the order of scanning; the next scanned place is for the others. */
    placeSome({ location, rack, tyres: wanted, plate, rest = [] }: ScannedPlace, free: number) {
      const inOrder = wanted.toReversed()
      const left = { tyres: inOrder.slice(free), plate }
      perform(putOnPlace({ location, rack }, { tyres: inOrder.slice(0, free), plate }, [left, ...rest]))
    },
  }
}
export type IntakeWork = ReturnType<typeof useIntake>
