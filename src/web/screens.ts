/**
 * Every screen: its address, who may open it, its entry in the navigation, its search parameters and its code. Routes (`routes.tsx`), navigation
 * and build (`vite.config.ts`) are made from this table.
 */
import {
  IconBell,
  IconBuildingCommunity,
  IconBuildingStore,
  IconBuildingWarehouse,
  IconCalendarStats,
  IconCar,
  IconChartBar,
  IconChecklist,
  IconClipboardCheck,
  IconClipboardList,
  IconFileInvoice,
  IconHistory,
  IconHome,
  IconLanguage,
  IconListCheck,
  IconListDetails,
  IconMail,
  IconPlus,
  IconScan,
  IconSearch,
  IconSettings,
  IconShieldLock,
  IconTableImport,
  IconTags,
  IconTruckDelivery,
  IconUsers,
  IconWheel,
  type TablerIcon,
} from '@tabler/icons-react'
import { lazyRouteComponent as lazy, type RouteComponent } from '@tanstack/react-router'
import type { Role } from '#domain/people/account.ts'
import { isFleet, isHotel, type Mode } from '#domain/site.ts'
import {
  auditSearch,
  buyingSearch,
  countSearch,
  customersSearch,
  deskSearch,
  dictionarySearch,
  fleetSearch,
  intakeSearch,
  invoicingSearch,
  articlesSearch,
  importSearch,
  loadSearch,
  locationsSearch,
  managementSearch,
  pickSearch,
  receiptSearch,
  securitySearch,
  operationsSearch,
  seasonSearch,
  siteSearch,
  sitesSearch,
  stockSearch,
  tyresSearch,
  vehicleSearch,
  wizardSearch,
} from './searchParams.ts'
import type { KeyOf } from './ui/texts.ts'

type Nav = {
  readonly text: KeyOf<'nav'>
  readonly icon: TablerIcon
  /** The beginnings of the paths for which the entry is lit, besides its own. */
  readonly covers?: readonly string[]
  readonly group?: 'warehouse' | 'administration'
}

export type ScreenEntry = {
  readonly who: readonly Role[]
  /** The part of the product that it belongs to; without one it exists in every mode. */
  readonly part?: 'hotel' | 'fleet'
  /** For administrators it exists only with a hotel: without one nothing happens of which they are told. */
  readonly hotelAdmins?: true
  readonly nav?: Nav
  /** It shows the rows of the customer that an administrator acts for. */
  readonly ofCustomer?: true
  /** Administrators restricted to the warehouse open it, too; a `Nav` is its entry in their navigation. */
  readonly warehouse?: true | Nav
  /** Other administrators do not. */
  readonly warehouseOnly?: true
  /** The search parameters of its address. */
  readonly search?: (search: Record<string, unknown>) => object
  /** Its code is fetched when it is opened or about to be. */
  readonly component: RouteComponent
}

const users = { who: ['user', 'admin'] } as const
const hotelUsers = { ...users, part: 'hotel' } as const
const admins = { who: ['admin'] } as const
const hotelAdmins = { ...admins, part: 'hotel' } as const
const superusers = { who: ['superuser'] } as const

