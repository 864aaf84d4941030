/** Every screen of the portal, by who opens it: for the journeys that look at all of them, and for screenshots. */
import type { Page } from 'playwright-core'
import { fleet } from '#contract/fleet.ts'
import { operations } from '#contract/operations.ts'
import type { Vehicle } from '#contract/wire.ts'
import type { Language } from '#domain/account.ts'
import type { Mode } from '#domain/site.ts'
import type { Visitor } from './browser.ts'
import type { Portal } from './portal.ts'
import { named } from './texts.ts'

/**
 * What somebody does on a screen until it looks as it should: the key of a button, tab or link to press (a screen's own
 * before a dialog's), or more.
 */
type Doing = (page: Page, lang: Language) => Promise<unknown>
type Step = string | Doing
export type Stop = { readonly name: string; readonly path: string; readonly steps: readonly Step[] }

const stop = (name: string, path: string, ...steps: Step[]): Stop => ({ name, path, steps })

/** Whose screens a tour shows. `mode`: what the site is meanwhile, where it matters. */
export type Tour = {
  readonly name: string
  readonly user: string
  readonly mode?: Mode
  readonly stops: (visitor: Visitor) => Promise<Stop[]>
}

/** The key of a control pressed `nth` of those that are called so. */
const press =
  (key: string, nth = 0): Doing =>
  async (page, lang) => {
    const name = named(lang, key)
    const roles = ['tab', 'link', 'menuitem'] as const
    const controls = roles.reduce(
      (some, role) => some.or(page.getByRole(role, { name })),
      page.getByRole('button', { name }),
    )
    await controls.nth(nth).click()
  }
const check =
  (selector: string): Doing =>
  page =>
    page.locator(`${selector} input[type="checkbox"]:enabled`).first().check()
const click =
  (selector: string): Doing =>
  page =>
    page.locator(selector).first().click()

/** A search in the dialog of new tyres, with an article chosen and placed. */
const addsTyres: Step = async (page, lang) => {
  await page.getByRole('dialog').locator('input[type="search"]').fill('205/55R16')
  await page
    .getByRole('list', { name: named(lang, 'tyres:add.results') })
    .getByRole('button')
    .first()
    .click()
  await page.getByRole('button', { name: named(lang, 'tyres:add.allPositions') }).click()
}

const kinds = ({ tyres }: Vehicle): number => new Set(tyres.map(tyre => tyre.tyre_status)).size

/** The vehicle with tyres of most kinds, some of which can be chosen. */
function richest(vehicles: readonly Vehicle[]): Vehicle {
  const [shown] = vehicles
    .filter(({ configuration, tyres }) => configuration !== null && tyres.some(tyre => tyre.operation === null))
    .toSorted((a, b) => kinds(b) - kinds(a) || b.tyres.length - a.tyres.length)
  if (!shown) throw new Error('the demo has no vehicle with tyres')
  return shown
}

/** Fleet, vehicle and tyres: what everybody has in every mode. */
function fleetStops(vehicles: readonly Vehicle[]): Stop[] {
  const vehicle = `/fleet/vehicle?id=${richest(vehicles).flt_id}`
  const tyres = '/tyres?tab=tyres&status='
  return [
    stop('home', '/'),
    stop('fleet', '/fleet'),
    stop('fleet-nothing-found', '/fleet?filter=nowhere'),
    stop('fleet-new-vehicle', '/fleet', 'fleet:newVehicle'),
    stop('fleet-new-vehicle-refused', '/fleet', 'fleet:newVehicle', 'fleet:addVehicle'),
    stop('vehicle', vehicle),
    stop('vehicle-data', `${vehicle}&tab=data`),
    stop('vehicle-history', `${vehicle}&tab=history`),
    stop('vehicle-position', vehicle, click('g[role="button"]')),
    stop('vehicle-depths', vehicle, 'fleet:enterDepths'),
    stop('vehicle-remove', vehicle, press('fleet:remove')),
    stop('vehicle-none', '/fleet/vehicle'),
    stop('tyres', '/tyres'),
    stop('tyres-unfolded', '/tyres', click('tbody[data-set] button[aria-expanded]')),
    stop('tyres-individual', tyres),
    stop('tyres-nothing-found', '/tyres?filter=nowhere'),
    stop('tyre-detail', '/tyres?tab=tyres&status=in_stock', click('tr[data-tyre] button')),
    stop('not-found', '/no/such/page'),
  ]
}

