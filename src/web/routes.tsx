/** The router: a route for each screen. */
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  notFound,
  redirect,
  type Route,
} from '@tanstack/react-router'
import type { Profile } from '#contract/session.ts'
import type { SiteConfig } from '#contract/wire.ts'
import { cameraRoot } from '#domain/warehouse/camera.ts'
import { startOf } from '#domain/start.ts'
import { Crashed, Loading, NotFound } from './nav/states.tsx'
import { Shell } from './nav/shell.tsx'
import { isOpenTo, type Path, type ScreenEntry, screens } from './screens.ts'
import type { OperationsTab } from './searchParams.ts'
import { isBelowCamera, leaveForScreen } from './shared/cameraDocument.ts'

export type RouterContext = { who: Profile; site: SiteConfig | null }

/** The state that screens pass to each other beside the address. The address wins after a reload. */
declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The vehicle screen's vehicle, the site of the superuser's configuration screen. */
    id?: number
    /** The wizard's vehicle. */
    flt_id?: number
    /** The initial plate of the wizard's field: the one searched before 'Go back'. */
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

/** A screen for permitted users; for others its address is unknown. Everybody has `/`, which leads to where they begin. */
function routeOf(path: Path) {
  const { search, component, ofCustomer }: ScreenEntry = screens[path]
  return createRoute({
    getParentRoute: () => root,
    path,
    staticData: { ofCustomer },
    beforeLoad: ({ context: { who, site } }: { context: RouterContext }) => {
      const visitor = { ...who, mode: site?.mode ?? null }
      const start = startOf(visitor)
      if (path === '/' && start !== '/') throw redirect({ to: start, replace: true })
      if (!isOpenTo(path, visitor)) throw notFound()
    },
    ...(search && { validateSearch: search }),
    component,
  })
}

type SearchOf<P extends Path> = (typeof screens)[P] extends { readonly search: infer Search } ? Search : undefined
/** Its path is its whole address and its id, too. */
type Routes = { [P in Path]: Route<unknown, typeof root, P, P, string, P, SearchOf<P>> }

const routes = Object.fromEntries((Object.keys(screens) as Path[]).map(path => [path, routeOf(path)]))

export const router = createRouter({
  routeTree: root.addChildren(routes as unknown as Routes),
  context: undefined as unknown as RouterContext,
  // the camera's document has its own addresses, and reaches no other
  basepath: isBelowCamera ? cameraRoot : '/',
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: Crashed,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
})
