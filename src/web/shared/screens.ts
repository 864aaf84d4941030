/** Every screen with who may open it, and its entry in the navigation. One table for navigation bar and routes. */
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
import type { KeyOf } from '../ui/texts.ts'
import type { Role } from '#domain/account.ts'
import { isFleet, isHotel, type Mode } from '#domain/site.ts'

type ScreenEntry = {
  readonly who: readonly Role[]
  /** The part of the product that it belongs to; without one it exists in every mode. */
  readonly part?: 'hotel' | 'fleet'
  /** For administrators it exists only with a hotel: without one nothing happens of which they are told. */
  readonly hotelAdmins?: true
  readonly nav?: {
    readonly text: KeyOf<'nav'>
    readonly icon: TablerIcon
    /** The beginnings of the paths for which the entry is lit, besides its own. */
    readonly covers?: readonly string[]
    readonly group?: 'warehouse' | 'administration'
  }
  /** It shows the rows of the customer that an administrator acts for. */
  readonly ofCustomer?: true
  /**
   * An administrator who is restricted to the warehouse opens it, too. The entries of those are others (`warehouseNav`); `only` is a
   * screen of theirs.
   */
  readonly warehouse?: true | 'only'
}

export const screens = {
  '/': { who: ['user', 'admin'], nav: { text: 'home', icon: IconHome } },
  '/wizard/step1': {
    who: ['user', 'admin'],
    part: 'hotel',
    nav: { text: 'newOperation', icon: IconPlus, covers: ['/wizard/'] },
    ofCustomer: true,
  },
  '/wizard/step2': { who: ['user', 'admin'], part: 'hotel', ofCustomer: true },
  '/wizard/step3': { who: ['user', 'admin'], part: 'hotel', ofCustomer: true },
  '/wizard/step4': { who: ['user', 'admin'], part: 'hotel', ofCustomer: true },
  '/operations': {
    who: ['user', 'admin'],
    part: 'hotel',
    nav: { text: 'operations', icon: IconListDetails, covers: ['/receipt'] },
    ofCustomer: true,
  },
  '/fleet': {
    who: ['user', 'admin'],
    nav: { text: 'fleet', icon: IconCar, covers: ['/fleet', '/season', '/buying'] },
    ofCustomer: true,
  },
  '/fleet/vehicle': { who: ['user', 'admin'], ofCustomer: true },
  '/tyres': { who: ['user', 'admin'], nav: { text: 'tyres', icon: IconWheel, covers: ['/stock'] }, ofCustomer: true },
  '/season': { who: ['user', 'admin'], part: 'hotel', ofCustomer: true },
  '/buying': { who: ['user', 'admin'], ofCustomer: true },
  '/notices': { who: ['user', 'admin'], hotelAdmins: true, nav: { text: 'notices', icon: IconBell } },
  '/stock': { who: ['user'], part: 'hotel' },
  '/receipt': { who: ['user', 'admin'], part: 'hotel' },
  '/admin': { who: ['admin'] },
  '/admin/fleetmanagement': {
    who: ['admin'],
    part: 'fleet',
    nav: { text: 'fleetManagement', icon: IconBuildingCommunity },
    ofCustomer: true,
  },
  '/admin/operations': {
    who: ['admin'],
    part: 'hotel',
    nav: { text: 'operationsDesk', icon: IconClipboardCheck, group: 'warehouse' },
  },
  '/admin/intake': {
    who: ['admin'],
    part: 'hotel',
    nav: { text: 'intake', icon: IconScan, group: 'warehouse' },
    warehouse: true,
  },
  '/admin/locations': {
    who: ['admin'],
    part: 'hotel',
    nav: { text: 'locations', icon: IconBuildingWarehouse, group: 'warehouse' },
    warehouse: true,
  },
  '/admin/waves': {
    who: ['admin'],
    part: 'hotel',
    nav: { text: 'waves', icon: IconTruckDelivery, group: 'warehouse', covers: ['/admin/waves'] },
    warehouse: true,
  },
  '/admin/waves/pick': { who: ['admin'], part: 'hotel', warehouse: true },
  '/admin/waves/load': { who: ['admin'], part: 'hotel', warehouse: true },
  '/admin/board': {
    who: ['admin'],
    part: 'hotel',
    nav: { text: 'board', icon: IconCalendarStats, group: 'warehouse' },
  },
  '/admin/counts': {
    who: ['admin'],
    part: 'hotel',
    nav: { text: 'counts', icon: IconListCheck, group: 'warehouse', covers: ['/admin/counts'] },
    warehouse: true,
  },
  '/admin/counts/walk': { who: ['admin'], part: 'hotel', warehouse: true },
  '/admin/counts/report': { who: ['admin'], part: 'hotel', warehouse: true },
  '/admin/clearup': {
    who: ['admin'],
    part: 'hotel',
    nav: { text: 'clearUp', icon: IconChecklist, group: 'warehouse' },
    warehouse: true,
  },
  '/admin/jobs': { who: ['admin'], part: 'hotel', warehouse: 'only' },
  // for other administrators it is where the camera opens; they find things on every screen
  '/admin/find': { who: ['admin'], part: 'hotel', warehouse: true },
  '/admin/invoicing': {
    who: ['admin'],
    part: 'hotel',
    nav: { text: 'invoicing', icon: IconFileInvoice, group: 'warehouse' },
  },
  '/admin/figures': {
    who: ['admin'],
    part: 'hotel',
    nav: { text: 'figures', icon: IconChartBar, group: 'warehouse' },
  },
  '/admin/stock': {
    who: ['admin'],
    part: 'hotel',
    nav: { text: 'stock', icon: IconClipboardList, group: 'warehouse' },
  },
  '/admin/customers': { who: ['admin'], nav: { text: 'customers', icon: IconUsers, group: 'administration' } },
  '/admin/articles': { who: ['admin'], nav: { text: 'articles', icon: IconTags, group: 'administration' } },
  '/admin/import': { who: ['admin'], nav: { text: 'imports', icon: IconTableImport, group: 'administration' } },
  '/admin/config': { who: ['admin'], nav: { text: 'configuration', icon: IconSettings, group: 'administration' } },
  '/account': { who: ['user', 'admin', 'superuser'], warehouse: true },
  '/superuser': {
    who: ['superuser'],
    nav: { text: 'sites', icon: IconBuildingStore, covers: ['/superuser/config'] },
  },
  '/superuser/config': { who: ['superuser'] },
  '/superuser/translations': { who: ['superuser'], nav: { text: 'dictionary', icon: IconLanguage } },
  '/superuser/mails': { who: ['superuser'], nav: { text: 'mails', icon: IconMail } },
  // behind the administrator's and the superuser's own
  '/admin/audit': {
    who: ['admin', 'superuser'],
    nav: { text: 'audit', icon: IconHistory, group: 'administration' },
  },
  '/admin/security': {
    who: ['admin', 'superuser'],
    nav: { text: 'security', icon: IconShieldLock, group: 'administration' },
  },
} as const satisfies Record<string, ScreenEntry>
export type Path = keyof typeof screens

