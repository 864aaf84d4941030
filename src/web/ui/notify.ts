/** Toasts. */
import { notifications, notificationsStore } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react'
import { createElement } from 'react'
import { ActionToast, type ToastAction } from './actionToast.tsx'
import { uuid } from './uuid.ts'

/** A toast and a confirmation go away by themselves after this many milliseconds. */
export const toastMs = 7500

type Tone = 'success' | 'error' | 'info' | 'warning'
const styles = {
  success: { color: 'teal', icon: IconCheck },
  error: { color: 'red', icon: IconAlertTriangle },
  info: { color: 'gray', icon: IconInfoCircle },
  warning: { color: 'yellow', icon: IconAlertTriangle },
} as const satisfies Record<Tone, unknown>

function isThere(id: string): boolean {
  const { notifications: shown, queue } = notificationsStore.getState()
  return [...shown, ...queue].some(other => other.id === id)
}

type Options = {
  id?: string
  /** A button in the toast. */
  action?: ToastAction | undefined
}

/** With the `id` of a toast that is still there, that one changes; else a new one appears. */
function show(tone: Tone, message: string, { id: givenId, action }: Options = {}): string {
  const id = givenId ?? uuid()
  const toast = {
    message: action
      ? // made anew for each action: its time begins with it
        createElement(ActionToast, {
          key: uuid(),
          message,
          action,
          id,
          lasts: toastMs,
          close: () => void notifications.hide(id),
        })
      : message,
    color: styles[tone].color,
    icon: createElement(styles[tone].icon, { size: 18, 'aria-hidden': true }),
    autoClose: action || tone === 'warning' ? false : toastMs,
    loading: false,
    withCloseButton: true,
    role: tone === 'error' ? 'alert' : 'status',
  }
  if (isThere(id)) notifications.update({ ...toast, id })
  else notifications.show({ ...toast, id })
  return id
}

export const notify = {
  success: (message: string, options?: Options) => show('success', message, options),
  error: (message: string, options?: { id?: string }) => show('error', message, options),
  info: (message: string, options?: { id?: string }) => show('info', message, options),
  /** Stays until it is closed. */
  warning: (message: string, options?: { id?: string }) => show('warning', message, options),
  /** A toast that stays until it is turned into another by its id, or hidden. It replaces an open one with the given `id`. */
  doing(message: string, { id }: { id?: string } = {}): string {
    const toast = { message, loading: true, autoClose: false, withCloseButton: false, role: 'status' }
    if (id === undefined || !isThere(id)) return notifications.show({ ...toast, ...(id !== undefined && { id }) })
    notifications.update({ ...toast, id })
    return id
  },
  /** Says something else in a toast of `doing`. */
  going: (id: string, message: string) =>
    void notifications.update({ id, message, loading: true, autoClose: false, withCloseButton: false }),
  hide: (id: string) => void notifications.hide(id),
}
