import { useEffect, useRef } from 'react'

/**
 * Hears of the button of a row that is removed; once the row is gone with it, the keyboard goes on at the head of the list,
 * the component that asks this.
 */
export function useAfterRemoval(): (button: HTMLElement) => void {
  const leaving = useRef<{ button: HTMLElement; list: Element | null } | null>(null)
  useEffect(() => {
    if (!leaving.current || leaving.current.button.isConnected) return
    leaving.current.list?.querySelector<HTMLElement>('[data-add]')?.focus({ preventScroll: true })
    leaving.current = null
  })
  return button => {
    leaving.current = { button, list: button.closest('section') }
  }
}
