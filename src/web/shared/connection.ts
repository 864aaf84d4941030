/** Whether the server answers. What failed raises a doubt; the server is then asked until it answers. */
import { useSyncExternalStore } from 'react'

/** While it does not answer the server is asked again after so many milliseconds. */
const retryMs = 2000
/** An answer that takes longer is none. */
const timeoutMs = 5000

let lost = false
let checking = false
const listeners = new Set<() => void>()

function setLost(isLostNow: boolean) {
  if (lost === isLostNow) return
  lost = isLostNow
  for (const listener of listeners) listener()
}

const answers = () =>
  fetch('/health/ready', { cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Something was not answered: finds out whether the server answers at all, and if not, waits until it does. */
export async function checkConnection(): Promise<void> {
  if (checking) return
  checking = true
  while (!(await answers())) {
    setLost(true)
    // oxlint-disable-next-line no-await-in-loop -- one question follows the other
    await new Promise(resolve => setTimeout(resolve, retryMs))
  }
  checking = false
  setLost(false)
}

/** Hears when the connection is lost and when it is back. */
export function onConnection(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const isLost = (): boolean => lost
/** Whether the server does not answer at the moment. */
export const useLost = (): boolean => useSyncExternalStore(onConnection, isLost)
