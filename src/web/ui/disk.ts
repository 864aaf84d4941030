/** A database of this device (IndexedDB). Rejects on failure (a private window, a full disk). */

export const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error))
  })

export const finished = (transaction: IDBTransaction) =>
  new Promise<void>((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(transaction.error))
  })

async function open(name: string, create: (database: IDBDatabase) => void): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1)
  request.addEventListener('upgradeneeded', () => create(request.result))
  return done(request)
}

/** Returns the database, opened once; `create` makes its stores on first use. */
export function deviceDatabase(name: string, create: (database: IDBDatabase) => void): () => Promise<IDBDatabase> {
  let opened: Promise<IDBDatabase> | undefined
  const reopen = () => {
    opened = undefined
  }
  return () => {
    opened ??= open(name, create).then(db => {
      // The browser may close it (storage cleared, another version): the next use opens it again.
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
}
