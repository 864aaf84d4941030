/** Scans on this device's disk. IndexedDB, because it can be told to wait for the disk; localStorage can't. */
import { deviceDatabase, done, finished } from '../ui/disk.ts'
import type { ScanStore } from './keptScans.ts'
import type { ScanRecord } from './records.ts'

/** The store of this browser. Rejects on failure (a private window, a full disk); the queue then keeps the scan in memory. */
export function diskStore(): ScanStore {
  const database = deviceDatabase('wheelhouse.scans', db => {
    db.createObjectStore('scan', { keyPath: 'scanId' }).createIndex('owner', 'owner')
  })
  const change = async (what: (scans: IDBObjectStore) => void) => {
    // strict: complete means on the disk, not in a buffer that a power cut takes along
    const transaction = (await database()).transaction('scan', 'readwrite', { durability: 'strict' })
    what(transaction.objectStore('scan'))
    await finished(transaction)
  }
  return {
    all: async owner =>
      done((await database()).transaction('scan').objectStore('scan').index('owner').getAll(owner)) as Promise<
        ScanRecord[]
      >,
    put: records =>
      change(scans => {
        for (const record of records) scans.put(record)
      }),
    remove: scanIds =>
      change(scans => {
        for (const scanId of scanIds) scans.delete(scanId)
      }),
  }
}