/** `warehouse`: an administrator who is restricted to it. */
export type Visitor = { readonly type: Role; readonly warehouse?: boolean | undefined; readonly mode: Mode | null }

/** Whether this screen exists for somebody: their role has it, and the site's mode does. */
export function isOpenTo(path: Path, { type, warehouse = false, mode }: Visitor): boolean {
  const place: ScreenEntry = screens[path]
  if (!place.who.includes(type)) return false
  if (warehouse ? !place.warehouse : place.warehouse === 'only') return false
  if (place.part === 'hotel' || (place.hotelAdmins && type === 'admin')) return mode !== null && isHotel(mode)
  if (place.part === 'fleet') return mode !== null && isFleet(mode)
  return true
}

type NavEntry = NonNullable<ScreenEntry['nav']> & { readonly path: Path }

/** The four entries of somebody who is restricted to the warehouse. */
const warehouseNav: readonly NavEntry[] = [
  { path: '/admin/intake', text: 'scan', icon: IconScan },
  {
    path: '/admin/jobs',
    text: 'jobs',
    icon: IconChecklist,
    covers: ['/admin/waves', '/admin/counts', '/admin/clearup'],
  },
  { path: '/admin/locations', text: 'places', icon: IconBuildingWarehouse },
  { path: '/admin/find', text: 'find', icon: IconSearch },
]

/** The entries of the navigation bar, in order. */
export function entriesFor(visitor: Visitor): NavEntry[] {
  if (visitor.warehouse) return warehouseNav.filter(({ path }) => isOpenTo(path, visitor))
  return (Object.keys(screens) as Path[])
    .filter(path => isOpenTo(path, visitor))
    .flatMap(path => {
      const { nav }: ScreenEntry = screens[path]
      return nav ? [{ path, ...nav }] : []
    })
}

/** Whether a screen shows the rows of the customer acted for, so that another one is another screen. */
export const isOfCustomer = (pathname: string): boolean =>
  (screens as Record<string, ScreenEntry>)[pathname]?.ofCustomer === true

/** Whether an entry is the one where somebody is. The dashboard is an administrator's home under a name of its own. */
export const isHere = (entry: Pick<NavEntry, 'path' | 'covers'>, pathname: string): boolean =>
  pathname === entry.path ||
  (entry.covers?.some(path => pathname.startsWith(path)) ?? false) ||
  (entry.path === '/' && pathname === '/admin')
