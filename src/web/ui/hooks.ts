/** Small hooks that many screens share. */
import { useEffect, useRef, useState } from 'react'
import { afterPaint } from './afterPaint.ts'

/** A filter or a search begins when nothing was typed for so many milliseconds. */
export const typingDelayMs = 200

/** The value as it was when it last stood still for `ms` milliseconds. */
export function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}

/** The current `callback`, for effects that must not restart when it changes. */
export function useLatest<T>(value: T) {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}

/**
 * A local copy of `kept` that may run ahead of it. A change of `kept` from outside, such as by choosing a named view, replaces the copy; an echo of
 * a value passed to `keep` does not, as the copy may have moved on.
 */
export function useAhead<T>(kept: T, keep: (value: T) => void) {
  const [value, set] = useState(kept)
  const [lastKept, setLastKept] = useState(kept)
  // Values passed to `keep` that `kept` has not had yet.
  const [pending, setPending] = useState<readonly T[]>([])
  if (kept !== lastKept) {
    setLastKept(kept)
    setPending(pending.slice(pending.indexOf(kept) + 1))
    if (!pending.includes(kept)) set(kept)
  }
  function tell(next: T) {
    setPending(earlier => [...earlier, next])
    keep(next)
  }
  return { value, set, tell }
}

/**
 * A value of the address, and its setter. Readers of the returned value render and paint first, then the address and all its readers: a whole
 * screen, which the rows of a filter would otherwise wait for.
 */
export function useBeforeAddress<T>(inAddress: T, change: (value: T) => void): [T, (value: T) => void] {
  const { value, set, tell } = useAhead(inAddress, change)
  const latest = useLatest({ inAddress, tell })
  useEffect(
    () =>
      afterPaint(() => {
        if (value !== latest.current.inAddress) latest.current.tell(value)
      }),
    [value, latest],
  )
  return [value, set]
}

/** Calls the initial `tell` once the component is unmounted. */
export function useWhenGone(tell: () => void): void {
  const shown = useRef(false)
  useEffect(() => {
    shown.current = true
    return () => {
      shown.current = false
      // StrictMode takes it away for a moment only.
      queueMicrotask(() => shown.current || tell())
    }
    // oxlint-disable-next-line react/exhaustive-deps -- as it was at first
  }, [])
}

/**
 * Enter in a search field: calls `take` once the results match the typed text. Returns the handlers for Enter and for each letter, which cancels an
 * earlier Enter.
 */
export function useEnterWhenAnswered(answered: boolean, take: () => void): { enter: () => void; letter: () => void } {
  const [entered, setEntered] = useState(false)
  useEffect(() => {
    if (!entered || !answered) return
    setEntered(false)
    take()
    // oxlint-disable-next-line react/exhaustive-deps -- what Enter waits for
  }, [entered, answered])
  return { enter: () => setEntered(true), letter: () => setEntered(false) }
}
