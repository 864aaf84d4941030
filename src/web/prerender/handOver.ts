/**
 * The first script of a prerendered page (docs/decisions/0076): sets the colour scheme, lets the browser paint, starts the portal behind the page,
 * and shows the portal once it renders the same. Clicks, keys and scans until then are replayed in the portal.
 */
import { afterScreen, guessedLanguage, prerenderedFor, prerenderedId, scanListenerReady } from '#contract/prerender.ts'
import { breakForPage } from '../ui/breakForPage.ts'
import { type Field, setField } from '../ui/setField.ts'

/** How long the portal may take to render the same page once its code is loaded, in ms: then it is shown as it is. */
const longestMs = 5000
/** The same after a click or a key, while it has no screen yet that could take them. */
const longestWithInputMs = 30_000
/** How long the sign-in stays without the portal while there is no input, in ms. */
const restMs = 4000
/** How much of the text the portal has to show. */
const enough = 0.9

type Point = { readonly x: number; readonly y: number }

const page = document.documentElement
const { main = '' } = (document.currentScript as HTMLScriptElement).dataset

/** A value stored on the device, as text. */
const kept = (name: string): string | null => {
  try {
    return localStorage.getItem(`wheelhouse.${name}`)
  } catch {
    // storage is forbidden: as the device is set
    return null
  }
}

const scheme = (): string => {
  const chosen = kept('colorScheme')
  if (chosen === 'dark' || chosen === 'light') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
page.dataset.mantineColorScheme = scheme()

// The server can't see how wide the window is, nor which language was chosen here.
const isOtherWidth = page.getAttribute(prerenderedFor) !== (matchMedia('(max-width: 48em)').matches ? 'phone' : 'desk')
const isOtherLanguage =
  page.hasAttribute(guessedLanguage) && (kept('language') ?? `"${page.lang}"`) !== `"${page.lang}"`
if (isOtherWidth || isOtherLanguage) page.removeAttribute(prerenderedFor)

/**
 * Resolves on the first sign of a user, who points, touches, types or lets the browser fill fields, and after `restMs` at the latest. Focus alone is
 * no sign: the page sets it itself.
 */
function somebody(): Promise<void> {
  return new Promise(resolve => {
    const heard = new AbortController()
    const arrive = () => {
      heard.abort()
      resolve()
    }
    for (const sign of ['pointermove', 'pointerdown', 'click', 'wheel', 'keydown', 'input'])
      document.addEventListener(sign, arrive, { capture: true, passive: true, signal: heard.signal })
    setTimeout(arrive, restMs)
  })
}
/** Only the sign-in waits: its data do not grow stale, and its users need the portal once they submit the form. */
const isSignIn = page.hasAttribute(prerenderedFor) && page.hasAttribute(guessedLanguage)
const wanted = isSignIn ? somebody() : Promise.resolve()

/** The element clicked last. */
let clicked: Point | null = null
/** The keys that nothing on the page takes: a scanner's. */
let keys: KeyboardEvent[] = []
/** The field being typed in. */
let focused: Field | null = null
/** Enter was pressed in a field. */
let isEntered = false
/** The key that opens the search (src/web/nav/shell.tsx), and the text typed after it. */
let search: { readonly key: KeyboardEvent; words: string } | null = null

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement

function onClick(event: MouseEvent) {
  const { target, button, ctrlKey, metaKey, shiftKey, detail, clientX: x, clientY: y } = event
  if (!(target instanceof Element) || !target.closest(`#${prerenderedId}`)) return
  // opens a tab or a window
  if (button !== 0 || ctrlKey || metaKey || shiftKey) return
  event.preventDefault()
  // a key, maybe of a scanner, presses nothing
  if (detail > 0) clicked = { x, y }
}
/** A form is sent by the portal only: its fields do not belong into the address. */
const onSubmit = (event: Event) => event.preventDefault()
/** The portal's own fields, still invisible, must not take the focus. */
function onFocus({ target }: FocusEvent) {
  if (!(target instanceof Element)) return
  if (target.closest(`#${prerenderedId}`)) focused = isField(target) ? target : null
  else focused?.focus()
}
function onKey(event: KeyboardEvent) {
  const { target, key } = event
  const isCommand = event.ctrlKey || event.metaKey
  if (isField(target)) isEntered ||= key === 'Enter' && target instanceof HTMLInputElement
  else if (isCommand && key.toLowerCase() === 'k') {
    // some browsers would search the web
    event.preventDefault()
    search = { key: event, words: '' }
  } else if (search) search.words += !isCommand && key.length === 1 ? key : ''
  else keys.push(event)
}

/** Presses a key once more, with the time at which it was pressed. */
function pressAgain(event: KeyboardEvent) {
  const { timeStamp, key, code, shiftKey, ctrlKey, altKey, metaKey, repeat } = event
  const init = { key, code, shiftKey, ctrlKey, altKey, metaKey, repeat, bubbles: true, cancelable: true }
  document.body.dispatchEvent(
    Object.defineProperty(new KeyboardEvent('keydown', init), 'timeStamp', { value: timeStamp }),
  )
}

/** Passes the keys to the scan listener. */
function typeAgain() {
  document.removeEventListener('keydown', onKey, true)
  keys.forEach(pressAgain)
  keys = []
}

/** Opens "Find anything" with the text typed into it. Not every account has it: the text goes into no other field. */
function searchAgain({ key, words }: NonNullable<typeof search>) {
  const fill = ({ target }: FocusEvent) => {
    if (!isField(target)) return
    document.removeEventListener('focusin', fill)
    if (words !== '' && target.matches('[role="dialog"] [role="combobox"]')) setField(target, words)
  }
  document.addEventListener('focusin', fill)
  pressAgain(key)
}

document.addEventListener('click', onClick, true)
document.addEventListener('submit', onSubmit, true)
document.addEventListener('focusin', onFocus)
document.addEventListener('keydown', onKey, true)
document.addEventListener(scanListenerReady, typeAgain, { once: true })

/** From now on the portal handles all of it. */
function stopListening() {
  document.removeEventListener('click', onClick, true)
  document.removeEventListener('submit', onSubmit, true)
  document.removeEventListener('focusin', onFocus)
  document.removeEventListener('keydown', onKey, true)
}
/** Without the portal's code the page stays, with its links and the browser's own keys. Its forms still send nothing. */
function giveUp() {
  document.removeEventListener('click', onClick, true)
  document.removeEventListener('keydown', onKey, true)
}

const lengthOf = ({ textContent }: Element): number => textContent.length
const code = 'script, style'
/** How much text there is to read. */
const textLength = (element: Element): number =>
  element.matches(code)
    ? 0
    : [...element.querySelectorAll(code)].reduce((rest, inner) => rest - lengthOf(inner), lengthOf(element))
/** How much text there is beside this: overlays of a screen, such as the scan screen, are beside the portal's root. */
const textBeside = (shown: Element): number =>
  [...document.body.children].reduce((sum, element) => sum + (element === shown ? 0 : textLength(element)), 0)

/** Whether a whole screen is beside this, though its text may differ: a device remembers how a list is shown. */
const screenBeside = (shown: Element): boolean => {
  const has = (selector: string) => [...document.querySelectorAll(selector)].some(element => !shown.contains(element))
  return has('h1') && !has('.mantine-Skeleton-root, [aria-busy="true"]')
}

function middleOf(element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}

function at<E extends HTMLElement>({ x, y }: Point, selector: string): E | null {
  return document.elementFromPoint(x, y)?.closest<E>(selector) ?? null
}

const fieldsOf = (shown: Element): Field[] => [...shown.querySelectorAll<Field>('input, textarea')]
/** The name of a field. Its place may be another's in the portal: a note above it that only the device knows moves it. */
const nameOf = ({ name, labels, placeholder, ariaLabel }: Field): string =>
  name || ariaLabel || labels?.[0]?.textContent?.trim() || placeholder
/** A field by its name, and by which of those it is. */
const fieldNamed = (all: readonly Field[], name: string, nth: number): Field | undefined =>
  all.filter(field => nameOf(field) === name)[nth]
const isTyped = (field: Field): boolean => field.value !== field.defaultValue

const hasInput = (shown: Element): boolean =>
  clicked !== null || search !== null || keys.length > 0 || fieldsOf(shown).some(isTyped)

function handOver(shown: HTMLElement) {
  const { scrollX, scrollY } = window
  const before = fieldsOf(shown)
  const fields = before
    .filter(field => field === focused || isTyped(field))
    .map(field => ({
      value: field.value,
      isActive: field === focused,
      name: nameOf(field),
      nth: before.filter(other => nameOf(other) === nameOf(field)).indexOf(field),
      place: middleOf(field),
    }))
  stopListening()
  page.removeAttribute(prerenderedFor)
  shown.remove()
  scrollTo(scrollX, scrollY)
  if (clicked) {
    at(clicked, 'input, textarea, select, button, a, [tabindex]')?.focus()
    // an icon has no `click()`
    const { x: clientX, y: clientY } = clicked
    const click = new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1, clientX, clientY })
    document.elementFromPoint(clientX, clientY)?.dispatchEvent(click)
  }
  for (const field of fields) {
    const { name, nth, place } = field
    const same = name === '' ? at<Field>(place, 'input, textarea') : fieldNamed(fieldsOf(document.body), name, nth)
    if (field.isActive) same?.focus()
    if (same && field.value !== same.value) setField(same, field.value)
    // once the form has all that was typed
    if (field.isActive && isEntered) setTimeout(() => same?.form?.requestSubmit())
  }
  if (search) searchAgain(search)
}

