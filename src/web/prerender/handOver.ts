/**
 * The first script of a page that came with its screen (docs/decisions/0076): sets the colours, lets the browser paint, starts the portal behind what is
 * shown, and puts the portal in its place once that shows the same. What is clicked, typed or scanned until then happens in the portal.
 */
import { prerenderedFor, prerenderedId, scansHeard } from '#contract/prerender.ts'
import { type Field, setField } from '../ui/setField.ts'

/** What the portal waits for at most once its code is there, in ms: then it is shown whatever it shows. */
const longestMs = 5000
/** How much of the text the portal has to show. */
const enough = 0.9

type Point = { readonly x: number; readonly y: number }

const page = document.documentElement
const { main = '' } = (document.currentScript as HTMLScriptElement).dataset

const scheme = (): string => {
  let chosen: string | null = null
  try {
    chosen = localStorage.getItem('wheelhouse.colorScheme')
  } catch {
    // storage is forbidden: as the device is set
  }
  if (chosen === 'dark' || chosen === 'light') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
page.dataset.mantineColorScheme = scheme()

// The server can't see how wide the window is.
if (page.getAttribute(prerenderedFor) !== (matchMedia('(max-width: 48em)').matches ? 'phone' : 'desk'))
  page.removeAttribute(prerenderedFor)

/** Where somebody has clicked last. */
let clicked: Point | null = null
/** The keys that nothing on the page takes: a scanner's. */
let keys: KeyboardEvent[] = []

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
const onKey = (event: KeyboardEvent) => void (isField(event.target) || keys.push(event))

/** Hands the keys to what listens for scans, each with the time at which it was pressed. */
function typeAgain() {
  document.removeEventListener('keydown', onKey, true)
  for (const key of keys) {
    const { timeStamp, code, shiftKey, ctrlKey, altKey, metaKey, repeat } = key
    const init = { key: key.key, code, shiftKey, ctrlKey, altKey, metaKey, repeat, bubbles: true, cancelable: true }
    document.body.dispatchEvent(
      Object.defineProperty(new KeyboardEvent('keydown', init), 'timeStamp', { value: timeStamp }),
    )
  }
  keys = []
}

document.addEventListener('click', onClick, true)
document.addEventListener('keydown', onKey, true)
document.addEventListener(scansHeard, typeAgain, { once: true })

const lengthOf = ({ textContent }: Element): number => textContent.length
/** How much text there is to read. */
const textLength = (element: Element): number =>
  [...element.querySelectorAll('style')].reduce((rest, style) => rest - lengthOf(style), lengthOf(element))

function middleOf(element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}

function at<E extends HTMLElement>({ x, y }: Point, selector: string): E | null {
  return document.elementFromPoint(x, y)?.closest<E>(selector) ?? null
}

function handOver(shown: HTMLElement) {
  const { scrollX, scrollY } = window
  const active = document.activeElement
  const field = isField(active) && shown.contains(active) ? { value: active.value, ...middleOf(active) } : null
  document.removeEventListener('click', onClick, true)
  document.removeEventListener('keydown', onKey, true)
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
  const same = field && at<Field>(field, 'input, textarea')
  if (!field || !same) return
  same.focus()
  if (field.value !== same.value) setField(same, field.value)
}

document.addEventListener('DOMContentLoaded', () => {
  const root = document.getElementById('root')
  const shown = document.getElementById(prerenderedId)
  if (!root || !shown) return void import(/* @vite-ignore */ main)
  const least = textLength(shown) * enough
  const start = async () => {
    await import(/* @vite-ignore */ main)
    const until = performance.now() + longestMs
    const look = () => {
      if (performance.now() > until || textLength(root) >= least) handOver(shown)
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }
  // after the frame that shows it; without the portal's code the page stays, with its links
  requestAnimationFrame(() =>
    setTimeout(() => void start().catch(() => document.removeEventListener('click', onClick, true))),
  )
})
