import { notificationsStore } from '@mantine/notifications'
import { useEffect } from 'react'

/** Moves toasts from their corner to the one above while they would cover the focused element (WCAG 2.4.11). */
export function useToastsAside(): void {
  useEffect(() => {
    const corners = [...document.querySelectorAll('.mantine-Notifications-root')]
    let frame = 0
    const look = () => {
      const { dataset } = document.documentElement
      delete dataset['toastsAside']
      const { activeElement } = document
      if (!activeElement || activeElement === document.body) return
      const { left, right, top, bottom } = activeElement.getBoundingClientRect()
      const [x, y] = [(left + right) / 2, (top + bottom) / 2]
      // A toast slides in from beside the screen. Its corner has the place that it will take.
      const covered = corners.some(corner => {
        const over = corner.getBoundingClientRect()
        return !corner.contains(activeElement) && x > over.left && x < over.right && y > over.top && y < over.bottom
      })
      if (covered) dataset['toastsAside'] = ''
    }
    // once the page has scrolled to the focused element, and the toast is drawn
    const soon = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(look)
    }
    document.addEventListener('focusin', soon)
    const unsubscribe = notificationsStore.subscribe(soon)
    // a toast begins without a height and grows
    const sizes = new ResizeObserver(soon)
    for (const corner of corners) sizes.observe(corner)
    return () => {
      cancelAnimationFrame(frame)
      document.removeEventListener('focusin', soon)
      unsubscribe()
      sizes.disconnect()
    }
  }, [])
}
