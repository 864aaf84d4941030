import { createContext } from 'react'
import type { Operation } from '#contract/wire.ts'

/** Operations that can be chosen to do something with several of them; `null` where nothing is chosen. */
export type Choosing = {
  chosen: ReadonlySet<number>
  offers: (operation: Operation) => boolean
  toggle: (operation: Operation) => void
}
export const ChoosingContext = createContext<Choosing | null>(null)
