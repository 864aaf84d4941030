/** Small hooks that many screens share. */
import { useEffect, useRef, useState } from 'react'
import { afterPaint } from './afterPaint.ts'

/** A filter or a search begins when nothing was typed for so many milliseconds. */
export const typingDelay = 200

/** The value as it was when it last stood still for `ms` milliseconds. */
export function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}

/** What `callback` is now, for effects that must not start anew when it changes. */
export function useLatest<T>(value: T) {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}

/**
 * A local copy of `kept` that may run ahead of it. A change of `kept` from outside, such as by choosing a named view, replaces the copy; an
 * echo of what was passed to `keep` does not, as the copy may have moved on.
 */
export function useAhead<T>(kept: T, keep: (value: T) => void) {
  const [value, set] = useState(kept)
  const [known, setKnown] = useState(kept)
  // What `keep` was told and `kept` has not been yet.
  const [told, setTold] = useState<readonly T[]>([])
  if (kept !== known) {
    setKnown(kept)
    setTold(told.slice(told.indexOf(kept) + 1))
    if (!told.includes(kept)) set(kept)
  }
  function tell(next: T) {
    setTold(earlier => [...earlier, next])
    keep(next)
  }
  return { value, set, tell }
}

/**
 * What is in the address, and how to change it. What shows it is drawn and painted first, and then the address and all that reads it: it is a whole
 * screen, which a filter's rows would otherwise wait for.
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

/** Calls `tell`, as it was at first, once the component has left the page. */
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
 * Enter in a field that looks things up: `take` is called with what is found once that is the answer to what was typed. Returns what the
 * field calls on Enter, and on each letter, which takes an Enter before it back.
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
