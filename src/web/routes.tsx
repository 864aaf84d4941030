/** Every address of the portal. A screen's code is fetched when it is opened or about to be. */
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
  type OperationsTab,
} from './searchParams.ts'
import { Crashed, NotFound, Loading } from './nav/states.tsx'
import { cameraRoot } from '#domain/camera.ts'
import { startOf } from '#domain/start.ts'
import { isBelowCamera, leaveForScreen } from './shared/camera/cameraDocument.ts'
import { isOpenTo, type Path } from './shared/screens.ts'
import { Shell } from './nav/shell.tsx'

export type RouterContext = { who: Profile; site: SiteConfig | null }

/** What screens hand to each other beside the address. The address wins after a reload. */
declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The vehicle screen's vehicle, the site of the superuser's configuration screen. */
    id?: number
    /** The wizard's vehicle. */
    flt_id?: number
    /** The plate that the wizard's field begins with: what was looked up before 'Go back'. */
    plate?: string
    /** The operation that the wizard is about. */
    operation?: number
    /** The tab that /operations starts on. */
    tab?: OperationsTab
  }
  interface Register {
    router: typeof router
  }
}

const root = createRootRouteWithContext<RouterContext>()({
  // a screen that is only looked up ahead changes nothing yet
  beforeLoad: ({ location, preload }) => (preload ? undefined : leaveForScreen(location)),
  component: Shell,
  notFoundComponent: NotFound,
})

/** A screen for permitted users; for others its address is unknown. */
function only(path: Path) {
  return ({ context: { who, site } }: { context: RouterContext }) => {
    if (!isOpenTo(path, { ...who, mode: site?.mode ?? null })) throw notFound()
  }
}

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: ({ context }) => {
    const start = startOf({ ...context.who, mode: context.site?.mode ?? null })
    if (start !== '/') throw redirect({ to: start, replace: true })
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
  validateSearch: operationsSearch,
  component: lazyRouteComponent(() => import('./operations/overview.tsx'), 'OperationsOverview'),
})

const fleet = createRoute({
  getParentRoute: () => root,
  path: '/fleet',
  beforeLoad: only('/fleet'),
  validateSearch: fleetSearch,
  component: lazyRouteComponent(() => import('./fleet/list.tsx'), 'FleetList'),
})
const vehicle = createRoute({
  getParentRoute: () => root,
  path: '/fleet/vehicle',
  beforeLoad: only('/fleet/vehicle'),
  validateSearch: vehicleSearch,
  component: lazyRouteComponent(() => import('./fleet/vehicle.tsx'), 'VehicleDetail'),
})

const tyres = createRoute({
  getParentRoute: () => root,
  path: '/tyres',
  beforeLoad: only('/tyres'),
  validateSearch: tyresSearch,
  component: lazyRouteComponent(() => import('./tyres/list.tsx'), 'TyreList'),
})

const season = createRoute({
  getParentRoute: () => root,
  path: '/season',
  beforeLoad: only('/season'),
  validateSearch: seasonSearch,
  component: lazyRouteComponent(() => import('./season/screen.tsx'), 'SeasonScreen'),
})

const notices = createRoute({
  getParentRoute: () => root,
  path: '/notices',
  beforeLoad: only('/notices'),
  component: lazyRouteComponent(() => import('./notices/screen.tsx'), 'NoticesScreen'),
})

const buying = createRoute({
  getParentRoute: () => root,
  path: '/buying',
  beforeLoad: only('/buying'),
  validateSearch: buyingSearch,
  component: lazyRouteComponent(() => import('./season/buying.tsx'), 'BuyingScreen'),
})

const receipt = createRoute({
  getParentRoute: () => root,
  path: '/receipt',
  beforeLoad: only('/receipt'),
  validateSearch: receiptSearch,
  component: lazyRouteComponent(() => import('./papers/receipt.tsx'), 'ReceiptScreen'),
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
  validateSearch: managementSearch,
  component: lazyRouteComponent(() => import('./fleetmanagement/management.tsx'), 'FleetManagement'),
})
const adminOperations = createRoute({
  getParentRoute: () => root,
  path: '/admin/operations',
  beforeLoad: only('/admin/operations'),
  validateSearch: deskSearch,
  component: lazyRouteComponent(() => import('./desk/operations.tsx'), 'AdminOperations'),
})
const intake = createRoute({
  getParentRoute: () => root,
  path: '/admin/intake',
  beforeLoad: only('/admin/intake'),
  validateSearch: intakeSearch,
  component: lazyRouteComponent(() => import('./intake/intake.tsx'), 'Intake'),
})

const locations = createRoute({
  getParentRoute: () => root,
  path: '/admin/locations',
  beforeLoad: only('/admin/locations'),
  validateSearch: locationsSearch,
  component: lazyRouteComponent(() => import('./warehouse/locations.tsx'), 'Locations'),
})

const waves = createRoute({
  getParentRoute: () => root,
  path: '/admin/waves',
  beforeLoad: only('/admin/waves'),
  component: lazyRouteComponent(() => import('./waves/waves.tsx'), 'Waves'),
})
const pick = createRoute({
  getParentRoute: () => root,
  path: '/admin/waves/pick',
  beforeLoad: only('/admin/waves/pick'),
  validateSearch: pickSearch,
  component: lazyRouteComponent(() => import('./waves/pick.tsx'), 'PickScreen'),
})

const gate = createRoute({
  getParentRoute: () => root,
  path: '/admin/waves/load',
  beforeLoad: only('/admin/waves/load'),
  validateSearch: loadSearch,
  component: lazyRouteComponent(() => import('./gate/load.tsx'), 'LoadScreen'),
})

