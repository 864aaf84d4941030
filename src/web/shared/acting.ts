/**
 * For which customer an administrator works (docs/product.md "Acting for a customer"). Each tab of the browser has its own:
 * somebody who serves two customers side by side must not write into the fleet of one what the other tab chose. A new tab begins with the last customer of this account on this device.
 */
import { z } from 'zod'
import { stored } from '../ui/stored.ts'

const actedFor = z.object({ seq_id: z.number().int().positive(), name: z.string(), city: z.string() })
/** The customer acted for; `name` is the company's, where it has one. */
export type ActedFor = z.output<typeof actedFor>
/** What is kept on the device may be of an older version, or of somebody who played with it. */
const readable = actedFor.nullable().catch(null)

/** Customers that were chosen before are offered first: so many. */
const remembered = 5
const readableList = z.array(actedFor).max(remembered).catch([])

const inTab = (username: string) => stored(`${username}.acting`, 'tab')
const onDevice = (username: string) => stored(`${username}.lastCustomer`)
const recent = (username: string) => stored(`${username}.recentCustomers`)

let current: { username: string; customer: ActedFor | null } | undefined
const listeners = new Set<() => void>()

/** The customer that this account acts for in this tab; `null` for none. */
export function actingFor(username: string): ActedFor | null {
  if (current?.username !== username) {
    const mine = inTab(username).read()
    const customer = readable.parse(mine === undefined ? onDevice(username).read() : mine)
    // What another tab chooses from now on is not this one's, even after a reload.
    inTab(username).write(customer)
    current = { username, customer }
  }
  return current.customer
}

/** Calls `heard` when this tab acts for another customer. Returns how to stop. */
export function onActingChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The customers chosen on this device, the last one first. */
export const recentCustomers = (username: string): readonly ActedFor[] => readableList.parse(recent(username).read())

/** From now on this tab works for this customer, or for none. Ask `maySwitch` before. */
export function actFor(username: string, customer: ActedFor | null): void {
  current = { username, customer }
  inTab(username).write(customer)
  onDevice(username).write(customer)
  if (customer) {
    const others = recentCustomers(username).filter(({ seq_id }) => seq_id !== customer.seq_id)
    recent(username).write([customer, ...others].slice(0, remembered))
  }
  for (const listener of listeners) listener()
}

type Guard = () => Promise<boolean>
const guards = new Set<Guard>()

/** `guard` is asked before the customer is exchanged for another: what is open of the first may not be saved yet. */
export function guardActing(guard: Guard): () => void {
  guards.add(guard)
  return () => void guards.delete(guard)
}

/** Whether everything that is open lets its customer go. */
export async function maySwitch(): Promise<boolean> {
  for (const guard of guards) if (!(await guard())) return false
  return true
}
