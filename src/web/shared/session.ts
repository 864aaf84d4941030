/** The signed-in account and the data loaded for it (docs/product/accounts.md "Sessions"). */
import { useQuery } from '@tanstack/react-query'
import { createContext, use, useSyncExternalStore } from 'react'
import { firstVehicles, fleet } from '#contract/fleet.ts'
import { operations } from '#contract/operations.ts'
import type { Answer } from '#contract/call.ts'
import { type Profile, type Step, users } from '#contract/session.ts'
import { site } from '#contract/sites.ts'
import type { Branding, SiteConfig } from '#contract/wire.ts'
import type { Language } from '#domain/people/account.ts'
import { cameraRoot } from '#domain/warehouse/camera.ts'
import { isHotel } from '#domain/site.ts'
import { isBelowCamera } from './cameraDocument.ts'
import { type ActedFor, actingFor, onActingChange } from './acting.ts'
import {
  answerTo,
  ask,
  callOf,
  keyOf,
  queryClient,
  cancelExpiry,
  useAnswer,
  useSuspenseAnswer,
  onSessionExpired,
  onUnauthorized,
} from './api.ts'
import { setLanguage } from '../i18n.ts'
import { checkConnection } from './connection.ts'
import { isLive } from './live.ts'
import { forgetKept } from './offline/kept.ts'
import { isPrerendering } from '../ui/prerendering.ts'
import { eraseDrafts, keepDrafts, typedBy } from '../ui/form/drafts.ts'
import { stored } from '../ui/stored.ts'
import { forgetDone } from './undo/history.ts'

const sessionKey = keyOf(users.loginstate, {})
const siteKey = keyOf(site.gsc, {})
type Session = Answer<typeof users.loginstate>

/** Whether the configuration is the whole one, which only the signed in of the site get. */
export const isFullConfig = (config: SiteConfig | Branding): config is SiteConfig => 'mode' in config

export const sessionQuery = { ...answerTo(users.loginstate, {}), staleTime: Infinity }
/** Fetched again whenever the user returns to the page: an administrator's change shows there without a new login. */
export const siteQuery = {
  ...answerTo(site.gsc, {}),
  staleTime: 5 * 60_000,
  refetchOnWindowFocus: 'always' as const,
}

/** The query of the desk and intake. */
export const submitted = { status: 'submitted' } as const

/**
 * Fetches the answers for the screen at the page's address, beside its code. Those that other screens need are kept for them. A failure shows on the
 * screen that needs the answer.
 */
export function prefetchFor(who: Profile, config: SiteConfig | Branding): void {
  if (who.type === 'superuser' || !isFullConfig(config)) return
  const path = isBelowCamera ? location.pathname.slice(cameraRoot.length) : location.pathname
  void queryClient.prefetchQuery(answerTo(site.tsconfigdata, {}))
  void queryClient.prefetchQuery(answerTo(site.getvehicleconfigs, {}))
  if (path === '/admin/operations' || path === '/admin/intake')
    void queryClient.prefetchQuery(answerTo(operations.admin, submitted, { muted: true }))
  if (who.warehouse || showsSite(path, who)) return
  const acting = actingOf(who)
  const rows = ofCustomer(acting)
  if (who.type === 'user' || acting) void openFleet(rows).catch(() => {})
  else void queryClient.prefetchQuery(answerTo(fleet.fetch, rows))
  if (isHotel(config.mode)) void queryClient.prefetchQuery(answerTo(operations.fetch, rows))
  if (path === '/') void queryClient.prefetchQuery(answerTo(fleet.health, {}))
}

/** Whether a screen shows no customer's vehicles: the administrator's home, and the work of the hall and the office. */
const showsSite = (path: string, { type }: Profile): boolean =>
  path === '/' ? type === 'admin' : path.startsWith('/admin') && path !== '/admin/fleetmanagement'

const actingOf = ({ type, username }: Profile): ActedFor | null => (type === 'admin' ? actingFor(username) : null)
/** The input that selects rows of the customer acted for, else one's own. */
export const ofCustomer = (acting: ActedFor | null) => (acting ? { seq_id: acting.seq_id } : {})

/**
 * The signed-in account and the site, as the gate admitted them. A context, not the query: after a sign-out the portal may render once more on its
 * way out, and must still show the former account.
 */
export const WhoContext = createContext<Profile | null>(null)
export const SiteContext = createContext<SiteConfig | Branding | null>(null)

