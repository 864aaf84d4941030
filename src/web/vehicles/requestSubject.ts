/** The subject of the request sheet, which opens from anywhere (docs/product/operations.md "Request sheet"). */
import { useSyncExternalStore } from 'react'
import type { IsoDate } from '#domain/texts/date.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'

export type RequestSubject = {
  flt_id: number
  type?: OfferedType
  /** The tyres that are chosen at first. */
  tyres?: readonly number[]
  /** Those of them that are on the vehicle, also the ones that are only presumed to be: a storage takes them off. */
  mounted?: readonly number[]
  /** The delivery day that is proposed. */
  day?: IsoDate
}

let current: { request: RequestSubject; nth: number } | null = null
let opened = 0
const listeners = new Set<() => void>()

function set(next: typeof current): void {
  current = next
  for (const listener of listeners) listener()
}

export const openRequest = (request: RequestSubject): void => set({ request, nth: ++opened })
export const closeRequest = (): void => set(null)

const snapshot = () => current

/** The request that is open, with the number of its opening. */
export const useAskedRequest = () =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    snapshot,
    snapshot,
  )
