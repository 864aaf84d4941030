/**
 * Live changes (docs/decisions/0074): the server sends which answers are stale, and visible ones are refetched; of lists of operations it
 * sends the rows that changed. Only a visible page listens; it refetches everything when it becomes visible again.
 */
import type { LiveEvent } from '#contract/live.ts'
import { textsPath } from '#contract/translations.ts'
import type { Query } from '@tanstack/react-query'
import { callOf, queryClient, refetchAfterCurrent, tab } from './api.ts'
import { checkConnection, isLost, onConnection } from './connection.ts'
import { reloadTexts } from '../i18n.ts'
import { takeOverRows } from './liveRows.ts'

/** A hidden page disconnects after this time; a short look at another tab costs nothing. */
const hiddenTabTimeoutMs = 10_000
/** A refused stream, as while a portal behind a proxy restarts, is reopened after this time. */
const reconnectDelayMs = 30_000
let source: EventSource | null = null

/** Whether the event stream is open; without it screens poll. */
export const isLive = (): boolean => source?.readyState === EventSource.OPEN

const close = () => {
  source?.close()
  source = null
}

/** Listens until the returned function is called, with the session of the cookie. */
export function listenLive(): () => void {
  let lost = false
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined

  const open = () => {
    if (source) return
    // changes during the loading of the page come first; after a lost connection everything is fetched again
    source = new EventSource(lost ? '/live' : `/live?age=${Math.ceil(performance.now())}`)
    source.addEventListener('open', () => {
      // between two connections anything may have changed
      if (lost) {
        void queryClient.invalidateQueries({ type: 'active' })
        void reloadTexts()
      }
      lost = false
    })
    source.addEventListener('message', ({ data }: MessageEvent<string>) =>
      invalidateChanged(JSON.parse(data) as LiveEvent),
    )
    source.addEventListener('error', () => {
      lost = true
      void checkConnection()
      // refused, not lost: the session has ended, too many streams are open, or the proxy has no portal
      if (source?.readyState !== EventSource.CLOSED) return
      source = null
      clearTimeout(reconnectTimer)
      reconnectTimer = setTimeout(updateConnection, reconnectDelayMs)
    })
  }
  const updateConnection = () => {
    clearTimeout(hiddenTimer)
    if (document.visibilityState === 'visible') return open()
    hiddenTimer = setTimeout(() => {
      lost = true
      close()
    }, hiddenTabTimeoutMs)
  }
  updateConnection()
  document.addEventListener('visibilitychange', updateConnection)
  const unsubscribe = onConnection(() => isLost() || updateConnection())
  return () => {
    unsubscribe()
    document.removeEventListener('visibilitychange', updateConnection)
    clearTimeout(hiddenTimer)
    clearTimeout(reconnectTimer)
    close()
  }
}

/** Invalidates answers that changed elsewhere; `*` means everything. `rows` are meant for several pages, this one among them. */
export function invalidateChanged({ paths, from, rows }: LiveEvent): void {
  if (rows !== undefined) return takeOverRows(paths, rows)
  if (from === tab) return
  const all = paths.includes('*')
  if (all || paths.includes(textsPath)) void reloadTexts()
  const changed = (query: Query): boolean => all || paths.includes(callOf(query).path ?? '')
  for (const query of queryClient.getQueryCache().findAll({ predicate: changed })) refetchAfterCurrent(query)
}
