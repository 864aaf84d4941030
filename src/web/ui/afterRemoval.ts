import { useEffect, useRef } from 'react'

/**
 * Moves the focus to the head of the list when the row with the focused button is removed.
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
