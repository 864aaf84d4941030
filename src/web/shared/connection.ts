/** Whether the server is reachable. After a failed request it is polled until it answers. */
import { useSyncExternalStore } from 'react'

/** The polling interval while it does not answer. */
const retryMs = 2000
/** The timeout of a poll. */
const timeoutMs = 5000

let lost = false
let checking: Promise<void> | undefined
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

/** After a failed request: checks whether the server answers, and polls until it does. */
export const checkConnection = (): Promise<void> => (checking ??= untilAnswered())

async function untilAnswered(): Promise<void> {
  while (!(await answers())) {
    setLost(true)
    await new Promise(resolve => setTimeout(resolve, retryMs))
  }
  checking = undefined
  setLost(false)
}

/** Calls the listener when the connection is lost and restored. */
export function onConnection(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const isLost = (): boolean => lost
/** Whether the connection is lost. */
export const useLost = (): boolean => useSyncExternalStore(onConnection, isLost, isLost)
