/** Hooks that use the account and the site. */
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { type IsoDate, today as todayOn } from '#domain/texts/date.ts'
import { stored } from '../ui/stored.ts'
import { useSite, useWho } from './session.ts'

/** Like `useState`, kept on this device for this account, and the same in every tab (docs/product/screens.md "Remembered on the device"). */
export function useRemembered<T>(key: string, initial: T): [T, (value: T) => void] {
  const { username } = useWho()
  const store = useMemo(() => stored(`${username}.${key}`), [username, key])
  const text = useSyncExternalStore(store.listen, store.text, store.text)
  // oxlint-disable-next-line react/exhaustive-deps -- the text stands for the value that is read
  const value = useMemo(() => (store.read() ?? initial) as T, [store, text])
  return [value, useCallback((next: T) => store.write(next), [store])]
}

/** Whether single-key shortcuts are on, on screens without scans (docs/product/screens.md "Find"). */
export const useSingleKeys = () => useRemembered('singleKeys', true)

/** Today on the calendar of the site; turns at its midnight, not at the device's. */
export function useToday(): IsoDate {
  const { time_zone: timeZone } = useSite()
  const [today, setToday] = useState(() => todayOn({ now: new Date(), timeZone }))
  useEffect(() => {
    const timer = setInterval(() => setToday(todayOn({ now: new Date(), timeZone })), 30_000)
    return () => clearInterval(timer)
  }, [timeZone])
  return today
}
