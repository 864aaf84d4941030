import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useCountdown } from './useCountdown.ts'
import classes from './actionToast.module.css'

/** The action of a toast: the label of its button, and its handler, which gets the id of the toast. */
export type ToastAction = { label: string; run: (toast: string) => void }

type ActionToastProps = { message: string; action: ToastAction; id: string; lasts: number; close: () => void }

/** The toasts with a button that are on the screen, the newest last. */
const shown: (() => void)[] = []

/** Presses the button of the newest toast that has one. Returns whether there is any. */
export function pressToast(): boolean {
  const newest = shown.at(-1)
  newest?.()
  return newest !== undefined
}

/**
 * The text of a toast with a button. It goes away after `lasts` ms, not counting those in which the pointer is on it or something in
 * it has the focus (WCAG 2.2.1). It takes no focus by itself.
 */
export function ActionToast({ message, action, id, lasts, close }: ActionToastProps) {
  const box = useRef<HTMLDivElement>(null)
  const [hovered, setHovered] = useState(false)
  const [focused, setFocused] = useState(false)
  useCountdown({ ms: lasts, paused: hovered || focused, end: close })

  useEffect(() => {
    const toast = box.current?.closest<HTMLElement>('[role="status"]')
    if (!toast) return
    const enter = () => setHovered(true)
    const leave = () => setHovered(false)
    const focus = () => setFocused(true)
    const blur = () => setFocused(false)
    toast.addEventListener('pointerenter', enter)
    toast.addEventListener('pointerleave', leave)
    toast.addEventListener('focusin', focus)
    toast.addEventListener('focusout', blur)
    return () => {
      toast.removeEventListener('pointerenter', enter)
      toast.removeEventListener('pointerleave', leave)
      toast.removeEventListener('focusin', focus)
      toast.removeEventListener('focusout', blur)
    }
  }, [])

  useEffect(() => {
    const press = () => action.run(id)
    shown.push(press)
    return () => void shown.splice(shown.indexOf(press), 1)
  }, [action, id])

  return (
    <div className={classes.toast} ref={box}>
      <span>{message}</span>
      <Button
        variant="light"
        size="compact-sm"
        className={classes.button}
        onClick={() => action.run(id)}
        data-toast-action
      >
        {action.label}
      </Button>
    </div>
  )
}
