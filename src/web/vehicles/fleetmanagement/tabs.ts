/** The vehicles that are open beside each other in fleet management (docs/product/vehicles.md "Fleet management"). */
import { z } from 'zod'
import { vehicleTabs } from '../tabs.ts'

/** `view` is the part of the vehicle that was looked at last; the plate names the tab until the vehicle is loaded. */
const openVehicle = z.object({ id: z.number().int().positive(), plate: z.string(), view: z.enum(vehicleTabs) })
export type OpenVehicle = z.output<typeof openVehicle>

/** Ten tabs, the customer's among them; opening more than nine vehicles closes the oldest. */
export const maxVehicles = 9

/** The vehicle that has to be closed before `id` can be opened: the one opened first. `null` while there is room. */
export const tabToClose = (tabs: readonly OpenVehicle[], id: number): OpenVehicle | null =>
  tabs.length < maxVehicles || tabs.some(tab => tab.id === id) ? null : (tabs[0] ?? null)

/** With this vehicle at the end, or where it is already. */
export const withOpen = (tabs: readonly OpenVehicle[], { id, plate }: { id: number; plate: string }): OpenVehicle[] =>
  tabs.some(tab => tab.id === id) ? [...tabs] : [...tabs, { id, plate, view: 'tyres' }]

/** The tab selected after this vehicle is closed: the next one, else the previous one, else (`null`) the customer. */
export function nextTab(tabs: readonly OpenVehicle[], id: number): number | null {
  const at = tabs.findIndex(tab => tab.id === id)
  return (tabs[at + 1] ?? tabs[at - 1])?.id ?? null
}

/** The stored tabs of this browser tab; empty if unreadable. */
export const readTabs = (kept: unknown): OpenVehicle[] => z.array(openVehicle).max(maxVehicles).catch([]).parse(kept)
