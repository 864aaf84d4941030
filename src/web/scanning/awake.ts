import { useEffect } from 'react'

/** Keeps the display of a hand terminal on while scanning, if the browser supports it. */
export function useAwake() {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    let over = false
    const take = async () => {
      if (document.visibilityState !== 'visible') return
      try {
        const taken = await navigator.wakeLock.request('screen')
        if (over) await taken.release()
        else lock = taken
      } catch {
        // A low battery or a page without https: the display turns off as usual.
      }
    }
    const seen = () => void take()
    seen()
    document.addEventListener('visibilitychange', seen)
    return () => {
      over = true
      document.removeEventListener('visibilitychange', seen)
      void lock?.release()
    }
  }, [])
}
