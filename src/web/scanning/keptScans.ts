/** The records of one account, in memory and on the disk of this device, as this and other tabs change them. */
import { readRecord, type ScanRecord } from './records.ts'

/** Where scans are kept. `put` resolves when they survive the loss of power. */
export type ScanStore = {
  all(owner: string): Promise<ScanRecord[]>
  put(records: readonly ScanRecord[]): Promise<void>
  remove(scanIds: readonly string[]): Promise<void>
}

type Parts = {
  owner: string
  store: ScanStore
  /** Tells the other tabs to read the store again. */
  tell(): void
  /** Called after each change of the records, or of what the disk has of them. */
  onChange(): void
}

/** Keeps records. Nothing here rejects: what the disk refuses lasts until the page is closed, and `isUnsaved` says so. */
export function keptScans({ owner, store, tell: notifyTabs, onChange }: Parts) {
  const records = new Map<string, ScanRecord>()
  const unsaved = new Set<string>()
  /** The ids that changed here while the store was being read, for each read under way: newer than its result. */
  const readings = new Set<Set<string>>()
  const unwritten = new Map<string, ScanRecord>()
  let writing: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null

  const markTouched = (scanIds: readonly string[]) => {
    for (const reading of readings) for (const scanId of scanIds) reading.add(scanId)
  }

  /** Writes the changes since the last write began. Records that can't be stored stay in memory and are sent all the same. */
  const write = async () => {
    const changed = [...unwritten.values()]
    unwritten.clear()
    try {
      await store.put(changed)
      for (const { scanId } of changed) unsaved.delete(scanId)
      notifyTabs()
    } catch {
      for (const { scanId } of changed) unsaved.add(scanId)
    }
    onChange()
  }

  return {
    all: (): readonly ScanRecord[] => [...records.values()],
    isUnsaved: ({ scanId }: ScanRecord): boolean => unsaved.has(scanId),

    /**
     * Stores records. A write can take longer than the interval between scans: records that arrive during one write go into the next, so that at most
     * one is pending.
     */
    keep(changed: readonly ScanRecord[]): Promise<void> {
      markTouched(changed.map(record => record.scanId))
      for (const record of changed) {
        records.set(record.scanId, record)
        unwritten.set(record.scanId, record)
      }
      onChange()
      next ??= (async () => {
        await writing
        next = null
        writing = write()
        await writing
      })()
      return next
    },

    async remove(gone: readonly ScanRecord[]): Promise<void> {
      const scanIds = gone.map(({ scanId }) => scanId)
      if (scanIds.length === 0) return
      markTouched(scanIds)
      for (const scanId of scanIds) {
        records.delete(scanId)
        unwritten.delete(scanId)
        unsaved.delete(scanId)
      }
      onChange()
      await store.remove(scanIds).catch(() => {})
      notifyTabs()
    },

    /** Loads the store: at the start of this tab, and after changes by other tabs. */
    async load(): Promise<void> {
      const newer = new Set<string>()
      readings.add(newer)
      await (next ?? writing)
      const stored = await store.all(owner).catch(() => null)
      readings.delete(newer)
      if (!stored) return
      const mine = (scanId: string) => newer.has(scanId) || unsaved.has(scanId)
      const there = new Set(stored.map(record => record.scanId))
      for (const scanId of records.keys()) if (!there.has(scanId) && !mine(scanId)) records.delete(scanId)
      for (const record of stored) if (!mine(record.scanId)) records.set(record.scanId, readRecord(record))
    },
  }
}
