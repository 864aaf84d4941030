/** The steps between a scan and its card (docs/product/warehouse.md "Intake"): those that need no server run at once. */
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { type Command, isCommand, isLocation, type Label, type LocationScan } from '#domain/warehouse/barcode.ts'
import { maxTypedLength } from '#domain/warehouse/card.ts'
import { isOfferedType, type OfferedType } from '#domain/tyres/tyre.ts'
import { ask, useAnswer } from '../shared/api.ts'
import { locations } from '#contract/locations.ts'
import { tyres } from '#contract/tyres.ts'
import { useSite } from '../shared/session.ts'
import { useRemembered } from '../shared/hooks.ts'
import { questionOfScans } from '../ui/confirm.tsx'
import { useLatest } from '../ui/hooks.ts'
import { applyMarked, useSubmitted } from '../handling/desk.ts'
import {
  type IndexedTyre,
  classifyScan,
  lateScans,
  outcomeOf,
  progress,
  tyreIndex,
  tyresToPlace,
} from '../handling/lookup.ts'
import { scanFeed } from '../scanning/scanFeed.ts'
import type { NewRecord, ScannedPlace, ScanRecord, ScannedOperation, TyreGroup } from '../scanning/records.ts'
import { onMarked } from '../scanning/scanSender.ts'
import { useAnswered, useScans, waitingIn } from '../scanning/scans.ts'
import { play, type Sound } from '../scanning/sounds.ts'

/** The minimum interval of refetches because of a tyre that was not found, in ms. */
const refetchEveryMs = 3000

const summary = ({ operation }: IndexedTyre): ScannedOperation => ({
  _id: operation._id,
  companyname: operation.user.companyname,
  services: operation.services,
  tyres: operation.tyres.length,
})

type IntakeParts = {
  /** A scan before a type was chosen. */
  onUntyped: () => void
  onCommand: (command: Command) => void
  /** Scanning begins without the list of expected operations, which is hidden. */
  isScanScreen: boolean
}

