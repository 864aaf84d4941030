/**
 * The customer that an administrator acts for (docs/product/accounts.md "Acting for a customer"). Each browser tab has its own,
 * so that working for two customers side by side mixes nothing up. A new tab starts with the last customer of this
 * account on this device.
 */
import { z } from 'zod'
import { stored } from '../ui/stored.ts'

const actedFor = z.object({ seq_id: z.number().int().positive(), name: z.string(), city: z.string() })
/** The customer acted for; `name` is the company's, where it has one. */
export type ActedFor = z.output<typeof actedFor>
/** The stored value may be of an older version, or was edited by hand. */
const readable = actedFor.nullable().catch(null)

/** The number of recently chosen customers that are offered first. */
const rememberedCount = 5
const readableList = z.array(actedFor).max(rememberedCount).catch([])

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
    // From now on the choice of another tab does not affect this one, even after a reload.
    inTab(username).write(customer)
    current = { username, customer }
  }
  return current.customer
}

/** Calls the listener when this tab acts for another customer. Returns a function that unsubscribes. */
export function onActingChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The customers chosen on this device, the last one first. */
export const recentCustomers = (username: string): readonly ActedFor[] => readableList.parse(recent(username).read())

/** Acts for this customer in this tab, or for none. Call `maySwitch` first. */
export function actFor(username: string, customer: ActedFor | null): void {
  current = { username, customer }
  inTab(username).write(customer)
  onDevice(username).write(customer)
  if (customer) {
    const others = recentCustomers(username).filter(({ seq_id }) => seq_id !== customer.seq_id)
    recent(username).write([customer, ...others].slice(0, rememberedCount))
  }
  for (const listener of listeners) listener()
}

type Guard = () => Promise<boolean>
const guards = new Set<Guard>()

/** `guard` is called before the customer changes, as there may be unsaved changes. */
export function guardActing(guard: Guard): () => void {
  guards.add(guard)
  return () => void guards.delete(guard)
}

/** Whether everything that is open lets its customer go. */
export async function maySwitch(): Promise<boolean> {
  for (const guard of guards) if (!(await guard())) return false
  return true
}
