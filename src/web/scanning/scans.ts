/** The scans of the signed-in account on this device, for the screens that add to them. */
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import { useSite, useWho } from '../shared/session.ts'
import { useLatest } from '../ui/hooks.ts'
import { newRecord, type NewRecord, type ScanRecord } from './records.ts'
import type { ScanQueue } from './scanQueue.ts'
import { scanSender, type Subject } from './scanSender.ts'

/**
 * The queue of the signed-in account and its state. `add` keeps a record, which is shown at once; `kept` resolves when the device has it. It is sent with
 * the next batch, or by `queue.send()`.
 */
export function useScans(subject: Subject = 'scans') {
  const { site_number: site } = useSite()
  const who = useWho()
  const sender = useMemo(() => scanSender({ site_number: site }, who, subject), [site, who, subject])
  const { queue } = sender
  const state = useSyncExternalStore(queue.subscribe, queue.snapshot, queue.snapshot)
  const add = useCallback(
    (facts: NewRecord) => {
      const record = newRecord({ owner: queue.owner, site }, facts)
      return { record, kept: queue.add(record) }
    },
    [queue, site],
  )
  return { sender, queue, state, add }
}

/** Calls `onAnswered` with records that the server marked or refused since they were read from the disk, newest first. */
export function useAnswered(queue: ScanQueue, onAnswered: (records: readonly ScanRecord[]) => void): void {
  const latest = useLatest(onAnswered)
  useEffect(() => queue.onAnswered(records => latest.current(records)), [queue, latest])
}

/** The tyres whose scans wait to be sent, as of now: two scans can come before the screen is drawn again. */
export const waitingIn = (queue: ScanQueue): ReadonlySet<number> =>
  new Set(queue.snapshot().waiting.flatMap(({ tyreId }) => tyreId ?? []))