export const screens = {
  '/': { ...users, nav: { text: 'home', icon: IconHome }, component: lazy(() => import('./home/home.tsx'), 'Home') },
  '/wizard/step1': {
    ...hotelUsers,
    nav: { text: 'newOperation', icon: IconPlus, covers: ['/wizard/'] },
    ofCustomer: true,
    search: wizardSearch,
    component: lazy(() => import('./operations/wizard/step1.tsx'), 'Step1'),
  },
  '/wizard/step2': {
    ...hotelUsers,
    ofCustomer: true,
    search: wizardSearch,
    component: lazy(() => import('./operations/wizard/step2.tsx'), 'Step2'),
  },
  '/wizard/step3': {
    ...hotelUsers,
    ofCustomer: true,
    search: wizardSearch,
    component: lazy(() => import('./operations/wizard/step3.tsx'), 'Step3'),
  },
  '/wizard/step4': {
    ...hotelUsers,
    ofCustomer: true,
    search: wizardSearch,
    component: lazy(() => import('./operations/wizard/step4.tsx'), 'Step4'),
  },
  '/operations': {
    ...hotelUsers,
    nav: { text: 'operations', icon: IconListDetails, covers: ['/receipt'] },
    ofCustomer: true,
    search: operationsSearch,
    component: lazy(() => import('./operations/overview/overview.tsx'), 'OperationsOverview'),
  },
  '/fleet': {
    ...users,
    nav: { text: 'fleet', icon: IconCar, covers: ['/fleet', '/season', '/buying'] },
    ofCustomer: true,
    search: fleetSearch,
    component: lazy(() => import('./vehicles/fleet/list.tsx'), 'FleetList'),
  },
  '/fleet/vehicle': {
    ...users,
    ofCustomer: true,
    search: vehicleSearch,
    component: lazy(() => import('./vehicles/fleet/vehicle.tsx'), 'VehicleDetail'),
  },
  '/tyres': {
    ...users,
    nav: { text: 'tyres', icon: IconWheel, covers: ['/stock'] },
    ofCustomer: true,
    search: tyresSearch,
    component: lazy(() => import('./tyres/list.tsx'), 'TyreList'),
  },
  '/season': {
    ...hotelUsers,
    ofCustomer: true,
    search: seasonSearch,
    component: lazy(() => import('./season/screen.tsx'), 'SeasonScreen'),
  },
  '/buying': {
    ...users,
    ofCustomer: true,
    search: buyingSearch,
    component: lazy(() => import('./season/buying.tsx'), 'BuyingScreen'),
  },
  '/notices': {
    ...users,
    hotelAdmins: true,
    nav: { text: 'notices', icon: IconBell },
    component: lazy(() => import('./notices/screen.tsx'), 'NoticesScreen'),
  },
  '/stock': {
    ...hotelUsers,
    who: ['user'],
    search: stockSearch,
    component: lazy(() => import('./stock/screen.tsx'), 'OwnStockScreen'),
  },
  '/receipt': {
    ...hotelUsers,
    search: receiptSearch,
    component: lazy(() => import('./papers/receipt.tsx'), 'ReceiptScreen'),
  },
  '/admin': { ...admins, component: lazy(() => import('./home/home.tsx'), 'Home') },
  '/admin/fleetmanagement': {
    ...admins,
    part: 'fleet',
    nav: { text: 'fleetManagement', icon: IconBuildingCommunity },
    ofCustomer: true,
    search: managementSearch,
    component: lazy(() => import('./vehicles/fleetmanagement/management.tsx'), 'FleetManagement'),
  },
  '/admin/operations': {
    ...hotelAdmins,
    nav: { text: 'operationsDesk', icon: IconClipboardCheck, group: 'warehouse' },
    search: deskSearch,
    component: lazy(() => import('./desk/operations.tsx'), 'AdminOperations'),
  },
  '/admin/intake': {
    ...hotelAdmins,
    nav: { text: 'intake', icon: IconScan, group: 'warehouse' },
    warehouse: { text: 'scan', icon: IconScan },
    search: intakeSearch,
    component: lazy(() => import('./intake/intake.tsx'), 'Intake'),
  },
  '/admin/jobs': {
    ...hotelAdmins,
    warehouse: {
      text: 'jobs',
      icon: IconChecklist,
      covers: ['/admin/waves', '/admin/counts', '/admin/clearup'],
    },
    warehouseOnly: true,
    component: lazy(() => import('./locations/jobs.tsx'), 'Jobs'),
  },
  '/admin/locations': {
    ...hotelAdmins,
    nav: { text: 'locations', icon: IconBuildingWarehouse, group: 'warehouse' },
    warehouse: { text: 'places', icon: IconBuildingWarehouse },
    search: locationsSearch,
    component: lazy(() => import('./locations/locations.tsx'), 'Locations'),
  },
  // for other administrators it is where the camera opens; they find things on every screen
  '/admin/find': {
    ...hotelAdmins,
    warehouse: { text: 'find', icon: IconSearch },
    component: lazy(() => import('./locations/findWheel.tsx'), 'FindWheel'),
  },
  '/admin/waves': {
    ...hotelAdmins,
    nav: { text: 'waves', icon: IconTruckDelivery, group: 'warehouse', covers: ['/admin/waves'] },
    warehouse: true,
    component: lazy(() => import('./waves/waves.tsx'), 'Waves'),
  },
  '/admin/waves/pick': {
    ...hotelAdmins,
    warehouse: true,
    search: pickSearch,
    component: lazy(() => import('./waves/pick.tsx'), 'PickScreen'),
  },
  '/admin/waves/load': {
    ...hotelAdmins,
    warehouse: true,
    search: loadSearch,
    component: lazy(() => import('./gate/load.tsx'), 'LoadScreen'),
  },
  '/admin/board': {
    ...hotelAdmins,
    nav: { text: 'board', icon: IconCalendarStats, group: 'warehouse' },
    component: lazy(() => import('./board/screen.tsx'), 'SeasonBoard'),
  },
  '/admin/counts': {
    ...hotelAdmins,
    nav: { text: 'counts', icon: IconListCheck, group: 'warehouse', covers: ['/admin/counts'] },
    warehouse: true,
    component: lazy(() => import('./counts/counts.tsx'), 'Counts'),
  },
  '/admin/counts/walk': {
    ...hotelAdmins,
    warehouse: true,
    search: countSearch,
    component: lazy(() => import('./counts/walk.tsx'), 'CountScreen'),
  },
  '/admin/counts/report': {
    ...hotelAdmins,
    warehouse: true,
    search: countSearch,
    component: lazy(() => import('./counts/report.tsx'), 'ReportScreen'),
  },
  '/admin/clearup': {
    ...hotelAdmins,
    nav: { text: 'clearUp', icon: IconChecklist, group: 'warehouse' },
    warehouse: true,
    component: lazy(() => import('./locations/clearUp.tsx'), 'ClearUp'),
  },
  '/admin/invoicing': {
    ...hotelAdmins,
    nav: { text: 'invoicing', icon: IconFileInvoice, group: 'warehouse' },
    search: invoicingSearch,
    component: lazy(() => import('./invoicing/screen.tsx'), 'Invoicing'),
  },
  '/admin/figures': {
    ...hotelAdmins,
    nav: { text: 'figures', icon: IconChartBar, group: 'warehouse' },
    component: lazy(() => import('./figures/screen.tsx'), 'Figures'),
  },
  '/admin/stock': {
    ...hotelAdmins,
    nav: { text: 'stock', icon: IconClipboardList, group: 'warehouse' },
    search: stockSearch,
    component: lazy(() => import('./stock/screen.tsx'), 'StockScreen'),
  },
  '/admin/customers': {
    ...admins,
    nav: { text: 'customers', icon: IconUsers, group: 'administration' },
    search: customersSearch,
    component: lazy(() => import('./customers/list.tsx'), 'Customers'),
  },
  '/admin/articles': {
    ...admins,
    nav: { text: 'articles', icon: IconTags, group: 'administration' },
    search: articlesSearch,
    component: lazy(() => import('./articles/screen.tsx'), 'Articles'),
  },
  '/admin/import': {
    ...admins,
    nav: { text: 'imports', icon: IconTableImport, group: 'administration' },
    search: importSearch,
    component: lazy(() => import('./imports/screen.tsx'), 'Imports'),
  },
  '/admin/config': {
    ...admins,
    nav: { text: 'configuration', icon: IconSettings, group: 'administration' },
    component: lazy(() => import('./config/screen.tsx'), 'Configuration'),
  },
  '/account': {
    who: ['user', 'admin', 'superuser'],
    warehouse: true,
    component: lazy(() => import('./account/account.tsx'), 'Account'),
  },
  '/superuser': {
    ...superusers,
    nav: { text: 'sites', icon: IconBuildingStore, covers: ['/superuser/config'] },
    search: sitesSearch,
    component: lazy(() => import('./sites/sites.tsx'), 'Sites'),
  },
  '/superuser/config': {
    ...superusers,
    search: siteSearch,
    component: lazy(() => import('./config/screen.tsx'), 'SiteConfiguration'),
  },
  '/superuser/translations': {
    ...superusers,
    nav: { text: 'dictionary', icon: IconLanguage },
    search: dictionarySearch,
    component: lazy(() => import('./translations/screen.tsx'), 'Translations'),
  },
  '/superuser/mails': {
    ...superusers,
    nav: { text: 'mails', icon: IconMail },
    component: lazy(() => import('./sites/mails.tsx'), 'Mails'),
  },
  // behind the administrator's and the superuser's own
  '/admin/audit': {
    who: ['admin', 'superuser'],
    nav: { text: 'audit', icon: IconHistory, group: 'administration' },
    search: auditSearch,
    component: lazy(() => import('./logs/audit.tsx'), 'Audit'),
  },
  '/admin/security': {
    who: ['admin', 'superuser'],
    nav: { text: 'security', icon: IconShieldLock, group: 'administration' },
    search: securitySearch,
    component: lazy(() => import('./logs/security.tsx'), 'Security'),
  },
} as const satisfies Record<string, ScreenEntry>
export type Path = keyof typeof screens

