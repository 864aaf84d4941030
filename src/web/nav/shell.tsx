/** The frame around every screen: navigation, account, skip link. A bar at the side; on a phone below, within the thumb's reach. */
import { Kbd, UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconBell, IconCamera, IconDots, IconSearch } from '@tabler/icons-react'
import { opensOffline } from '#contract/offline.ts'
import { isHotel } from '#domain/site.ts'
import { Link, Outlet, useLocation, useRouter, useRouterState } from '@tanstack/react-router'
import {
  Fragment,
  lazy,
  type ReactNode,
  startTransition,
  Suspense,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from '../ui/texts.ts'
import { cameraAddress, isBelowCamera, rememberWay } from '../shared/cameraDocument.ts'
import { useSingleKeys } from '../shared/hooks.ts'
import { isOfCustomer } from '../customers/switch.ts'
import { useAskedRequest } from '../vehicles/requestSubject.ts'
import { scanFeed } from '../scanning/scanFeed.ts'
import { DoorOf } from '../shared/screen.tsx'
import { isFullConfig, useActing, useBranding, useIsWarehouseOnly, useWho } from '../shared/session.ts'
import { doorsFor, isHere, isOpenTo, type Path, screens, type Visitor } from '../screens.ts'
import { useKeptFocus } from '../ui/keepFocus.ts'
import { isPrerendering } from '../ui/prerendering.ts'
import { pressToast } from '../ui/actionToast.tsx'
import mark from '../ui/mark.svg'
import { SelectionBarPlace } from '../ui/selectionBar.tsx'
import { useToastsAside } from '../ui/toastPosition.ts'
import { AccountMenu } from './account.tsx'
import { Acting } from './acting.tsx'
import { ConnectionBar } from './connectionBar.tsx'
import { DoorRow, WayBack } from './doorRow.tsx'
import { Waiting } from './waiting.tsx'
import { Splash } from '../splash.tsx'
import classes from './shell.module.css'

/** As many entries as a phone's bar holds with targets that a thumb hits. */
const barEntries = 5

const More = lazy(async () => ({ default: (await import('./more.tsx')).More }))

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
        <DoorOf value={useDoorOfScreen()}>
          <Fragment key={frameKey}>{isFramed && <Outlet />}</Fragment>
        </DoorOf>
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

const ScanCards = lazy(async () => ({ default: (await import('../cards/scanCards.tsx')).ScanCards }))

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

function useVisitor(): Visitor {
  const { type, warehouse } = useWho()
  const config = useBranding()
  const mode = isFullConfig(config) ? config.mode : null
  return useMemo(() => ({ type, warehouse, mode }), [type, warehouse, mode])
}

/** The entries of the navigation, each with whether it is the one of the open screen. */
function useDoors() {
  const visitor = useVisitor()
  const pathname = usePathname()
  return useMemo(() => {
    const doors = doorsFor(visitor)
    return doors.map(door => ({ ...door, isHere: isHere(door, pathname, visitor) }))
  }, [visitor, pathname])
}

/** How a screen draws the links of its door. The camera's document reaches no other screens. */
function useDoorOfScreen() {
  const open = useDoors().find(({ isHere: isOpen }) => isOpen)
  const door = isBelowCamera ? undefined : open
  return useMemo(
    () => ({ back: <WayBack door={door} />, row: (tabs: ReactNode) => <DoorRow door={door} tabs={tabs} /> }),
    // oxlint-disable-next-line react/exhaustive-deps -- of a door nothing else changes
    [door?.name],
  )
}

type Entry = ReturnType<typeof useDoors>[number]

function Sidebar({ find, camera }: SidebarProps) {
  const { t } = useTranslation('nav')
  const site = useBranding()
  const { type, warehouse } = useWho()
  const entries = useDoors()
  return (
    <nav className={classes.side} aria-label={t('main')}>
      <Link to="/" className={classes.brand}>
        <img src={site.navlogoPath ?? mark} alt="" className={classes.logo} />
        <span className={classes.siteName}>
          {site.name}
          {type === 'superuser' && <span className={classes.product}>{t('product')}</span>}
        </span>
      </Link>
      {type === 'admin' && !warehouse && <Acting />}
      {find && (
        <UnstyledButton className={classes.find} onClick={find}>
          <IconSearch size={20} stroke={1.7} aria-hidden />
          <span className={classes.findText}>{t('find')}</span>
          <Kbd size="xs" visibleFrom="lg" aria-hidden>
            {isMac ? '⌘' : 'Ctrl'} K
          </Kbd>
        </UnstyledButton>
      )}
      {camera && type === 'admin' && hasTouch() && <ToCamera />}
      <Entries entries={entries.filter(({ atFoot }) => !atFoot)} />
      <Entries entries={entries.filter(({ atFoot }) => atFoot)} atFoot />
      <div className={classes.account}>
        <AccountMenu />
        <Bell />
      </div>
    </nav>
  )
}

function Entries({ entries, atFoot }: { entries: readonly Entry[]; atFoot?: true }) {
  const { t } = useTranslation('nav')
  if (entries.length === 0) return null
  return (
    <ul className={classes.entries} data-foot={atFoot}>
      {entries.map(({ name, text, icon: Icon, views, isHere: isOpen }) => (
        <li key={name}>
          <Link
            to={views[0].path}
            className={classes.entry}
            data-here={isOpen || undefined}
            aria-current={isOpen ? 'page' : undefined}
          >
            <Icon size={20} stroke={1.7} aria-hidden />
            <span className={classes.entryText}>{t(text)}</span>
            <WaitingIn views={views} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** How much waits behind the links of a door. */
const WaitingIn = ({ views }: Pick<Entry, 'views'>) => views.map(({ path }) => <Waiting key={path} path={path} />)

/** The notices, beside the name. */
function Bell() {
  const { t } = useTranslation('nav')
  const visitor = useVisitor()
  const isOpen = usePathname() === '/notices'
  if (!isOpenTo('/notices', visitor)) return null
  return (
    <Link
      to="/notices"
      className={classes.bell}
      data-here={isOpen || undefined}
      aria-current={isOpen ? 'page' : undefined}
    >
      <IconBell size={20} stroke={1.7} aria-hidden />
      <span className="wh-hidden">{t('notices')}</span>
      <Waiting path="/notices" />
    </Link>
  )
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

function BottomBar() {
  const { t } = useTranslation('nav')
  const entries = useDoors()
  const [opened, setOpened] = useState(false)
  if (entries.length < 2) return null
  const fits = entries.length <= barEntries
  const shown = fits ? entries : entries.slice(0, barEntries - 1)
  const rest = fits ? [] : entries.slice(barEntries - 1)
  const isInRest = rest.some(({ isHere: isOpen }) => isOpen)
  return (
    <nav className={classes.bottom} aria-label={t('menu')}>
      {shown.map(({ name, text, icon: Icon, views, isHere: isOpen }) => (
        <Link
          key={name}
          to={views[0].path}
          className={classes.tab}
          data-here={isOpen || undefined}
          aria-current={isOpen ? 'page' : undefined}
        >
          <Icon size={22} stroke={1.7} aria-hidden />
          <span>{t(text)}</span>
          <WaitingIn views={views} />
        </Link>
      ))}
      {rest.length > 0 && (
        <UnstyledButton
          className={classes.tab}
          aria-haspopup="dialog"
          data-here={isInRest || undefined}
          onClick={() => setOpened(true)}
        >
          <IconDots size={22} stroke={1.7} aria-hidden />
          <span>{t('more')}</span>
        </UnstyledButton>
      )}
      <Suspense>{opened && <More doors={entries} close={() => setOpened(false)} />}</Suspense>
    </nav>
  )
}
