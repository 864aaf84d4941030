/** The focused element can go: a row is removed, a form closes, a button is disabled while it works. The keyboard then goes on near by. */
import { useEffect } from 'react'

/** How long others have to move the focus themselves, in ms: a dialog returns it to its trigger. */
const othersMoveFocusMs = 120
/** A button that is barred for longer than this, in ms, and not because it works, stays so. */
const staysBarredMs = 1000

type Held = {
  readonly element: HTMLElement
  /** Its ancestors, innermost first; kept because a removed element has none. */
  readonly within: readonly HTMLElement[]
  /** It stood in a box with `data-lets-go`, which may be gone, too. */
  readonly letsGo: boolean
  readonly x: number
  readonly y: number
}

const reached = ['a[href]', 'button', 'input', 'select', 'textarea', '[tabindex]']
  .map(tag => `${tag}:not(:disabled, [tabindex^="-"])`)
  .join()
const usable = (element: HTMLElement) =>
  element.isConnected && !element.matches(':disabled') && element.checkVisibility({ visibilityProperty: true })

function hold(element: HTMLElement): Held {
  const within: HTMLElement[] = []
  for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) within.push(box)
  return { element, within, letsGo: element.closest('[data-lets-go]') !== null, ...middleOf(element) }
}

/** On the page, however far it is scrolled. */
function middleOf(element: HTMLElement) {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2 + scrollX, y: top + height / 2 + scrollY }
}

/** The focusable element of a box that is nearest to a point. */
function nearest(box: HTMLElement, { x, y }: Held): HTMLElement | undefined {
  const far = (element: HTMLElement) => {
    const middle = middleOf(element)
    return Math.hypot(middle.x - x, middle.y - y)
  }
  const candidates = [...box.querySelectorAll<HTMLElement>(reached)].filter(usable)
  return candidates.map(element => ({ element, far: far(element) })).toSorted((a, b) => a.far - b.far)[0]?.element
}

/** Where the focus goes: near the removed element, in the smallest remaining box, else to the beginning of the screen. */
function nextTo(focus: Held): HTMLElement | null {
  for (const box of focus.letsGo ? [] : focus.within) {
    if (!box.isConnected || !box.checkVisibility()) continue
    if (box.matches('main, [role="dialog"]')) break
    const next = nearest(box, focus)
    if (next) return next
  }
  const dialog = focus.within.find(box => box.isConnected && box.matches('[role="dialog"]'))
  return dialog ?? document.querySelector('main')
}

const lost = () => document.activeElement === null || document.activeElement === document.body

/**
 * Moves the focus only for keyboard users: after a click or tap it stays. Inside a box with `data-lets-go` nothing replaces a removed element: the
 * screen itself gets the focus.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    /** The last focused element of each dialog and of the page below. */
    const keptElement = new WeakMap<Element, Held>()
    let byKeys = false
    let timer: ReturnType<typeof setTimeout> | undefined
    let barredSince: number | null = null

    const moveFocus = () => {
      timer = undefined
      if (!lost() || !byKeys) return
      const dialog = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')].findLast(candidate =>
        candidate.checkVisibility({ visibilityProperty: true }),
      )
      const focus = keptElement.get(dialog ?? document.body)
      if (!focus) return
      const { element } = focus
      if (usable(element)) return element.focus()
      const left = focus.within.find(box => box.isConnected && box.checkVisibility())
      // the whole screen is hidden while it waits for texts or code, and then returns
      if (element.isConnected && (!left || left.matches('main')))
        return void (timer = setTimeout(moveFocus, othersMoveFocusMs))
      if (!element.isConnected || !element.matches(':disabled') || !element.checkVisibility())
        return nextTo(focus)?.focus({ preventScroll: true })
      barredSince ??= performance.now()
      if (element.hasAttribute('data-loading') || performance.now() - barredSince < staysBarredMs)
        timer = setTimeout(moveFocus, othersMoveFocusMs)
      else nextTo(focus)?.focus({ preventScroll: true })
    }
    const findNear = () => {
      if (timer === undefined && byKeys && lost()) timer = setTimeout(moveFocus, othersMoveFocusMs)
    }
    const taken = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return
      barredSince = null
      keptElement.set(target.closest('[role="dialog"]') ?? document.body, hold(target))
    }
    const keyed = () => {
      byKeys = true
    }
    const pointed = () => {
      byKeys = false
    }
    const changes = new MutationObserver(findNear)
    changes.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', taken)
    document.addEventListener('focusout', findNear)
    document.addEventListener('keydown', keyed, { capture: true })
    document.addEventListener('pointerdown', pointed, { capture: true })
    return () => {
      clearTimeout(timer)
      changes.disconnect()
      document.removeEventListener('focusin', taken)
      document.removeEventListener('focusout', findNear)
      document.removeEventListener('keydown', keyed, { capture: true })
      document.removeEventListener('pointerdown', pointed, { capture: true })
    }
  }, [])
}