/** What a site with a hotel has besides, for customers and administrators alike. */
async function hotelStops(visitor: Visitor, vehicles: readonly Vehicle[]): Promise<Stop[]> {
  const made = operations.fetch.output.parse(await visitor.call('/operations/fetch', {}))
  const pending = made.find(({ status }) => status === 'pending')?._id
  const submitted = made.find(({ status }) => status === 'submitted')?._id
  const { flt_id } = richest(vehicles)
  const vehicle = `/fleet/vehicle?id=${flt_id}`
  const bare = vehicles.find(({ configuration }) => configuration === null)
  const plates = vehicles.map(one => one.license_plate)
  const twice = plates.find((plate, at) => plates.indexOf(plate) !== at)
  const stored = vehicles.find(
    ({ configuration, tyres }) =>
      configuration !== null && tyres.some(tyre => tyre.tyre_status === 'in_stock' && tyre.operation === null),
  )
  const selected = check('tr[data-tyre]')
  return [
    stop('vehicle-add-tyres', vehicle, 'fleet:addTyres', addsTyres),
    stop('vehicle-set-name', vehicle, selected, 'fleet:changeSetName'),
    stop('vehicle-labels', vehicle, 'fleet:printLabels'),
    ...(bare ? [stop('vehicle-without-configuration', `/fleet/vehicle?id=${bare.flt_id}`)] : []),
    stop('tyres-selected', '/tyres', check('tbody[data-set]')),
    stop('tyres-delete', '/tyres?tab=tyres&status=at_customer', selected, 'tyres:action.delete'),
    stop('operations-pending', '/operations'),
    stop('operations-delete', '/operations', press('operations:deleteWhich')),
    stop('operations-submitted', '/operations?tab=submitted'),
    stop('operations-completed', '/operations?tab=completed'),
    stop('wizard-plate', '/wizard/step1'),
    stop('wizard-unknown-plate', '/wizard/step1?plate=XYZ999'),
    ...(twice ? [stop('wizard-several', `/wizard/step1?plate=${twice}`)] : []),
    stop('wizard-service', `/wizard/step2?flt_id=${flt_id}`),
    ...(stored ? [stop('wizard-tyres', `/wizard/step2?flt_id=${stored.flt_id}&type=to_customer`)] : []),
    ...(pending ? [stop('wizard-details', `/wizard/step3?operation=${pending}`)] : []),
    ...(submitted ? [stop('wizard-done', `/wizard/step4?outcome=submitted&operation=${submitted}`)] : []),
    stop('wizard-cancelled', '/wizard/step4?outcome=cancelled'),
  ]
}

const vehiclesOf = async (visitor: Visitor): Promise<Vehicle[]> =>
  fleet.fetch.output.parse(await visitor.call('/fleet/fetch', {}))

export const tours: readonly Tour[] = [
  {
    name: 'customer',
    user: 'customer',
    mode: 'both',
    async stops(visitor) {
      const vehicles = await vehiclesOf(visitor)
      return [...fleetStops(vehicles), ...(await hotelStops(visitor, vehicles))]
    },
  },
  {
    name: 'admin',
    user: 'admin',
    mode: 'both',
    async stops(visitor) {
      const vehicle = `/fleet/vehicle?id=${richest(await vehiclesOf(visitor)).flt_id}`
      return [
        // What an administrator sees as a customer does is not shown twice.
        stop('home', '/'),
        stop('fleet', '/fleet'),
        stop('fleet-new-vehicle', '/fleet', 'fleet:newVehicle'),
        stop('vehicle', vehicle),
        stop('tyres', '/tyres'),
        stop('desk-recalls', '/admin/operations?type=to_customer'),
        stop('desk-storages', '/admin/operations?type=to_stock'),
        stop('desk-disposals', '/admin/operations?type=to_waste'),
        stop('desk-actions', '/admin/operations?type=to_stock', 'admin:moreActionsOf'),
        stop('desk-cancel', '/admin/operations?type=to_stock', 'admin:moreActionsOf', 'admin:cancel'),
        stop('desk-completed', '/admin/operations?tab=completed'),
        stop('intake', '/admin/intake'),
        stop('intake-storage', '/admin/intake?type=to_stock'),
        stop('scan', '/admin/intake?type=to_customer&scan=true'),
        stop('audit', '/admin/audit'),
        stop('audit-nothing-found', '/admin/audit?search=nowhere'),
      ]
    },
  },
  {
    name: 'superuser',
    user: 'superuser',
    stops: async () => [stop('home', '/superuser'), stop('audit', '/admin/audit')],
  },
  {
    name: 'fleetonly',
    user: 'customer',
    mode: 'fleetonly',
    async stops(visitor) {
      const same = new Set([
        'fleet-nothing-found',
        'fleet-new-vehicle-refused',
        'vehicle-remove',
        'vehicle-none',
        'not-found',
      ])
      return fleetStops(await vehiclesOf(visitor)).filter(({ name }) => !same.has(name))
    },
  },
]

/** Makes the site of the tour what the tour shows; those who are signed in see it when they load a page. */
export async function prepare(portal: Portal, { mode }: Tour): Promise<void> {
  if (mode) await portal.sql(`update site set mode = $1 where mode <> $1`, [mode])
}

/** Goes to a stop, and waits until it has its content: nothing is being fetched or moving, and its heading stands. */
export async function arrive({ page }: Visitor, { path, steps }: Stop, lang: Language): Promise<void> {
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  for (const step of steps) await (typeof step === 'string' ? press(step) : step)(page, lang)
  if (steps.length > 0) await page.waitForLoadState('networkidle')
  await atRest(page)
}

/** Waits for what moves or changes its colour. A loader and the clock of a question take their time: not these. */
export async function atRest(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(one => one.playState !== 'running' || Number(one.effect?.getComputedTiming().duration) > 1000),
  )
}