/** The intake of one operation type; without a type nothing is scanned. */
export function useIntake(type: OfferedType | null, { onUntyped, onCommand, isScanScreen }: IntakeParts) {
  const site = useSite()
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

  useEffect(() => onMarked(applyMarked), [])

  // A tyre that was just submitted elsewhere is not in the list yet: refetch it, throttled.
  const lastRefetch = useRef(0)
  const refetchThrottled = useCallback(() => {
    const now = Date.now()
    if (now - lastRefetch.current < refetchEveryMs) return
    lastRefetch.current = now
    void refetch()
  }, [refetch])

  const addRecord = useCallback(
    (facts: NewRecord, scannedType: OfferedType) => add({ ...facts, type: scannedType }).scanId,
    [add],
  )

  /** Adds a scan of a tyre in a submitted operation, and sends at once when it was the operation's last. */
  const addTyreScan = useCallback(
    (
      entry: IndexedTyre,
      facts: { ticsId: number | null; outcome: 'found' | 'duplicate' },
      scannedType: OfferedType,
    ) => {
      const { tyre, operation } = entry
      const waiting = waitingIn(queue)
      // Scanned again while its first scan waits: once is enough. A tyre that the server knows as scanned counts again.
      const again = waiting.has(tyre.db_id)
      addRecord(
        {
          kind: 'scan',
          ...facts,
          state: again ? 'noted' : 'waiting',
          tyreId: tyre.db_id,
          tyre,
          operation: summary(entry),
        },
        scannedType,
      )
      const { full } = progress(operation, new Set([...waiting, tyre.db_id]))
      sound.current(facts.outcome === 'duplicate' ? 'duplicate' : full ? 'complete' : 'found')
      if (full && !again) void queue.send()
    },
    [addRecord, queue, sound],
  )

  /** A label of no operation of this type may be a tyre that the server knows: its card shows owner and place. */
  const loadKnownTyre = useCallback(
    async (scanId: string, tyre: number) => {
      const [knownTyre] = await ask(tyres.find, { tyre }, { muted: true }).catch(() => [])
      const card = queue.snapshot().history.find(record => record.scanId === scanId)
      if (knownTyre && card?.outcome === 'missing') await queue.replace({ ...card, known: knownTyre })
    },
    [queue],
  )

  /** Tyres go to a place; `rest` still lie nowhere. */
  const place = useCallback(
    (
      where: Pick<ScannedPlace, 'location' | 'rack'>,
      { tyres: placed, plate }: TyreGroup,
      rest: readonly TyreGroup[],
    ) => {
      const taken = { ...where, tyres: placed, plate, ...(rest.length > 0 && { rest }) }
      addRecord({ kind: 'place', outcome: 'location', place: taken }, 'to_stock')
      sound.current(rest.length > 0 ? 'duplicate' : 'location')
      void queue.send()
    },
    [addRecord, queue, sound],
  )

  /** A scanned place applies to the tyres scanned before it (docs/product/warehouse.md "Intake"); it is evaluated here, also offline. */
  const addPlaceScan = useCallback(
    ({ location, site: ticsId }: LocationScan, scannedType: OfferedType) => {
      const knownPlace = warehouse?.find(({ _id }) => _id === location)
      const { rest, ...group } = tyresToPlace(queue.snapshot().history)
      const refuse = (why: 'type' | 'none' | 'unknown') => {
        addRecord(
          { kind: 'scan', outcome: 'misplaced', state: 'noted', tyreId: null, ticsId, reason: { kind: 'place', why } },
          scannedType,
        )
        sound.current('misplaced')
      }
      if (ticsId !== site.site_number) {
        addRecord({ kind: 'scan', outcome: 'other_site', state: 'noted', tyreId: null, ticsId }, scannedType)
        return sound.current('other_site')
      }
      if (scannedType !== 'to_stock') return refuse('type')
      if (warehouse && !knownPlace) return refuse('unknown')
      if (group.tyres.length === 0) return refuse('none')
      place({ location, rack: knownPlace?.stock_rack ?? null }, group, rest)
    },
    [addRecord, place, queue, site.site_number, sound, warehouse],
  )

  const onScan = useLatest({
    label(label: Label) {
      if (!type) return onUntyped()
      if (isCommand(label)) return onCommand(label.command)
      // no answer: the question comes up again where its operation is ready to be confirmed
      questionOfScans()?.putOff()
      if (isLocation(label)) return addPlaceScan(label, type)
      const { tyre: tyreId, site: ticsId } = label
      if (!data && ticsId === site.site_number) {
        const again = queue.snapshot().waiting.some(record => record.tyreId === tyreId && record.type === type)
        addRecord({ kind: 'scan', outcome: 'unchecked', state: again ? 'noted' : 'waiting', tyreId, ticsId }, type)
        return sound.current(again ? 'duplicate' : 'unchecked')
      }
      const { outcome, entry, elsewhere } = classifyScan(label, {
        type,
        site: site.site_number,
        index,
        waiting: waitingIn(queue),
      })
      if (entry && (outcome === 'found' || outcome === 'duplicate'))
        return addTyreScan(entry, { ticsId, outcome }, type)
      const reason = elsewhere && ({ kind: 'elsewhere', type: elsewhere } as const)
      const tyre = elsewhere && entry ? { tyre: entry.tyre, operation: summary(entry) } : {}
      const scanId = addRecord({ kind: 'scan', outcome, state: 'noted', tyreId, ticsId, reason, ...tyre }, type)
      sound.current(elsewhere ? 'elsewhere' : outcome)
      if (outcome !== 'missing') return
      refetchThrottled()
      if (!elsewhere) void loadKnownTyre(scanId, tyreId)
    },
    unreadable(text: string) {
      if (!type) return onUntyped()
      const reason = { kind: 'read', text: text.trim().slice(0, maxTypedLength) } as const
      addRecord({ kind: 'scan', outcome: 'unreadable', state: 'noted', tyreId: null, ticsId: null, reason }, type)
      sound.current('unreadable')
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

  // A new list may contain missing tyres, or explain scans made before the first list.
  useEffect(() => {
    if (index.size === 0) return
    for (const { record, entry, outcome } of lateScans(queue.snapshot().history, { index, now: Date.now() })) {
      const state = outcome === 'found' ? 'waiting' : 'noted'
      void queue.replace({ ...record, outcome, state, tyre: entry.tyre, operation: summary(entry), reason: null })
      if (outcome === 'duplicate') continue
      const { full } = progress(entry.operation, waitingIn(queue))
      // a scan without a list has had its sound
      if (full || record.outcome === 'missing') sound.current(full ? 'complete' : 'found')
      if (full) void queue.send()
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
    /** The stock locations, as far as they are loaded. */
    warehouse,
    sound: (what: Sound) => sound.current(what),
    /** Marks a tyre whose label can't be read. */
    pick(entry: IndexedTyre) {
      if (!type) return
      addTyreScan(entry, { ticsId: null, outcome: outcomeOf(entry, waitingIn(queue)) }, type)
    },
    /** Registers a scan that was made under a wrong type under the type of its tyre's operation, which is chosen from then on. */
    register({ tyreId, ticsId }: ScanRecord, choose: (type: OfferedType) => void) {
      const entry = index.get(tyreId ?? 0)
      const actualType = entry?.operation.type
      if (!entry || !actualType || !isOfferedType(actualType)) return
      choose(actualType)
      addTyreScan(entry, { ticsId, outcome: outcomeOf(entry, waitingIn(queue)) }, actualType)
    },
    /** Places the remaining tyres that were scanned before a place there, too. */
    placeRemaining({ location, rack, rest = [] }: ScannedPlace) {
      const [group, ...others] = rest
      if (group) place({ location, rack }, group, others)
    },
    /** Puts as many tyres on a full place as still fit, in the order of scanning; the next scanned place is for the others. */
    placeSome({ location, rack, tyres: wanted, plate, rest = [] }: ScannedPlace, free: number) {
      const inOrder = wanted.toReversed()
      place({ location, rack }, { tyres: inOrder.slice(0, free), plate }, [
        { tyres: inOrder.slice(free), plate },
        ...rest,
      ])
    },
  }
}
export type IntakeWork = ReturnType<typeof useIntake>
