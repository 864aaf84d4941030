/** Small hooks that many screens share. */
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { type IsoDate, today as todayOn } from '#domain/date.ts'
import { useSite, useWho } from '../session.ts'
import { stored } from './stored.ts'

/** The value as it was when it last stood still for `ms` milliseconds. */
export function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}

/** Like `useState`, kept on this device for this account, and the same in every tab (SPEC §9 "remembered locally"). */
export function useRemembered<T>(key: string, initial: T): [T, (value: T) => void] {
  const { username } = useWho()
  const store = useMemo(() => stored(`${username}.${key}`), [username, key])
  const text = useSyncExternalStore(store.listen, store.text)
  // oxlint-disable-next-line react/exhaustive-deps -- the text stands for the value that is read
  const value = useMemo(() => (store.read() ?? initial) as T, [store, text])
  return [value, useCallback((next: T) => store.write(next), [store])]
}

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

/** What `callback` is now, for effects that must not start anew when it changes. */
export function useLatest<T>(value: T) {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}