/** The signed-in account. Only for screens behind the login. */
export function useWho(): Profile {
  const who = use(WhoContext)
  if (!who) throw new Error('nobody is signed in')
  return who
}

/** Whether the signed-in account is restricted to the warehouse. */
export const useIsWarehouseOnly = (): boolean => useWho().warehouse === true

/** Whether the portal can send messages (docs/product/messages.md "E-mail"), signed in or not. */
export const useSendsMail = (): boolean =>
  useAnswer(users.loginstate, {}, { staleTime: Infinity }).data?.sendsMail === true

/** The site's configuration. Only for users and administrators, never for a superuser. */
export function useSite(): SiteConfig {
  const config = useBranding()
  if (!isFullConfig(config)) throw new Error('the whole site configuration belongs to the signed in of the site')
  return config
}

/** The public facts about the site. */
export function useBranding(): SiteConfig | Branding {
  const config = use(SiteContext)
  if (!config) throw new Error('the site is not loaded')
  return config
}

/** The customer that an administrator acts for (acting.ts); `null` for none, and always for a customer. */
export function useActing(): ActedFor | null {
  const who = useWho()
  const snapshot = () => actingOf(who)
  return useSyncExternalStore(onActingChange, snapshot, snapshot)
}

/** Whether the rows of the whole site are fetched: for an administrator who acts for no customer. */
export function useSeesSite(): boolean {
  const { type } = useWho()
  return useActing() === null && type === 'admin'
}

/** The vehicle types and label reports of the site; the screen waits for them. */
export const useExtra = () => useSuspenseAnswer(site.tsconfigdata, {})
/** The vehicle configurations of the site; the screen waits for them. */
export const useVehicleConfigs = () => useSuspenseAnswer(site.getvehicleconfigs, {}).vehicleConfigs

type FleetOf = ReturnType<typeof ofCustomer>
const firstOf = (rows: FleetOf) => answerTo(fleet.fetch, { ...rows, first: firstVehicles })

/**
 * Asks for a fleet; of a large one for its first vehicles, which a list shows until all are here: thousands take seconds.
 * @throws `Refused`
 */
export async function openFleet(rows: FleetOf): Promise<void> {
  const first = await queryClient.fetchQuery(firstOf(rows))
  if (first.length !== firstVehicles) queryClient.setQueryData(answerTo(fleet.fetch, rows).queryKey, first)
}

const useFirstOf = (rows: FleetOf) => useQuery({ ...firstOf(rows), enabled: false })

/** The fleet of the signed-in customer, or of the one acted for; else, for an administrator, the first vehicles of the site. */
export function useFleet() {
  const rows = ofCustomer(useActing())
  const { data: first, fetchStatus } = useFirstOf(rows)
  // a page is not made to wait for thousands of vehicles
  const isTooLong = isPrerendering && first?.length === firstVehicles
  return useAnswer(fleet.fetch, rows, { enabled: fetchStatus === 'idle' && !isTooLong })
}

/** The first vehicles of the fleet (`openFleet`), in the order of plates; `undefined` where they were never fetched. */
export const useFirstVehicles = () => useFirstOf(ofCustomer(useActing())).data
/** How often a screen polls: rarely while the live stream is connected, often when it is not. */
export const pollInterval = () => (isLive() ? 300_000 : 15_000)
/**
 * The open and recently handled operations; for an administrator who acts for no customer those of the whole site. Polled while a screen shows them:
 * the customer sees a confirmation by the warehouse without a reload.
 */
export function useOperations() {
  const config = useBranding()
  return useAnswer(operations.fetch, ofCustomer(useActing()), {
    refetchInterval: pollInterval,
    // where there are none, they are not fetched
    enabled: isFullConfig(config) && isHotel(config.mode),
  })
}

/** Tells the other tabs of this browser, which share the cookie, that the account has changed. */
const tabs = new BroadcastChannel('wheelhouse.session')
tabs.addEventListener('message', () => void onOtherTabChange())

async function onOtherTabChange() {
  const before = queryClient.getQueryData<Session>(sessionKey)
  const now = await ask(users.loginstate, {}).catch(() => before)
  const [was, is] = [before, now].map(session => (session?.isAuthenticated ? session.username : null))
  if (was === is) return
  // This tab shows data of an account that is no longer signed in.
  if (is === null) clearSession()
  else location.reload()
}

/** How long after a failed fetch the server is asked again, in ms. */
const askAgainMs = 2000

