/** Values kept on this device. Storage can be full, closed or forbidden: then nothing is kept and nothing breaks. */

const listeners = new Map<string, Set<() => void>>()

/**
 * A value under a name of its own, kept on the device, or with `tab` as long as this tab of the browser is open. `read` answers
 * `undefined` when there is none or it can't be read.
 */
export function stored(name: string, keptBy: 'device' | 'tab' = 'device') {
  const key = `wheelhouse.${name}`
  // Asked each time: where storage is forbidden, naming it is an error already.
  const storage = () => (keptBy === 'tab' ? sessionStorage : localStorage)
  return {
    read(): unknown {
      try {
        const text = storage().getItem(key)
        return text === null ? undefined : JSON.parse(text)
      } catch {
        return undefined
      }
    },
    write(value: unknown): void {
      try {
        if (value === undefined) storage().removeItem(key)
        else storage().setItem(key, JSON.stringify(value))
      } catch {
        // Not kept: the choice holds until the page is closed.
      }
      for (const listener of listeners.get(key) ?? []) listener()
    },
    /** The text as it is kept, to compare cheaply. */
    text(): string | null {
      try {
        return storage().getItem(key)
      } catch {
        return null
      }
    },
    /** Calls `listener` when the value changes, here or in another tab. Returns how to stop. */
    listen(listener: () => void): () => void {
      const mine = listeners.get(key) ?? new Set()
      listeners.set(key, mine.add(listener))
      const elsewhere = (event: StorageEvent) => {
        if (event.key === key || event.key === null) listener()
      }
      addEventListener('storage', elsewhere)
      return () => {
        mine.delete(listener)
        removeEventListener('storage', elsewhere)
      }
    },
  }
}
