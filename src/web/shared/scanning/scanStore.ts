/** Scans on this device's disk. IndexedDB, because it can be told to wait for the disk; localStorage can't. */
import type { ScanRecord, ScanStore } from './scanQueue.ts'

const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error))
  })

const finished = (transaction: IDBTransaction) =>
  new Promise<void>((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(transaction.error))
  })

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open('wheelhouse.scans', 1)
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore('scan', { keyPath: 'scanId' }).createIndex('owner', 'owner')
  })
  return done(request)
}

/** The store of this browser. What fails (a private window, a full disk) rejects; the queue then keeps the scan in memory. */
export function diskStore(): ScanStore {
  let opened: Promise<IDBDatabase> | undefined
  const reopen = () => {
    opened = undefined
  }
  const database = () => {
    opened ??= open().then(db => {
      // The browser may close it (storage cleared, another version): the next use opens it anew.
      db.addEventListener('close', reopen)
      db.addEventListener('versionchange', () => {
        db.close()
        reopen()
      })
      return db
    })
    opened.catch(reopen)
    return opened
  }
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
