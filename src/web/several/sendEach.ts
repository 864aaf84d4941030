/** Several calls of one kind, a few at a time, each with its own outcome (docs/product/screens.md "Several at once"). */

/** Callbacks for the progress of each item. */
export type SendListener<T> = {
  began: (item: T) => void
  done: (item: T) => void
  refused: (item: T, error: unknown) => void
}

type How = {
  /** So many are sent at a time. */
  atOnce: number
  /** Whether to begin no more items; those under way continue. */
  isStopped?: () => boolean
}

/** Sends the items in order. A refusal of one does not stop the others. Resolves when none is under way any more. */
export async function sendEach<T>(
  items: readonly T[],
  send: (item: T) => Promise<unknown>,
  listener: SendListener<T>,
  { atOnce, isStopped = () => false }: How,
): Promise<void> {
  const waiting = [...items]
  async function work() {
    while (waiting.length > 0 && !isStopped()) {
      const item = waiting.shift() as T
      listener.began(item)
      try {
        await send(item)
        listener.done(item)
      } catch (error) {
        listener.refused(item, error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work))
}
