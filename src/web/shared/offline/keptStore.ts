/** Answers on this device's disk, of one account at a time: those of another account are erased when one begins to store. */
import { deviceDatabase, done, finished } from '../../ui/disk.ts'
import type { KeptEntry } from './rules.ts'

/** A query, and the form in which its answer is kept. */
export type KeptAnswer = KeptEntry & { readonly queryKey: readonly unknown[]; readonly form: string }
/** The owner of these answers, and the time of the server's last answer, in ms. */
type KeptOwner = { readonly username: string; readonly answeredAt: number }
/** The same on the disk, under the name that devices have kept it by. */
type StoredOwner = { readonly username: string; readonly heard: number }

const stores = ['owner', 'entry', 'text'] as const

const database = deviceDatabase('wheelhouse.kept', db => {
  for (const name of stores) db.createObjectStore(name)
})

async function transaction(mode: IDBTransactionMode) {
  const opened = (await database()).transaction(stores, mode)
  return {
    owner: opened.objectStore('owner'),
    entries: opened.objectStore('entry'),
    texts: opened.objectStore('text'),
    finished: finished(opened),
  }
}

export type KeptStore = {
  owner(): Promise<KeptOwner | undefined>
  entries(): Promise<KeptAnswer[]>
  texts(keys: readonly string[]): Promise<(string | undefined)[]>
  /** Keeps answers; one without a text is as it was, and was answered again. */
  put(owner: KeptOwner, answers: readonly { readonly entry: KeptAnswer; readonly text?: string }[]): Promise<void>
  remove(keys: readonly string[]): Promise<void>
  clear(): Promise<void>
}

export const keptStore: KeptStore = {
  async owner() {
    const stored = (await done((await transaction('readonly')).owner.get(0))) as StoredOwner | undefined
    return stored && { username: stored.username, answeredAt: stored.heard }
  },
  entries: async () => done((await transaction('readonly')).entries.getAll()) as Promise<KeptAnswer[]>,
  async texts(keys) {
    const { texts } = await transaction('readonly')
    return Promise.all(keys.map(key => done(texts.get(key)) as Promise<string | undefined>))
  },
  async put({ username, answeredAt }, answers) {
    const at = await transaction('readwrite')
    const before = (await done(at.owner.get(0))) as StoredOwner | undefined
    if (before?.username !== username) {
      at.entries.clear()
      at.texts.clear()
    }
    at.owner.put({ username, heard: answeredAt } satisfies StoredOwner, 0)
    for (const { entry, text } of answers) {
      at.entries.put(entry, entry.key)
      if (text !== undefined) at.texts.put(text, entry.key)
    }
    await at.finished
  },
  async remove(keys) {
    const at = await transaction('readwrite')
    for (const key of keys) {
      at.entries.delete(key)
      at.texts.delete(key)
    }
    await at.finished
  },
  async clear() {
    const at = await transaction('readwrite')
    at.owner.clear()
    at.entries.clear()
    at.texts.clear()
    await at.finished
  },
}
