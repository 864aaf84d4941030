/** Every address of the portal (docs/product.md "Screens and addresses"). A screen's code is fetched when it is opened or about to be. */
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router'
import type { Profile } from '#contract/session.ts'
import type { SiteConfig } from '#contract/wire.ts'
import { languageCodes } from '#domain/account.ts'
import { auditGroups } from '#domain/audit.ts'
import { isIsoDate } from '#domain/date.ts'
import { offeredTypes, type OfferedType } from '#domain/tyre.ts'
import { Crashed, NotFound, Waiting } from './nav/faces.tsx'
import { isOpenTo, type Path } from './shared/places.ts'
import { Shell } from './nav/shell.tsx'
import { type SortKey as TyreSortKey, sortKeys as tyreSortKeys } from './tyres/order.ts'
import { vehicleTabs } from './shared/vehicle/tabs.ts'
import { type SortKey, sortKeys } from './shared/vehicle/vehicleRows.ts'

export type RouterContext = { who: Profile; site: SiteConfig | null }

/** What screens hand to each other beside the address in navigation state. The address wins after a reload. */
declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The vehicle screen's vehicle, the site of the superuser's configuration screen. */
    id?: number
    /** The wizard's vehicle. */
    flt_id?: number
    /** The operation that the wizard is about. */
    operation?: number
    /** The tab that /operations starts on. */
    tab?: OperationsTab
  }
  interface Register {
    router: typeof router
  }
}

export const operationsTabs = ['pending', 'submitted', 'completed'] as const
export type OperationsTab = (typeof operationsTabs)[number]
export const tyreTabs = ['sets', 'tyres'] as const
export const customerTabs = ['customers', 'administrators'] as const
export const deskTabs = ['submitted', 'completed'] as const
export const outcomes = ['submitted', 'cancelled'] as const
export type Outcome = (typeof outcomes)[number]

const idOf = (value: unknown): number | undefined => {
  const id = Number(value)
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}
const dayOf = (value: unknown): string | undefined =>
  typeof value === 'string' && isIsoDate(value) ? value : undefined
const oneOf = <T extends string>(all: readonly T[], value: unknown): T | undefined => all.find(one => one === value)
/** Without the keys that have no value, so that the address stays clean. */
const present = <T extends object>(search: T) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

const root = createRootRouteWithContext<RouterContext>()({
  component: Shell,
  notFoundComponent: NotFound,
})

/** A screen that is only there for those who may open it; for others its address is like any other path. */
function only(path: Path) {
  return ({ context: { who, site } }: { context: RouterContext }) => {
    if (!isOpenTo(path, { type: who.type, mode: site?.mode ?? null })) throw notFound()
  }
}

/** The wizard's address says which vehicle, which service and which operation: reload and bookmark work. */
const wizardSearch = (search: Record<string, unknown>) =>
  present({
    plate: typeof search.plate === 'string' || typeof search.plate === 'number' ? String(search.plate) : undefined,
    flt_id: idOf(search.flt_id),
    type: oneOf<OfferedType>(offeredTypes, search.type),
    operation: idOf(search.operation),
    outcome: oneOf(outcomes, search.outcome),
  })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: ({ context }) => {
    if (context.who.type === 'superuser') throw redirect({ to: '/superuser', replace: true })
  },
  component: lazyRouteComponent(() => import('./home/home.tsx'), 'Home'),
})

const step1 = createRoute({
  getParentRoute: () => root,
  path: '/wizard/step1',
  beforeLoad: only('/wizard/step1'),
  validateSearch: wizardSearch,
  component: lazyRouteComponent(() => import('./wizard/step1.tsx'), 'Step1'),
})
const step2 = createRoute({
  getParentRoute: () => root,
  path: '/wizard/step2',
  beforeLoad: only('/wizard/step2'),
  validateSearch: wizardSearch,
  component: lazyRouteComponent(() => import('./wizard/step2.tsx'), 'Step2'),
})
const step3 = createRoute({
  getParentRoute: () => root,
  path: '/wizard/step3',
  beforeLoad: only('/wizard/step3'),
  validateSearch: wizardSearch,
  component: lazyRouteComponent(() => import('./wizard/step3.tsx'), 'Step3'),
})
const step4 = createRoute({
  getParentRoute: () => root,
  path: '/wizard/step4',
  beforeLoad: only('/wizard/step4'),
  validateSearch: wizardSearch,
  component: lazyRouteComponent(() => import('./wizard/step4.tsx'), 'Step4'),
})

