/**
 * The first script of a page that came with its screen (docs/decisions/0076): sets the colours, lets the browser paint, starts the portal behind what is
 * shown, and puts the portal in its place once that shows the same. A click until then happens in the portal.
 */
import { prerenderedFor, prerenderedId } from '#contract/prerender.ts'

/** What the portal waits for at most, in ms: then it is shown whatever it shows. */
const longestMs = 5000
/** How much of the text the portal has to show. */
const enough = 0.9

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

/** Where somebody has clicked, until the portal can be clicked. */
let clicked: { x: number; y: number } | null = null

function onClick(event: MouseEvent) {
  const { target, button, ctrlKey, metaKey, shiftKey, detail } = event
  if (!(target instanceof Element) || !target.closest(`#${prerenderedId}`)) return
  // opens a tab or a window
  if (button !== 0 || ctrlKey || metaKey || shiftKey) return
  event.preventDefault()
  const { left, top, width, height } = target.getBoundingClientRect()
  clicked = detail === 0 ? { x: left + width / 2, y: top + height / 2 } : { x: event.clientX, y: event.clientY }
}
document.addEventListener('click', onClick, true)

const lengthOf = ({ textContent }: Element): number => textContent.length
/** How much text there is to read. */
const textLength = (element: Element): number =>
  [...element.querySelectorAll('style')].reduce((rest, style) => rest - lengthOf(style), lengthOf(element))

function handOver(shown: HTMLElement) {
  const { scrollX, scrollY } = window
  document.removeEventListener('click', onClick, true)
  page.removeAttribute(prerenderedFor)
  shown.remove()
  scrollTo(scrollX, scrollY)
  if (!clicked) return
  const target = document.elementFromPoint(clicked.x, clicked.y)
  if (!(target instanceof HTMLElement)) return
  target.closest<HTMLElement>('input, textarea, select, button, a, [tabindex]')?.focus()
  target.click()
}

document.addEventListener('DOMContentLoaded', () => {
  const root = document.getElementById('root')
  const shown = document.getElementById(prerenderedId)
  if (!root || !shown) return void import(/* @vite-ignore */ main)
  const least = textLength(shown) * enough
  const until = performance.now() + longestMs
  const look = () => {
    if (performance.now() > until || textLength(root) >= least) handOver(shown)
    else requestAnimationFrame(look)
  }
  // after the frame that shows it
  requestAnimationFrame(() =>
    setTimeout(() => {
      import(/* @vite-ignore */ main).catch(() => {})
      requestAnimationFrame(look)
    }),
  )
})
