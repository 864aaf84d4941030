/** The vehicles opened last on this device, latest first (docs/product/screens.md "Remembered on the device"). */
import { useEffect } from 'react'
import { useRemembered } from '../shared/hooks.ts'

const most = 8
const name = 'recentVehicles'

export const useRecentVehicles = (): readonly number[] => useRemembered<readonly number[]>(name, [])[0]

/** Notes that a vehicle is open. */
export function useNoteRecent(id: number): void {
  const [recent, setRecent] = useRemembered<readonly number[]>(name, [])
  useEffect(() => {
    if (recent[0] !== id) setRecent([id, ...recent.filter(other => other !== id)].slice(0, most))
  }, [id, recent, setRecent])
}