const operations = createRoute({
  getParentRoute: () => root,
  path: '/operations',
  beforeLoad: only('/operations'),
  validateSearch: (search: Record<string, unknown>) => present({ tab: oneOf(operationsTabs, search.tab) }),
  component: lazyRouteComponent(() => import('./operations/overview.tsx'), 'OperationsOverview'),
})

const fleet = createRoute({
  getParentRoute: () => root,
  path: '/fleet',
  beforeLoad: only('/fleet'),
  validateSearch: (search: Record<string, unknown>) =>
    present({
      filter:
        typeof search.filter === 'string' || typeof search.filter === 'number' ? String(search.filter) : undefined,
      by: oneOf<SortKey>(sortKeys, search.by),
      desc: search.desc === true || undefined,
      page: idOf(search.page),
    }),
  component: lazyRouteComponent(() => import('./fleet/list.tsx'), 'FleetList'),
})
const vehicle = createRoute({
  getParentRoute: () => root,
  path: '/fleet/vehicle',
  beforeLoad: only('/fleet/vehicle'),
  validateSearch: (search: Record<string, unknown>) =>
    present({ id: idOf(search.id), tab: oneOf(vehicleTabs, search.tab) }),
  component: lazyRouteComponent(() => import('./fleet/vehicle.tsx'), 'VehicleDetail'),
})

const tyres = createRoute({
  getParentRoute: () => root,
  path: '/tyres',
  beforeLoad: only('/tyres'),
  validateSearch: (search: Record<string, unknown>) =>
    present({
      tab: oneOf(tyreTabs, search.tab),
      // A number in the address arrives as one.
      filter: ['string', 'number'].includes(typeof search.filter) ? String(search.filter) : undefined,
      status: typeof search.status === 'string' ? search.status : undefined,
      waste: search.waste === true || undefined,
      by: oneOf<TyreSortKey>(tyreSortKeys, search.by),
      desc: search.desc === true || undefined,
      page: idOf(search.page),
    }),
  component: lazyRouteComponent(() => import('./tyres/list.tsx'), 'TyreList'),
})

/** An administrator's home, under its own address. */
const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  beforeLoad: only('/admin'),
  component: lazyRouteComponent(() => import('./home/home.tsx'), 'Home'),
})
const fleetManagement = createRoute({
  getParentRoute: () => root,
  path: '/admin/fleetmanagement',
  beforeLoad: only('/admin/fleetmanagement'),
  validateSearch: (search: Record<string, unknown>) => present({ vehicle: idOf(search.vehicle) }),
  component: lazyRouteComponent(() => import('./fleetmanagement/management.tsx'), 'FleetManagement'),
})
const adminOperations = createRoute({
  getParentRoute: () => root,
  path: '/admin/operations',
  beforeLoad: only('/admin/operations'),
  validateSearch: (search: Record<string, unknown>) =>
    present({ tab: oneOf(deskTabs, search.tab), type: oneOf<OfferedType>(offeredTypes, search.type) }),
  component: lazyRouteComponent(() => import('./desk/operations.tsx'), 'AdminOperations'),
})
const intake = createRoute({
  getParentRoute: () => root,
  path: '/admin/intake',
  beforeLoad: only('/admin/intake'),
  validateSearch: (search: Record<string, unknown>) =>
    present({ type: oneOf<OfferedType>(offeredTypes, search.type), scan: search.scan === true || undefined }),
  component: lazyRouteComponent(() => import('./intake/intake.tsx'), 'Intake'),
})

const locations = createRoute({
  getParentRoute: () => root,
  path: '/admin/locations',
  beforeLoad: only('/admin/locations'),
  validateSearch: (search: Record<string, unknown>) =>
    present({
      // A number in the address arrives as one.
      filter: ['string', 'number'].includes(typeof search.filter) ? String(search.filter) : undefined,
      id: idOf(search.id),
    }),
  component: lazyRouteComponent(() => import('./warehouse/locations.tsx'), 'Locations'),
})

