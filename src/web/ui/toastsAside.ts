import { notificationsStore } from '@mantine/notifications'
import { useEffect } from 'react'

/** Toasts leave their corner for the one above while what has the focus would lie behind them (WCAG 2.4.11). */
export function useToastsAside(): void {
  useEffect(() => {
    let frame = 0
    const look = () => {
      const { dataset } = document.documentElement
      delete dataset['toastsAside']
      const { activeElement } = document
      if (!activeElement || activeElement === document.body) return
      const { left, right, top, bottom } = activeElement.getBoundingClientRect()
      const [x, y] = [(left + right) / 2, (top + bottom) / 2]
      const covered = [...document.querySelectorAll('.mantine-Notification-root')].some(toast => {
        const over = toast.getBoundingClientRect()
        return !toast.contains(activeElement) && x > over.left && x < over.right && y > over.top && y < over.bottom
      })
      if (covered) dataset['toastsAside'] = ''
    }
    // once the page has scrolled to what has the focus, and the toast is drawn
    const soon = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(look)
    }
    document.addEventListener('focusin', soon)
    const unsubscribe = notificationsStore.subscribe(soon)
    return () => {
      cancelAnimationFrame(frame)
      document.removeEventListener('focusin', soon)
      unsubscribe()
    }
  }, [])
}
