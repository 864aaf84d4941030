/**
 * Operations whose question was put off by the next scan: it comes up again where they are 'Ready to confirm' (docs/product/operations.md "Operations desk").
 * Kept by this page only: after a reload they are listed like any other.
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
