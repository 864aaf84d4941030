/**
 * Every screen: its address, who may open it, the door of the navigation that leads to it, its search parameters and its code. Routes
 * (`routes.tsx`), navigation, the row of links of a door, Find and build (`vite.config.ts`) are made from this table.
 */
import {
  IconBell,
  IconBuilding,
  IconBuildingCommunity,
  IconBuildingStore,
  IconBuildingWarehouse,
  IconCalendarStats,
  IconCar,
  IconChartBar,
  IconChecklist,
  IconClipboardCheck,
  IconClipboardList,
  IconClockDollar,
  IconCode,
  IconCoinEuro,
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
  IconShoppingCart,
  IconSnowflake,
  IconTableImport,
  IconTags,
  IconTruck,
  IconTruckDelivery,
  IconUserCircle,
  IconUserShield,
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
  configSearch,
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

/** Who sees a navigation of their own; `warehouse`: an administrator restricted to the warehouse. */
type Account = Role | 'warehouse'

type Named = { readonly text: KeyOf<'nav'>; readonly icon: TablerIcon }

/** An entry of the navigation. It leads to screens that belong together, and opens the first of them. */
type Door = Named & {
  /** It stands below the others. */
  readonly atFoot?: true
  /** Its first screen lists the others. A way back to it stands above their titles, in place of the row of links. */
  readonly lists?: true
}

/** The entries of each navigation, in order (docs/product/screens.md "Doors"). */
const doors = {
  user: {
    home: { text: 'home', icon: IconHome },
    operations: { text: 'operations', icon: IconListDetails },
    vehicles: { text: 'fleet', icon: IconCar },
    tyres: { text: 'tyres', icon: IconWheel },
    season: { text: 'season', icon: IconSnowflake },
  },
  warehouse: {
    scan: { text: 'scan', icon: IconScan },
    jobs: { text: 'jobs', icon: IconChecklist },
    places: { text: 'places', icon: IconBuildingWarehouse },
    find: { text: 'find', icon: IconSearch },
  },
  admin: {
    today: { text: 'today', icon: IconHome },
    orders: { text: 'orders', icon: IconClipboardCheck },
    warehouse: { text: 'warehouse', icon: IconBuildingWarehouse },
    customers: { text: 'customers', icon: IconUsers },
    vehiclesAndTyres: { text: 'vehiclesAndTyres', icon: IconCar },
    billing: { text: 'billing', icon: IconFileInvoice },
    insights: { text: 'insights', icon: IconChartBar },
    settings: { text: 'settings', icon: IconSettings, atFoot: true, lists: true },
  },
  superuser: {
    sites: { text: 'sites', icon: IconBuildingStore },
    texts: { text: 'texts', icon: IconLanguage },
    messages: { text: 'messages', icon: IconMail },
    log: { text: 'log', icon: IconHistory },
  },
} as const satisfies Record<Account, Record<string, Door>>
type DoorOf<A extends Account> = keyof (typeof doors)[A]

/** A link in the row of its door, and an entry of Find. A screen that is several things at once has one for each, by its address. */
type View = Named & {
  readonly search?: object
  /** The part of the product that it belongs to, as of a screen. */
  readonly part?: 'hotel'
}

export type ScreenEntry = {
  readonly who: readonly Role[]
  /** The part of the product that it belongs to; without one it exists in every mode. */
  readonly part?: 'hotel' | 'fleet'
  /** For administrators it exists only with a hotel: without one nothing happens of which they are told. */
  readonly hotelAdmins?: true
  /** The door that it belongs to, by who opens it. */
  readonly door?: { readonly [A in Account]?: DoorOf<A> }
  /** Where it is one of several screens of a door: its links in the row at the top of each of them. */
  readonly views?: readonly [View, ...View[]]
  /** The screen whose buttons and rows open it. It belongs to the same door, and has no link of its own. */
  readonly within?: string
  /** Its entry in Find, where no door leads to it. */
  readonly inFind?: Named
  /** It shows the rows of the customer that an administrator acts for. */
  readonly ofCustomer?: true
  /** Administrators restricted to the warehouse open it, too. */
  readonly warehouse?: true
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
  '/': { ...users, door: { user: 'home', admin: 'today' }, component: lazy(() => import('./home/home.tsx'), 'Home') },
  '/admin': { ...admins, within: '/', component: lazy(() => import('./home/home.tsx'), 'Home') },
  '/admin/operations': {
    ...hotelAdmins,
    door: { admin: 'orders' },
    views: [
      { text: 'submitted', icon: IconClipboardCheck },
      { text: 'completed', icon: IconClipboardCheck, search: { tab: 'completed' } },
    ],
    search: deskSearch,
    component: lazy(() => import('./desk/operations.tsx'), 'AdminOperations'),
  },
  '/operations': {
    ...hotelUsers,
    door: { user: 'operations', admin: 'orders' },
    views: [{ text: 'drafts', icon: IconListDetails }],
    ofCustomer: true,
    search: operationsSearch,
    component: lazy(() => import('./operations/overview/overview.tsx'), 'OperationsOverview'),
  },
  '/receipt': {
    ...hotelUsers,
    within: '/operations',
    search: receiptSearch,
    component: lazy(() => import('./papers/receipt.tsx'), 'ReceiptScreen'),
  },
  '/wizard/step1': {
    ...hotelUsers,
    within: '/operations',
    inFind: { text: 'newOperation', icon: IconPlus },
    ofCustomer: true,
    search: wizardSearch,
    component: lazy(() => import('./operations/wizard/step1.tsx'), 'Step1'),
  },
  '/wizard/step2': {
    ...hotelUsers,
    within: '/wizard/step1',
    ofCustomer: true,
    search: wizardSearch,
    component: lazy(() => import('./operations/wizard/step2.tsx'), 'Step2'),
  },
  '/wizard/step3': {
    ...hotelUsers,
    within: '/wizard/step1',
    ofCustomer: true,
    search: wizardSearch,
    component: lazy(() => import('./operations/wizard/step3.tsx'), 'Step3'),
  },
  '/wizard/step4': {
    ...hotelUsers,
    within: '/wizard/step1',
    ofCustomer: true,
    search: wizardSearch,
    component: lazy(() => import('./operations/wizard/step4.tsx'), 'Step4'),
  },
  '/admin/intake': {
    ...hotelAdmins,
    door: { admin: 'warehouse', warehouse: 'scan' },
    views: [{ text: 'scan', icon: IconScan }],
    warehouse: true,
    search: intakeSearch,
    component: lazy(() => import('./intake/intake.tsx'), 'Intake'),
  },
  '/admin/jobs': {
    ...hotelAdmins,
    door: { warehouse: 'jobs' },
    warehouse: true,
    warehouseOnly: true,
    component: lazy(() => import('./locations/jobs.tsx'), 'Jobs'),
  },
  '/admin/waves': {
    ...hotelAdmins,
    door: { admin: 'warehouse', warehouse: 'jobs' },
    views: [{ text: 'waves', icon: IconTruckDelivery }],
    warehouse: true,
    component: lazy(() => import('./waves/waves.tsx'), 'Waves'),
  },
  '/admin/waves/pick': {
    ...hotelAdmins,
    within: '/admin/waves',
    warehouse: true,
    search: pickSearch,
    component: lazy(() => import('./waves/pick.tsx'), 'PickScreen'),
  },
  '/admin/waves/load': {
    ...hotelAdmins,
    within: '/admin/waves',
    warehouse: true,
    search: loadSearch,
    component: lazy(() => import('./gate/load.tsx'), 'LoadScreen'),
  },
  '/admin/locations': {
    ...hotelAdmins,
    door: { admin: 'warehouse', warehouse: 'places' },
    views: [{ text: 'places', icon: IconBuildingWarehouse }],
    warehouse: true,
    search: locationsSearch,
    component: lazy(() => import('./locations/locations.tsx'), 'Locations'),
  },
  // for other administrators it is where the camera opens; they find things on every screen
  '/admin/find': {
    ...hotelAdmins,
    door: { admin: 'warehouse', warehouse: 'find' },
    warehouse: true,
    component: lazy(() => import('./locations/findWheel.tsx'), 'FindWheel'),
  },
  '/admin/counts': {
    ...hotelAdmins,
    door: { admin: 'warehouse', warehouse: 'jobs' },
    views: [{ text: 'counts', icon: IconListCheck }],
    warehouse: true,
    component: lazy(() => import('./counts/counts.tsx'), 'Counts'),
  },
  '/admin/counts/walk': {
    ...hotelAdmins,
    within: '/admin/counts',
    warehouse: true,
    search: countSearch,
    component: lazy(() => import('./counts/walk.tsx'), 'CountScreen'),
  },
  '/admin/counts/report': {
    ...hotelAdmins,
    within: '/admin/counts',
    warehouse: true,
    search: countSearch,
    component: lazy(() => import('./counts/report.tsx'), 'ReportScreen'),
  },
  '/admin/clearup': {
    ...hotelAdmins,
    door: { admin: 'warehouse', warehouse: 'jobs' },
    views: [{ text: 'clearUp', icon: IconChecklist }],
    warehouse: true,
    component: lazy(() => import('./locations/clearUp.tsx'), 'ClearUp'),
  },
  '/admin/customers': {
    ...admins,
    door: { admin: 'customers' },
    search: customersSearch,
    component: lazy(() => import('./customers/list.tsx'), 'Customers'),
  },
  '/admin/fleetmanagement': {
    ...admins,
    part: 'fleet',
    within: '/admin/customers',
    inFind: { text: 'fleetManagement', icon: IconBuildingCommunity },
    ofCustomer: true,
    search: managementSearch,
    component: lazy(() => import('./vehicles/fleetmanagement/management.tsx'), 'FleetManagement'),
  },
  '/fleet': {
    ...users,
    door: { user: 'vehicles', admin: 'vehiclesAndTyres' },
    views: [{ text: 'fleet', icon: IconCar }],
    ofCustomer: true,
    search: fleetSearch,
    component: lazy(() => import('./vehicles/fleet/list.tsx'), 'FleetList'),
  },
  '/fleet/vehicle': {
    ...users,
    within: '/fleet',
    ofCustomer: true,
    search: vehicleSearch,
    component: lazy(() => import('./vehicles/fleet/vehicle.tsx'), 'VehicleDetail'),
  },
  '/tyres': {
    ...users,
    door: { user: 'tyres', admin: 'vehiclesAndTyres' },
    views: [{ text: 'tyres', icon: IconWheel }],
    ofCustomer: true,
    search: tyresSearch,
    component: lazy(() => import('./tyres/list.tsx'), 'TyreList'),
  },
  '/stock': {
    ...hotelUsers,
    who: ['user'],
    within: '/tyres',
    inFind: { text: 'stock', icon: IconClipboardList },
    search: stockSearch,
    component: lazy(() => import('./stock/screen.tsx'), 'OwnStockScreen'),
  },
  '/season': {
    ...hotelUsers,
    door: { user: 'season', admin: 'vehiclesAndTyres' },
    views: [{ text: 'seasonChange', icon: IconSnowflake }],
    ofCustomer: true,
    search: seasonSearch,
    component: lazy(() => import('./season/screen.tsx'), 'SeasonScreen'),
  },
  '/left': {
    ...users,
    within: '/tyres',
    ofCustomer: true,
    component: lazy(() => import('./vehicles/moving/left.tsx'), 'LeftScreen'),
  },
  '/buying': {
    ...users,
    door: { user: 'season', admin: 'vehiclesAndTyres' },
    views: [{ text: 'buying', icon: IconShoppingCart }],
    ofCustomer: true,
    search: buyingSearch,
    component: lazy(() => import('./season/buying.tsx'), 'BuyingScreen'),
  },
  '/admin/invoicing': {
    ...hotelAdmins,
    door: { admin: 'billing' },
    views: [
      { text: 'toBill', icon: IconClockDollar },
      { text: 'invoices', icon: IconFileInvoice, search: { tab: 'invoices' } },
      { text: 'prices', icon: IconCoinEuro, search: { tab: 'prices' } },
    ],
    search: invoicingSearch,
    component: lazy(() => import('./invoicing/screen.tsx'), 'Invoicing'),
  },
  '/admin/board': {
    ...hotelAdmins,
    door: { admin: 'insights' },
    views: [{ text: 'board', icon: IconCalendarStats }],
    component: lazy(() => import('./board/screen.tsx'), 'SeasonBoard'),
  },
  '/admin/figures': {
    ...hotelAdmins,
    door: { admin: 'insights' },
    views: [{ text: 'figures', icon: IconChartBar }],
    component: lazy(() => import('./figures/screen.tsx'), 'Figures'),
  },
  '/admin/stock': {
    ...hotelAdmins,
    door: { admin: 'insights' },
    views: [{ text: 'stock', icon: IconClipboardList }],
    search: stockSearch,
    component: lazy(() => import('./stock/screen.tsx'), 'StockScreen'),
  },
  '/admin/config': {
    ...admins,
    door: { admin: 'settings' },
    views: [
      { text: 'settings', icon: IconSettings },
      { text: 'settingsPage.company', icon: IconBuilding, search: { page: 'company' } },
      { text: 'settingsPage.services', icon: IconCoinEuro, search: { page: 'services' }, part: 'hotel' },
      { text: 'settingsPage.transport', icon: IconTruck, search: { page: 'transport' }, part: 'hotel' },
      { text: 'settingsPage.vehicles', icon: IconCar, search: { page: 'vehicles' } },
      { text: 'settingsPage.team', icon: IconUserShield, search: { page: 'team' } },
      { text: 'settingsPage.developers', icon: IconCode, search: { page: 'developers' } },
    ],
    search: configSearch,
    component: lazy(() => import('./config/screen.tsx'), 'Configuration'),
  },
  '/admin/articles': {
    ...admins,
    door: { admin: 'settings' },
    views: [{ text: 'articles', icon: IconTags }],
    search: articlesSearch,
    component: lazy(() => import('./articles/screen.tsx'), 'Articles'),
  },
  '/admin/import': {
    ...admins,
    door: { admin: 'settings' },
    views: [{ text: 'imports', icon: IconTableImport }],
    search: importSearch,
    component: lazy(() => import('./imports/screen.tsx'), 'Imports'),
  },
  '/admin/audit': {
    who: ['admin', 'superuser'],
    door: { admin: 'settings', superuser: 'log' },
    views: [{ text: 'audit', icon: IconHistory }],
    search: auditSearch,
    component: lazy(() => import('./logs/audit.tsx'), 'Audit'),
  },
  '/admin/security': {
    who: ['admin', 'superuser'],
    door: { admin: 'settings', superuser: 'log' },
    views: [{ text: 'security', icon: IconShieldLock }],
    search: securitySearch,
    component: lazy(() => import('./logs/security.tsx'), 'Security'),
  },
  '/notices': {
    ...users,
    hotelAdmins: true,
    inFind: { text: 'notices', icon: IconBell },
    component: lazy(() => import('./notices/screen.tsx'), 'NoticesScreen'),
  },
  '/account': {
    who: ['user', 'admin', 'superuser'],
    inFind: { text: 'myAccount', icon: IconUserCircle },
    warehouse: true,
    component: lazy(() => import('./account/account.tsx'), 'Account'),
  },
  '/superuser': {
    ...superusers,
    door: { superuser: 'sites' },
    search: sitesSearch,
    component: lazy(() => import('./sites/sites.tsx'), 'Sites'),
  },
  '/superuser/config': {
    ...superusers,
    within: '/superuser',
    search: siteSearch,
    component: lazy(() => import('./config/screen.tsx'), 'SiteConfiguration'),
  },
  '/superuser/translations': {
    ...superusers,
    door: { superuser: 'texts' },
    search: dictionarySearch,
    component: lazy(() => import('./translations/screen.tsx'), 'Translations'),
  },
  '/superuser/mails': {
    ...superusers,
    door: { superuser: 'messages' },
    component: lazy(() => import('./sites/mails.tsx'), 'Mails'),
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

export type ShownView = View & { readonly path: Path }
export type ShownDoor = Door & { readonly name: string; readonly views: readonly [ShownView, ...ShownView[]] }

const accountOf = ({ type, warehouse }: Visitor): Account => (warehouse ? 'warehouse' : type)
const isPath = (address: string): address is Path => Object.hasOwn(screens, address)

/** The entries of the navigation, in order, each with its links. One with a single link bears the name of its door. */
export function doorsFor(visitor: Visitor): ShownDoor[] {
  const account = accountOf(visitor)
  const open = (Object.keys(screens) as Path[]).filter(path => isOpenTo(path, visitor))
  return Object.entries<Door>(doors[account]).flatMap(([name, door]) => {
    const inside = open.filter(path => doorOf(path, account) === name && !(screens[path] as ScreenEntry).within)
    const rows = inside.flatMap(path =>
      ((screens[path] as ScreenEntry).views ?? [])
        .filter(({ part }) => part === undefined || (visitor.mode !== null && isHotel(visitor.mode)))
        .map(view => ({ ...view, path })),
    )
    const [path] = inside
    // what the jobs of the warehouse lead to stands on their screen
    const isOne = rows.length < 2 || account === 'warehouse'
    const [first, ...others] = isOne && path ? [{ text: door.text, icon: door.icon, path }] : rows
    return first ? [{ ...door, name, views: [first, ...others] as const }] : []
  })
}

/** The name of the door that a screen belongs to, itself or by the screen that it is opened from. */
function doorOf(path: Path, account: Account): string | undefined {
  const { door, within }: ScreenEntry = screens[path]
  return door?.[account] ?? (within !== undefined && isPath(within) ? doorOf(within, account) : undefined)
}

/** The links in the row at the top of a screen: those of its door, or where that lists its screens itself those beside the open one. */
export function rowOf({ lists, views }: ShownDoor, here: string): readonly ShownView[] {
  const beside = lists ? views.filter(({ path }) => logs.includes(here) && logs.includes(path)) : views
  return beside.length > 1 ? beside : []
}
/** Two logs that are one page of the settings. */
const logs: readonly string[] = ['/admin/audit', '/admin/security'] satisfies Path[]

/** Whether a door is the one of the open screen. */
export const isHere = ({ name }: Pick<ShownDoor, 'name'>, address: string, visitor: Visitor): boolean =>
  isPath(address) && doorOf(address, accountOf(visitor)) === name

/** The screens that Find names: the links of all doors, and screens that none leads to. */
export function findEntriesFor(visitor: Visitor): (ShownView & { readonly door?: Named })[] {
  const ofDoors = doorsFor(visitor).flatMap(door =>
    door.views.map(view => (door.views.length > 1 ? { ...view, door } : view)),
  )
  const others = (Object.keys(screens) as Path[]).flatMap(path => {
    const { inFind }: ScreenEntry = screens[path]
    return inFind && isOpenTo(path, visitor) ? [{ ...inFind, path }] : []
  })
  return [...ofDoors, ...others]
}
