import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { createPortal, flushSync } from 'react-dom'
import './print.css'

let pages: ReactNode = null
const listeners = new Set<() => void>()
function put(next: ReactNode) {
  pages = next
  for (const listener of listeners) listener()
}

/**
 * Prints these pages instead of the screen: black on white, regardless of the colour scheme. Each child with the class `wh-page` begins on a new
 * sheet; `wh-keep` is not split across sheets.
 */
export function printPages(node: ReactNode): void {
  put(node)
}

const snapshot = () => pages

/** Whether the screen itself is being printed: true once everything that depends on it is drawn. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    const begin = () => {
      // the paper is drawn right after; pages of their own are not the screen
      if (document.documentElement.dataset.printing !== 'pages') flushSync(() => setPrinting(true))
    }
    const end = () => setPrinting(false)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return printing
}

/** The place where pages to print are rendered; mounted once in the shell, so that texts and session reach them. */
export function PrintArea() {
  const shown = useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    snapshot,
    snapshot,
  )
  useEffect(() => {
    if (shown === null) return
    const done = () => put(null)
    addEventListener('afterprint', done, { once: true })
    document.documentElement.dataset.printing = 'pages'
    window.print()
    return () => {
      removeEventListener('afterprint', done)
      delete document.documentElement.dataset.printing
    }
  }, [shown])
  useEffect(() => {
    // Paper is white: a dark screen would print as pale letters on it.
    const root = document.documentElement
    let scheme: string | undefined
    const lighten = () => {
      scheme = root.dataset.mantineColorScheme
      root.dataset.mantineColorScheme = 'light'
    }
    const restore = () => {
      if (scheme !== undefined) root.dataset.mantineColorScheme = scheme
    }
    addEventListener('beforeprint', lighten)
    addEventListener('afterprint', restore)
    return () => {
      removeEventListener('beforeprint', lighten)
      removeEventListener('afterprint', restore)
    }
  }, [])
  return shown === null ? null : createPortal(<div className="wh-print">{shown}</div>, document.body)
}
