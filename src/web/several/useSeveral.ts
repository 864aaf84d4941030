import { useRef, useState } from 'react'
import { messageOf } from '../shared/api.ts'
import { sendEach } from './sendEach.ts'
import { useIsLeft } from './useIsLeft.ts'

export type Line<T> = {
  readonly item: T
  readonly state: 'waiting' | 'sending' | 'done' | 'refused'
  /** Why it was refused. */
  readonly why?: string
  readonly error?: unknown
}

/** The interval at which results are drawn, in ms: drawing the list for each would take longer than sending it. */
export const resultsEveryMs = 150

/** Processes items, one line for each; once the screen is left, no more begin. */
export function useSeveral<T>({ atOnce = 4 }: { atOnce?: number } = {}) {
  const [lines, setLines] = useState<readonly Line<T>[]>([])
  const [busy, setBusy] = useState(false)
  const stopped = useRef(false)
  const isLeft = useIsLeft()

  async function run(from: readonly Line<T>[], send: (item: T) => Promise<unknown>): Promise<readonly Line<T>[]> {
    stopped.current = false
    const now = new Map(from.map(line => [line.item, line]))
    const show = () => setLines([...now.values()])
    const set = (item: T, line: Omit<Line<T>, 'item'>) => void now.set(item, { item, ...line })
    const todo = from.filter(({ state }) => state !== 'done').map(({ item }) => item)
    for (const item of todo) set(item, { state: 'waiting' })
    show()
    setBusy(true)
    const timer = setInterval(show, resultsEveryMs)
    try {
      await sendEach(
        todo,
        send,
        {
          began: item => set(item, { state: 'sending' }),
          done: item => set(item, { state: 'done' }),
          refused: (item, error) => set(item, { state: 'refused', why: messageOf(error), error }),
        },
        { atOnce, isStopped: () => stopped.current || isLeft() },
      )
    } finally {
      clearInterval(timer)
      show()
      setBusy(false)
    }
    return [...now.values()]
  }

  return {
    lines,
    busy,
    start: (items: readonly T[], send: (item: T) => Promise<unknown>) =>
      run(
        items.map(item => ({ item, state: 'waiting' })),
        send,
      ),
    /** Sends again the items that were refused or not begun. */
    again: (send: (item: T) => Promise<unknown>) => run(lines, send),
    stop: () => void (stopped.current = true),
    clear: () => setLines([]),
  }
}
export type Several<T> = ReturnType<typeof useSeveral<T>>

export const countOf = <T>(lines: readonly Line<T>[], state: Line<T>['state']): number =>
  lines.filter(line => line.state === state).length

/** Returns the same object for an equal input: the repeated call then has the same idempotency key (api.ts), and gets the first answer. */
export function useSameInput(): <I extends object>(input: I) => I {
  const inputs = useRef(new Map<string, object>())
  return <I extends object>(input: I): I => {
    const key = JSON.stringify(input)
    const same = (inputs.current.get(key) as I | undefined) ?? input
    inputs.current.set(key, same)
    return same
  }
}
