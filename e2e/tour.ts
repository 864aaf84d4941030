/** Every screen of the portal, by who opens it: for the journeys that look at all of them, and for screenshots. */
import { fleet } from '#contract/fleet.ts'
import type { Visitor } from './browser.ts'

export type Stop = { readonly name: string; readonly path: string }

const stop = (name: string, path: string): Stop => ({ name, path })

/** The screens of an account, after it signed in. Screens about one vehicle show one that has tyres of every kind. */
export async function tourOf(visitor: Visitor, role: 'customer' | 'admin' | 'superuser'): Promise<Stop[]> {
  if (role === 'superuser') return [stop('superuser', '/superuser')]
  const vehicles = fleet.fetch.output.parse(await visitor.call('/fleet/fetch', {}))
  const shown = vehicles
    .filter(one => one.configuration !== null)
    .toSorted(
      (a, b) =>
        new Set(b.tyres.map(tyre => tyre.tyre_status)).size - new Set(a.tyres.map(tyre => tyre.tyre_status)).size ||
        b.tyres.length - a.tyres.length,
    )[0]
  const id = shown?.flt_id ?? 0
  const both = [
    stop('home', '/'),
    stop('fleet', '/fleet'),
    stop('vehicle', `/fleet/vehicle?id=${id}`),
    stop('tyres', '/tyres'),
    stop('operations-pending', '/operations'),
    stop('operations-submitted', '/operations?tab=submitted'),
    stop('operations-completed', '/operations?tab=completed'),
    stop('wizard-plate', '/wizard/step1'),
    stop('wizard-unknown-plate', '/wizard/step1?plate=XYZ999'),
    stop('wizard-tyres', `/wizard/step2?flt_id=${id}`),
    stop('not-found', '/no/such/page'),
  ]
  if (role === 'customer') return both
  return [
    ...both,
    stop('desk', '/admin/operations'),
    stop('intake', '/admin/intake'),
    stop('intake-storage', '/admin/intake?type=to_stock'),
    stop('scan', '/admin/intake?type=to_customer&scan=true'),
  ]
}

/** Waits until a screen has its content: nothing is being fetched and its heading stands. */
export async function settled({ page }: Visitor): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.getByRole('heading', { level: 1 }).first().waitFor()
}
