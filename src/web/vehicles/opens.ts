import { createContext } from 'react'

/**
 * How the lists below open a vehicle: in a tab of fleet management, by its number. `null` (everywhere else): on its own screen.
 */
export const OpensInTab = createContext<((id: number) => void) | null>(null)
