/**
 * Operations whose question was put off by the next scan: it is asked again where they are 'Ready to confirm' (docs/product.md
 * "Operations desk"). Of this page: after it is loaded anew they are found as any other.
 */
import { useSyncExternalStore } from 'react'

let operations: readonly number[] = []
const listeners = new Set<() => void>()

function set(next: readonly number[]) {
  operations = next
  for (const listener of listeners) listener()
}

export const putOff = (operation: number): void => set([operation, ...operations.filter(id => id !== operation)])
export const takeUp = (operation: number): void => set(operations.filter(id => id !== operation))

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
const snapshot = () => operations
/** The operations whose question was put off, the last one first. */
export const usePutOff = (): readonly number[] => useSyncExternalStore(subscribe, snapshot, snapshot)