const customers = createRoute({
  getParentRoute: () => root,
  path: '/admin/customers',
  beforeLoad: only('/admin/customers'),
  validateSearch: (search: Record<string, unknown>) =>
    present({
      tab: oneOf(customerTabs, search.tab),
      // A number in the address arrives as one.
      filter: ['string', 'number'].includes(typeof search.filter) ? String(search.filter) : undefined,
      /** The last customer of each page before the one that is shown. */
      before: Array.isArray(search.before) ? search.before.flatMap(id => idOf(id) ?? []) : undefined,
      id: idOf(search.id),
    }),
  component: lazyRouteComponent(() => import('./customers/list.tsx'), 'Customers'),
})
const audit = createRoute({
  getParentRoute: () => root,
  path: '/admin/audit',
  beforeLoad: only('/admin/audit'),
  validateSearch: (search: Record<string, unknown>) =>
    present({
      // A number in the address arrives as one.
      search: ['string', 'number'].includes(typeof search.search) ? String(search.search) : undefined,
      group: oneOf(auditGroups, search.group),
      account: idOf(search.account),
      customer: idOf(search.customer),
      site: idOf(search.site),
      from: dayOf(search.from),
      to: dayOf(search.to),
    }),
  component: lazyRouteComponent(() => import('./audit/screen.tsx'), 'Audit'),
})
const config = createRoute({
  getParentRoute: () => root,
  path: '/admin/config',
  beforeLoad: only('/admin/config'),
  component: lazyRouteComponent(() => import('./config/screen.tsx'), 'Configuration'),
})

const invoicing = createRoute({
  getParentRoute: () => root,
  path: '/admin/invoicing',
  beforeLoad: only('/admin/invoicing'),
  validateSearch: (search: Record<string, unknown>) => {
    const days = Number(search.days)
    return present({
      tab: oneOf(['documents'] as const, search.tab),
      // no day at all is a number of days, too
      days: search.days !== undefined && Number.isInteger(days) && days >= 0 && days <= 36_500 ? days : undefined,
      customer: idOf(search.customer),
    })
  },
  component: lazyRouteComponent(() => import('./invoicing/screen.tsx'), 'Invoicing'),
})

const superuser = createRoute({
  getParentRoute: () => root,
  path: '/superuser',
  beforeLoad: only('/superuser'),
  component: lazyRouteComponent(() => import('./superuser/sites.tsx'), 'Sites'),
})
const superuserConfig = createRoute({
  getParentRoute: () => root,
  path: '/superuser/config',
  beforeLoad: only('/superuser/config'),
  validateSearch: (search: Record<string, unknown>) => present({ id: idOf(search.id) }),
  component: lazyRouteComponent(() => import('./config/screen.tsx'), 'SiteConfiguration'),
})

const translations = createRoute({
  getParentRoute: () => root,
  path: '/superuser/translations',
  beforeLoad: only('/superuser/translations'),
  validateSearch: (search: Record<string, unknown>) =>
    present({
      tab: oneOf(['missing'] as const, search.tab),
      // A number in the address arrives as one.
      filter: ['string', 'number'].includes(typeof search.filter) ? String(search.filter) : undefined,
      ns: typeof search.ns === 'string' ? search.ns : undefined,
      lang: oneOf(languageCodes, search.lang),
      show: oneOf(['changed', 'missing'] as const, search.show),
    }),
  component: lazyRouteComponent(() => import('./translations/screen.tsx'), 'Translations'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    step1,
    step2,
    step3,
    step4,
    operations,
    fleet,
    vehicle,
    tyres,
    dashboard,
    fleetManagement,
    adminOperations,
    intake,
    locations,
    invoicing,
    customers,
    config,
    audit,
    superuser,
    superuserConfig,
    translations,
  ]),
  context: undefined as unknown as RouterContext,
  defaultPreload: 'intent',
  defaultPendingComponent: Waiting,
  defaultErrorComponent: Crashed,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
})
