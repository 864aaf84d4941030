/** Whether the server answers. What failed raises a doubt; the server is then asked until it answers. */
import { useSyncExternalStore } from 'react'

/** While it does not answer the server is asked again after so many milliseconds. */
const askedAgain = 2000
/** An answer that takes longer is none. */
const patience = 5000

let lost = false
let asking = false
const listeners = new Set<() => void>()

function set(now: boolean) {
  if (lost === now) return
  lost = now
  for (const heard of listeners) heard()
}

const answers = () =>
  fetch('/health/ready', { cache: 'no-store', signal: AbortSignal.timeout(patience) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Something was not answered: finds out whether the server answers at all, and if not, waits until it does. */
export async function doubt(): Promise<void> {
  if (asking) return
  asking = true
  while (!(await answers())) {
    set(true)
    // oxlint-disable-next-line no-await-in-loop -- one question follows the other
    await new Promise(resolve => setTimeout(resolve, askedAgain))
  }
  asking = false
  set(false)
}

/** Hears when the connection is lost and when it is back. */
export function onConnection(heard: () => void): () => void {
  listeners.add(heard)
  return () => void listeners.delete(heard)
}

export const isLost = (): boolean => lost
/** Whether the server does not answer at the moment. */
export const useLost = (): boolean => useSyncExternalStore(onConnection, isLost)
