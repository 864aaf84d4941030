import { type AnyRouter, useNavigate, useRouter } from '@tanstack/react-router'
import { type ActedFor, actFor, maySwitch } from '../shared/acting.ts'
import { useWho } from '../shared/session.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Whether the screen shows the rows of the customer that an administrator acts for. */
    readonly ofCustomer?: true | undefined
  }
}

/** Whether a screen shows the rows of the customer acted for, so that another one is another screen. */
export const isOfCustomer = (router: AnyRouter, pathname: string): boolean =>
  router.routesByPath[pathname]?.options.staticData?.ofCustomer === true

/** The screen to go to when the customer is changed on a screen about a vehicle or an operation of the previous one. */
const lists: Record<string, '/fleet' | '/wizard/step1'> = {
  '/fleet/vehicle': '/fleet',
  '/wizard/step2': '/wizard/step1',
  '/wizard/step3': '/wizard/step1',
  '/wizard/step4': '/wizard/step1',
}

/**
 * Changes the customer that an administrator acts for. Asks first about unsaved input; the selection, filters and open rows of the screen belonged
 * to the previous customer and are cleared. With `stay` the address is kept. Screens of the whole site stay as they are, with their input.
 */
export function useSwitchCustomer() {
  const { username } = useWho()
  const router = useRouter()
  const navigate = useNavigate()
  return async (customer: ActedFor | null, { stay = false } = {}): Promise<void> => {
    const { pathname } = router.state.location
    const list = stay ? undefined : lists[pathname]
    if (list) {
      // Unsaved input asks before this navigation.
      await navigate({ to: list })
      if (router.state.location.pathname !== list) return
    } else if (isOfCustomer(router, pathname)) {
      if (!(await maySwitch())) return
      if (!stay) await navigate({ to: pathname, search: {}, replace: true } as never)
    }
    actFor(username, customer)
  }
}