/** Asks whose session it is, once the server answers, where the page was opened without it for the account that the device knew. */
export async function confirmSession(): Promise<void> {
  await checkConnection()
  const before = queryClient.getQueryData<Session>(sessionKey)
  const now = await ask(users.loginstate, {}, { muted: true }).catch(() => null)
  if (!now) return void setTimeout(() => void confirmSession(), askAgainMs)
  if (!now.isAuthenticated) return expireSession()
  if (!before?.isAuthenticated || before.username !== now.username) return location.reload()
  queryClient.setQueryData(sessionKey, now)
  await queryClient.invalidateQueries({ type: 'active' })
}

/** Whether there was a session here when the page was last open: only a guess at which code to fetch first. */
export const wasSignedIn = stored('signedIn')

/** Signs in. Returns the step that the sign-in awaits, `null` when it is complete. @throws Refused with the server's message */
export async function signIn(username: string, password: string): Promise<Step | null> {
  return completeSignIn(await ask(users.authenticate, { username, password }))
}

/**
 * Signs in with a password that was set a moment ago. `undefined` when that is left to the form: another account is signed in on this page, or the
 * site requires another way in.
 */
export async function signInAtOnce(username: string, password: string): Promise<Step | null | undefined> {
  if (queryClient.getQueryData<Session>(sessionKey)?.isAuthenticated) return undefined
  return signIn(username, password).catch(() => undefined)
}

/** Begins the session of a complete sign-in and applies the account's language; returns the step that an incomplete one awaits. */
export async function completeSignIn(answer: Profile | Step): Promise<Step | null> {
  if (!answer.isAuthenticated) return answer
  const who = answer
  cancelExpiry()
  // Only public facts about the site were loaded; the rest is fetched before the first screen shows.
  const [config] = await Promise.all([ask(site.gsc, {}), setLanguage(who.lang)])
  queryClient.setQueryData(siteKey, config)
  prefetchFor(who, config)
  queryClient.setQueryData(sessionKey, who)
  wasSignedIn.write(true)
  tabs.postMessage('in')
  return null
}

/**
 * Ends the session. Answers where the browser ends the one at the provider that began it, if there is any.
 * @throws Refused when the server was not reached; the session then goes on
 */
export async function signOut(): Promise<string | undefined> {
  const who = queryClient.getQueryData<Session>(sessionKey)
  const { next } = await ask(users.logout, {}, { muted: true })
  eraseDrafts()
  clearSession()
  tabs.postMessage('out')
  if (who?.isAuthenticated) await Promise.all([forgetKept(), ...signOutListeners.map(listener => listener(who))])
  else await forgetKept()
  return next
}

const signOutListeners: ((who: Profile) => Promise<void>)[] = []
/** Registers what a feature forgets when an account signs out. The listener never rejects. */
export function onSignOut(listener: (who: Profile) => Promise<void>): void {
  signOutListeners.push(listener)
}

/** On logout the fleet data is cleared; and so is everything else that this account has seen. */
function clearSession(): void {
  wasSignedIn.write(undefined)
  forgetDone()
  const config = queryClient.getQueryData<SiteConfig | Branding>(siteKey)
  queryClient.setQueryData<Session>(sessionKey, before => ({
    isAuthenticated: false,
    ...(before?.sendsMail && { sendsMail: true }),
  }))
  queryClient.removeQueries({
    predicate: query => callOf(query).name !== users.loginstate.name && callOf(query).name !== site.gsc.name,
  })
  queryClient.getMutationCache().clear()
  if (config) {
    const { name, lang, navlogoPath, landinglogoPath, faviconPath, signOn } = config
    queryClient.setQueryData<Branding>(siteKey, { name, lang, navlogoPath, landinglogoPath, faviconPath, signOn })
  }
}
/** Shows the sign-in, where the session has ended by itself: what was typed is kept for the same account. */
export function expireSession(): void {
  cancelExpiry()
  keepDrafts()
  clearSession()
}
onSessionExpired(expireSession)
typedBy(() => {
  const session = queryClient.getQueryData<Session>(sessionKey)
  if (!session?.isAuthenticated) return null
  return { account: session.username, context: String(actingOf(session)?.seq_id ?? '') }
})
onUnauthorized(() => void forgetKept())

/** Changes the language of the account, here and wherever it signs in next. */
export async function changeLanguage(lang: Language): Promise<void> {
  const [who] = await Promise.all([ask(users.language, { lang }), setLanguage(lang)])
  queryClient.setQueryData(sessionKey, who)
}