/** Fetches the code that starts the portal. */
function fetchPortal() {
  const waits = document.getElementById(afterScreen)
  if (waits instanceof HTMLTemplateElement) document.head.append(waits.content)
}

/** Evaluates the portal's files, which the page names in the order of their imports, with breaks in which clicks and keys are handled; then starts it. */
async function startPortal() {
  fetchPortal()
  for (const { href } of document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]')) {
    // a failed fetch shows where the portal needs the code
    await import(/* @vite-ignore */ href).catch(() => {})
    await breakForPage()
  }
  await import(/* @vite-ignore */ main)
}

document.addEventListener('DOMContentLoaded', () => {
  page.dataset.parsed = ''
  const root = document.getElementById('root')
  const shown = document.getElementById(prerenderedId)
  if (!root || !shown) {
    // the screen was not made in time
    stopListening()
    page.removeAttribute(prerenderedFor)
    return void startPortal()
  }
  const least = textLength(shown) * enough
  const start = async () => {
    await wanted
    await startPortal()
    const begun = performance.now()
    const isLate = () => {
      const since = performance.now() - begun
      return since > longestMs && (since > longestWithInputMs || !hasInput(shown) || screenBeside(shown))
    }
    const look = () => {
      if (isLate() || textBeside(shown) >= least) handOver(shown)
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }
  // in the frame that shows it, when all that it needs is here; and after that frame
  requestAnimationFrame(() => {
    if (!isSignIn) fetchPortal()
    setTimeout(() => void start().catch(giveUp))
  })
})
