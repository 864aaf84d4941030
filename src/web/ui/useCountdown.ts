import { useEffect, useRef } from 'react'

/** Calls `end` after `ms`, not counting the time while it is `paused`. `end` does the same whenever it is made. */
export function useCountdown({ ms, paused, end }: { ms: number; paused: boolean; end: () => void }): void {
  const left = useRef(ms)
  useEffect(() => {
    if (paused) return
    const since = performance.now()
    const timer = setTimeout(end, left.current)
    return () => {
      clearTimeout(timer)
      left.current = Math.max(0, left.current - (performance.now() - since))
    }
    // oxlint-disable-next-line react/exhaustive-deps -- another `end` is no reason to count anew
  }, [paused])
}