/** `warehouse`: an administrator restricted to the warehouse. */
export type Visitor = { readonly type: Role; readonly warehouse?: boolean | undefined; readonly mode: Mode | null }

/** Whether this screen exists for an account: its role has it, and the site's mode does. */
export function isOpenTo(path: Path, { type, warehouse = false, mode }: Visitor): boolean {
  const place: ScreenEntry = screens[path]
  if (!place.who.includes(type)) return false
  if (warehouse ? !place.warehouse : place.warehouseOnly) return false
  if (place.part === 'hotel' || (place.hotelAdmins && type === 'admin')) return mode !== null && isHotel(mode)
  if (place.part === 'fleet') return mode !== null && isFleet(mode)
  return true
}

type NavEntry = Nav & { readonly path: Path }

/** The entries of the navigation bar, in order. */
export const entriesFor = (visitor: Visitor): NavEntry[] =>
  (Object.keys(screens) as Path[])
    .filter(path => isOpenTo(path, visitor))
    .flatMap(path => {
      const { nav, warehouse }: ScreenEntry = screens[path]
      const entry = visitor.warehouse ? warehouse : nav
      return typeof entry === 'object' ? [{ path, ...entry }] : []
    })

/** Whether an entry is the current one. The dashboard is an administrator's home under a name of its own. */
export const isHere = (entry: Pick<NavEntry, 'path' | 'covers'>, pathname: string): boolean =>
  pathname === entry.path ||
  (entry.covers?.some(path => pathname.startsWith(path)) ?? false) ||
  (entry.path === '/' && pathname === '/admin')