const board = createRoute({
  getParentRoute: () => root,
  path: '/admin/board',
  beforeLoad: only('/admin/board'),
  component: lazyRouteComponent(() => import('./board/screen.tsx'), 'SeasonBoard'),
})

const counts = createRoute({
  getParentRoute: () => root,
  path: '/admin/counts',
  beforeLoad: only('/admin/counts'),
  component: lazyRouteComponent(() => import('./counts/counts.tsx'), 'Counts'),
})
const countWalk = createRoute({
  getParentRoute: () => root,
  path: '/admin/counts/walk',
  beforeLoad: only('/admin/counts/walk'),
  validateSearch: countSearch,
  component: lazyRouteComponent(() => import('./counts/walk.tsx'), 'CountScreen'),
})
const countReport = createRoute({
  getParentRoute: () => root,
  path: '/admin/counts/report',
  beforeLoad: only('/admin/counts/report'),
  validateSearch: countSearch,
  component: lazyRouteComponent(() => import('./counts/report.tsx'), 'ReportScreen'),
})

const clearUp = createRoute({
  getParentRoute: () => root,
  path: '/admin/clearup',
  beforeLoad: only('/admin/clearup'),
  component: lazyRouteComponent(() => import('./warehouse/clearUp.tsx'), 'ClearUp'),
})

const jobs = createRoute({
  getParentRoute: () => root,
  path: '/admin/jobs',
  beforeLoad: only('/admin/jobs'),
  component: lazyRouteComponent(() => import('./warehouse/jobs.tsx'), 'Jobs'),
})
const findWheel = createRoute({
  getParentRoute: () => root,
  path: '/admin/find',
  beforeLoad: only('/admin/find'),
  component: lazyRouteComponent(() => import('./warehouse/findWheel.tsx'), 'FindWheel'),
})

const customers = createRoute({
  getParentRoute: () => root,
  path: '/admin/customers',
  beforeLoad: only('/admin/customers'),
  validateSearch: customersSearch,
  component: lazyRouteComponent(() => import('./customers/list.tsx'), 'Customers'),
})
const articles = createRoute({
  getParentRoute: () => root,
  path: '/admin/articles',
  beforeLoad: only('/admin/articles'),
  validateSearch: articlesSearch,
  component: lazyRouteComponent(() => import('./articles/screen.tsx'), 'Articles'),
})
const imports = createRoute({
  getParentRoute: () => root,
  path: '/admin/import',
  beforeLoad: only('/admin/import'),
  validateSearch: importSearch,
  component: lazyRouteComponent(() => import('./imports/screen.tsx'), 'Imports'),
})
const audit = createRoute({
  getParentRoute: () => root,
  path: '/admin/audit',
  beforeLoad: only('/admin/audit'),
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('./audit/screen.tsx'), 'Audit'),
})
const security = createRoute({
  getParentRoute: () => root,
  path: '/admin/security',
  beforeLoad: only('/admin/security'),
  validateSearch: securitySearch,
  component: lazyRouteComponent(() => import('./audit/security.tsx'), 'Security'),
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
  validateSearch: invoicingSearch,
  component: lazyRouteComponent(() => import('./invoicing/screen.tsx'), 'Invoicing'),
})

const figures = createRoute({
  getParentRoute: () => root,
  path: '/admin/figures',
  beforeLoad: only('/admin/figures'),
  component: lazyRouteComponent(() => import('./figures/screen.tsx'), 'Figures'),
})

const stock = createRoute({
  getParentRoute: () => root,
  path: '/admin/stock',
  beforeLoad: only('/admin/stock'),
  validateSearch: stockSearch,
  component: lazyRouteComponent(() => import('./stock/screen.tsx'), 'StockScreen'),
})
const ownStock = createRoute({
  getParentRoute: () => root,
  path: '/stock',
  beforeLoad: only('/stock'),
  validateSearch: stockSearch,
  component: lazyRouteComponent(() => import('./stock/screen.tsx'), 'OwnStockScreen'),
})

const superuser = createRoute({
  getParentRoute: () => root,
  path: '/superuser',
  beforeLoad: only('/superuser'),
  validateSearch: sitesSearch,
  component: lazyRouteComponent(() => import('./superuser/sites.tsx'), 'Sites'),
})
const superuserConfig = createRoute({
  getParentRoute: () => root,
  path: '/superuser/config',
  beforeLoad: only('/superuser/config'),
  validateSearch: siteSearch,
  component: lazyRouteComponent(() => import('./config/screen.tsx'), 'SiteConfiguration'),
})

const translations = createRoute({
  getParentRoute: () => root,
  path: '/superuser/translations',
  beforeLoad: only('/superuser/translations'),
  validateSearch: dictionarySearch,
  component: lazyRouteComponent(() => import('./translations/screen.tsx'), 'Translations'),
})

const mails = createRoute({
  getParentRoute: () => root,
  path: '/superuser/mails',
  beforeLoad: only('/superuser/mails'),
  component: lazyRouteComponent(() => import('./superuser/mails.tsx'), 'Mails'),
})

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  beforeLoad: only('/account'),
  component: lazyRouteComponent(() => import('./account/account.tsx'), 'Account'),
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
    season,
    notices,
    buying,
    receipt,
    ownStock,
    dashboard,
    fleetManagement,
    adminOperations,
    intake,
    locations,
    waves,
    pick,
    gate,
    board,
    counts,
    countWalk,
    countReport,
    clearUp,
    jobs,
    findWheel,
    invoicing,
    figures,
    stock,
    customers,
    articles,
    imports,
    config,
    audit,
    security,
    superuser,
    superuserConfig,
    translations,
    mails,
    account,
  ]),
  context: undefined as unknown as RouterContext,
  // the camera's document has its own addresses, and reaches no other
  basepath: isBelowCamera ? cameraRoot : '/',
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: Crashed,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
})
