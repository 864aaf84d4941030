/** The frame around every screen: navigation, account, skip link. A bar at the side; on a phone below, within the thumb's reach. */
import { Kbd, Menu, ScrollArea, UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconCamera, IconDots, IconSearch } from '@tabler/icons-react'
import { opensOffline } from '#contract/offline.ts'
import { isHotel } from '#domain/site.ts'
import { Link, Outlet, useLocation, useRouter, useRouterState } from '@tanstack/react-router'
import { Fragment, lazy, startTransition, Suspense, useDeferredValue, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { notices } from '#contract/notices.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { useAnswer } from '../shared/api.ts'
import { cameraAddress, isBelowCamera, rememberWay } from '../shared/cameraDocument.ts'
import { useSingleKeys } from '../shared/hooks.ts'
import { isOfCustomer } from '../customers/switch.ts'
import { useJobs, useToClearUp } from '../locations/jobs.ts'
import { useAskedRequest } from '../vehicles/requestSubject.ts'
import { scanFeed } from '../scanning/scanFeed.ts'
import { isFullConfig, pollInterval, useActing, useBranding, useIsWarehouseOnly, useWho } from '../shared/session.ts'
import { entriesFor, isHere, isOpenTo, type Path, screens } from '../screens.ts'
import { useKeptFocus } from '../ui/keepFocus.ts'
import { isPrerendering } from '../ui/prerendering.ts'
import { pressToast } from '../ui/actionToast.tsx'
import mark from '../ui/mark.svg'
import { SelectionBarPlace } from '../ui/selectionBar.tsx'
import { useToastsAside } from '../ui/toastPosition.ts'
import { AccountMenu } from './account.tsx'
import { Acting } from './acting.tsx'
import { ConnectionBar } from './connectionBar.tsx'
import { Splash } from '../splash.tsx'
import classes from './shell.module.css'

/** As many entries as a phone's bar holds with targets that a thumb hits. */
const barEntries = 5

const loadPalette = async () => ({ default: (await import('./palette.tsx')).Palette })
const Palette = lazy(loadPalette)
const SingleKeys = lazy(async () => ({ default: (await import('./keys.tsx')).SingleKeys }))
const RequestSheet = lazy(async () => ({
  default: (await import('../operations/request/requestSheet.tsx')).RequestSheet,
}))

/**
 * The router renders synchronously, and again whenever its state changes meanwhile. So it renders only a placeholder, and the frame follows in
 * pieces: clicks and keys are handled between two of them.
 */
export function Shell() {
  const scans = useTakesScans()
  return useDeferredValue(true, isPrerendering) ? <Frame {...scans} /> : <Splash />
}

function Frame({ opensCards: takesScans, listens: scans }: ReturnType<typeof useTakesScans>) {
  const { t } = useTranslation()
  const main = useRef<HTMLElement>(null)
  const frameKey = useFrameKey()
  useFocusOnNavigation(main)
  useKeptFocus()
  useToastsAside()
  useOffline()
  const [keys] = useSingleKeys()
  const [finding, setFinding] = useState(0)
  const [paletteOpen, setPaletteOpen] = useState(false)
  // a superuser's few screens are all in the navigation
  const full = isFullConfig(useBranding())
  const ofWarehouse = useIsWarehouseOnly()
  // the warehouse has a screen for it
  const find = full && !ofWarehouse ? () => setPaletteOpen(true) : null
  useHotkeys([['mod+K', () => find?.()]], [], true)
  // not in a field, whose own undo that is, nor where a scanner types
  useHotkeys([['mod+Z', () => void (scans || pressToast())]])
  // after the shortcut people go on typing: the code must be there by then
  useEffect(() => {
    const timer = setTimeout(() => loadPalette().catch(() => undefined), paletteAfterMs)
    return () => clearTimeout(timer)
  }, [])
  const request = useAskedRequest()
  const isFramed = useAfterDrawing(true)
  const hasScreen = useAfterDrawing(isFramed)
  return (
    <div className={classes.shell} data-camera={isBelowCamera || undefined}>
      <a className={classes.skip} href="#main">
        {t('skip')}
      </a>
      {isBelowCamera ? <Camera /> : <Sidebar find={find} camera={scans} />}
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <ConnectionBar />
        {/* Made anew for another customer: what is chosen or filtered on a screen was of the one before. */}
        <Fragment key={frameKey}>{isFramed && <Outlet />}</Fragment>
        <SelectionBarPlace />
      </main>
      {!isBelowCamera && <BottomBar />}
      <Suspense>
        {paletteOpen && (
          <Palette close={() => setPaletteOpen(false)} findWheel={takesScans ? () => setFinding(finding + 1) : null} />
        )}
        {keys && !scans && find && <SingleKeys />}
        {request && <RequestSheet key={request.nth} request={request.request} />}
      </Suspense>
      {takesScans && hasScreen && (
        <Suspense>
          <ScanCards finding={finding} />
        </Suspense>
      )}
    </div>
  )
}

/** True in a later transition than the one that drew `isDrawn`. A screen that is rendered for its page has no second one: true at once. */
function useAfterDrawing(isDrawn: boolean): boolean {
  const [isAfter, setAfter] = useState(isPrerendering)
  useEffect(() => {
    if (isDrawn) startTransition(() => setAfter(true))
  }, [isDrawn])
  return isAfter
}

const ScanCards = lazy(async () => ({ default: (await import('../card/scanCards.tsx')).ScanCards }))

/** Screens with scans of their own. */
const listening: readonly string[] = [
  '/admin/intake',
  '/admin/waves/pick',
  '/admin/waves/load',
  '/admin/counts/walk',
] satisfies Path[]

/**
 * Listens for scans where the account may scan, and decides whether a scan opens its card here: in a warehouse, on screens without scans of their
 * own.
 */
function useTakesScans() {
  const branding = useBranding()
  const { type } = useWho()
  const here = usePathname()
  const hasOwn = listening.includes(here)
  const opensCards = !hasOwn && type === 'admin' && isFullConfig(branding) && isHotel(branding.mode)
  const listens = hasOwn || opensCards
  useEffect(() => (listens ? scanFeed.listen(document) : undefined), [listens])
  return { opensCards, listens }
}

/** From the first screen that works offline on, this device stores the data that such screens need. */
function useOffline() {
  const who = useWho()
  const site = useBranding()
  const isOne = useLocation({ select: ({ pathname }) => !isBelowCamera && opensOffline(pathname) })
  useEffect(() => {
    if (!isOne || who.type !== 'admin' || !isFullConfig(site) || !isHotel(site.mode)) return
    const begin = async () => (await import('../scanning/offline.ts')).openOffline(who, site)
    // without its code the portal works as without the worker
    begin().catch(() => {})
  }, [isOne, who, site])
}

const CameraPanel = lazy(async () => ({ default: (await import('../scanning/camera/cameraPanel.tsx')).CameraPanel }))

/** The camera above the screen, for accounts that may open the screen. */
function Camera() {
  const branding = useBranding()
  const who = useWho()
  const here = usePathname()
  const mode = isFullConfig(branding) ? branding.mode : null
  return here in screens && isOpenTo(here as Path, { ...who, mode }) ? (
    <Suspense>
      <CameraPanel />
    </Suspense>
  ) : null
}

/** Whether this device has a touchscreen, as devices with a rear camera do. A page without the camera's permission sees no camera. */
const hasTouch = () => matchMedia('(any-pointer: coarse)').matches

/** `find`: opens the search for anything; `camera`: whether scans are taken here. */
type SidebarProps = { find: (() => void) | null; camera: boolean }

/** When the code of the palette is preloaded, in ms: after the first screen. */
const paletteAfterMs = 2000

const isMac = navigator.platform.startsWith('Mac')

/** The path of the open screen. Filters on it change the rest of the address with each key, and nothing of the frame. */
const usePathname = () => useLocation({ select: ({ pathname }) => pathname })

/** A number that turns when another customer is acted for, on the screens to which that matters. */
function useFrameKey(): number {
  const router = useRouter()
  const pathname = usePathname()
  const customer = useActing()?.seq_id
  const [frame, setFrame] = useState({ customer, nth: 0 })
  if (frame.customer === customer) return frame.nth
  const nth = frame.nth + Number(isOfCustomer(router, pathname))
  setFrame({ customer, nth })
  return nth
}

/** After a change of screen a screen reader and the Tab key begin at the new screen, not in the middle of the old page. */
function useFocusOnNavigation(main: React.RefObject<HTMLElement | null>) {
  const path = useRouterState({ select: state => state.resolvedLocation?.pathname })
  const before = useRef(path)
  useEffect(() => {
    if (before.current !== undefined && before.current !== path) main.current?.focus({ preventScroll: true })
    before.current = path
  }, [path, main])
}

function useEntries() {
  const { type, warehouse } = useWho()
  const config = useBranding()
  return entriesFor({ type, warehouse, mode: isFullConfig(config) ? config.mode : null })
}

function Sidebar({ find, camera }: SidebarProps) {
  const { t } = useTranslation('nav')
  const pathname = usePathname()
  const site = useBranding()
  const { type, warehouse } = useWho()
  const entries = useEntries()
  const shownEntries = useRef<HTMLDivElement>(null)
  const here = entries.findIndex(entry => isHere(entry, pathname))
  useEffect(() => {
    const entry = shownEntries.current?.querySelectorAll('li')[here]
    if (shownEntries.current && entry) showIn(shownEntries.current, entry)
  }, [here])
  return (
    <nav className={classes.side} aria-label={t('main')}>
      <Link to="/" className={classes.brand}>
        <img src={site.navlogoPath ?? mark} alt="" className={classes.logo} />
        <span className={classes.siteName}>{site.name}</span>
      </Link>
      {type === 'admin' && !warehouse && <Acting />}
      {find && (
        <UnstyledButton className={classes.find} onClick={find}>
          <IconSearch size={20} stroke={1.7} aria-hidden />
          <span className={classes.findText}>{t('find')}</span>
          <Kbd size="xs" visibleFrom="sm" aria-hidden>
            {isMac ? '⌘' : 'Ctrl'} K
          </Kbd>
        </UnstyledButton>
      )}
      {camera && type === 'admin' && hasTouch() && <ToCamera />}
      <ScrollArea className={classes.entries} viewportRef={shownEntries} type="auto">
        <ul>
          {entries.map((entry, index) => (
            <li key={entry.path} data-first={entry.group !== entries[index - 1]?.group || undefined}>
              {entry.group && entry.group !== entries[index - 1]?.group && (
                <span className={classes.group}>{t(entry.group)}</span>
              )}
              <Link
                to={entry.path}
                className={classes.entry}
                data-here={isHere(entry, pathname) || undefined}
                aria-current={isHere(entry, pathname) ? 'page' : undefined}
              >
                <entry.icon size={20} stroke={1.7} aria-hidden />
                {t(entry.text)}
                <Waiting path={entry.path} />
              </Link>
            </li>
          ))}
        </ul>
      </ScrollArea>
      <div className={classes.account}>
        <AccountMenu />
      </div>
    </nav>
  )
}

/** Scrolls an entry into sight, as little as it takes. Unlike scrollIntoView it leaves the page where it is. */
function showIn(list: HTMLElement, entry: HTMLElement) {
  const [is, sight] = [entry.getBoundingClientRect(), list.getBoundingClientRect()]
  if (is.top < sight.top) list.scrollTop -= sight.top - is.top
  else if (is.bottom > sight.bottom) list.scrollTop += is.bottom - sight.bottom
}

/** The same screen with the camera: another document, with permissions of its own. */
function ToCamera() {
  const { t } = useTranslation('nav')
  return (
    <UnstyledButton
      component="a"
      className={`${classes.find} ${classes.camera}`}
      href={cameraAddress(useLocation())}
      onClick={rememberWay}
    >
      <IconCamera size={20} stroke={1.7} aria-hidden />
      <span className={classes.findText}>{t('camera')}</span>
    </UnstyledButton>
  )
}

/** How much waits behind an entry. */
function Waiting({ path }: { path: Path }) {
  if (path === '/admin/clearup') return <ToClearUp />
  if (path === '/admin/jobs') return <Jobs />
  return path === '/notices' ? <Unread /> : null
}

function ToClearUp() {
  const { toClearUp = 0 } = useToClearUp()
  return <Count count={toClearUp} />
}

/** As much as the numbers of its screen together. */
function Jobs() {
  const { waves = 0, counts = 0, toClearUp = 0 } = useJobs()
  return <Count count={waves + counts + toClearUp} />
}

const useUnread = (): number =>
  useAnswer(notices.list, {}, { refetchInterval: pollInterval, muted: true }).data?.unread ?? 0

/** How many notices are unread. */
const Unread = () => <Count count={useUnread()} />

/** As much as the numbers in the closed menu of an administrator together. */
function WaitingInMenu() {
  const { toClearUp = 0 } = useToClearUp()
  return <Count count={useUnread() + toClearUp} />
}

function Count({ count }: { count: number }) {
  const { i18n } = useTranslation()
  return count === 0 ? null : <span className={classes.count}>{formatNumber(count, i18n.language)}</span>
}

/** Entries whose names are too long for one line of the bar; it shows a part of each. */
const shortNames = ['newOperation', 'operationsDesk'] as const
const hasShortName = (text: string): text is (typeof shortNames)[number] => shortNames.some(name => name === text)

function BottomBar() {
  const { t } = useTranslation('nav')
  const pathname = usePathname()
  const entries = useEntries()
  if (entries.length < 2) return null
  const fits = entries.length <= barEntries
  // in a warehouse the phone is for the warehouse: its screens stay within the thumb's reach
  const [home, ...others] = entries
  const ofWarehouse = (entry: (typeof entries)[number]) => entry.group === 'warehouse'
  const byUse = [home, ...others.filter(ofWarehouse), ...others.filter(entry => !ofWarehouse(entry))].filter(
    entry => !!entry,
  )
  const shown = fits ? entries : byUse.slice(0, barEntries - 1)
  const rest = fits ? [] : byUse.slice(barEntries - 1)
  return (
    <nav className={classes.bottom} aria-label={t('menu')}>
      {shown.map(entry => (
        <Link
          key={entry.path}
          to={entry.path}
          className={classes.tab}
          aria-label={hasShortName(entry.text) ? t(entry.text) : undefined}
          data-here={isHere(entry, pathname) || undefined}
          aria-current={isHere(entry, pathname) ? 'page' : undefined}
        >
          <entry.icon size={22} stroke={1.7} aria-hidden />
          <span>{t(hasShortName(entry.text) ? `bar.${entry.text}` : entry.text)}</span>
          <Waiting path={entry.path} />
        </Link>
      ))}
      {rest.length > 0 && (
        <Menu position="top-end" withinPortal={false}>
          <Menu.Target>
            <UnstyledButton
              className={classes.tab}
              data-here={rest.some(entry => isHere(entry, pathname)) || undefined}
            >
              <IconDots size={22} stroke={1.7} aria-hidden />
              <span>{t('menu')}</span>
              {rest.some(({ path }) => path === '/admin/clearup') ? (
                <WaitingInMenu />
              ) : (
                rest.some(({ path }) => path === '/notices') && <Unread />
              )}
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            {rest.map(entry => (
              <Menu.Item
                key={entry.path}
                component={Link}
                to={entry.path}
                leftSection={<entry.icon size={20} stroke={1.7} aria-hidden />}
              >
                {t(entry.text)}
                <Waiting path={entry.path} />
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </nav>
  )
}
