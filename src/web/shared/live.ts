/**
 * What others change shows here at once (docs/decisions/0013): the server says which answers are stale, and those on the
 * screen are asked for again. Only a page that is looked at listens; one that comes back asks anew.
 */
import { textsPath } from '#contract/locale.ts'
import type { Query } from '@tanstack/react-query'
import { callOf, queryClient, refetchAfterCurrent, tab } from './api.ts'
import { checkConnection, isLost, onConnection } from './connection.ts'
import { reloadTexts } from '../i18n.ts'

type ChangeMessage = { paths: readonly string[]; from: string }

/** A page in the background is given up after so many milliseconds; a glance at another tab costs nothing. */
const hiddenTabTimeoutMs = 10_000
/** A stream that was refused, as while a portal behind a proxy starts anew, is asked for again after so many milliseconds. */
const reconnectDelayMs = 30_000
let source: EventSource | null = null

/** Whether changes of others are heard at the moment; without it screens look now and then. */
export const isLive = (): boolean => source?.readyState === EventSource.OPEN

const close = () => {
  source?.close()
  source = null
}

/** Listens until the answer is called. The session's cookie says for whom. */
export function listenLive(): () => void {
  let lost = false
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined

  const open = () => {
    if (source) return
    source = new EventSource('/live')
    source.addEventListener('open', () => {
      // between two connections anything may have changed
      if (lost) {
        void queryClient.invalidateQueries({ type: 'active' })
        void reloadTexts()
      }
      lost = false
    })
    source.addEventListener('message', ({ data }: MessageEvent<string>) =>
      invalidateChanged(JSON.parse(data) as ChangeMessage),
    )
    source.addEventListener('error', () => {
      lost = true
      void checkConnection()
      // refused, not lost: the session is over, too many pages are open, or nobody is there behind the proxy
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

/** Makes stale what was changed elsewhere; `*` is everything. */
export function invalidateChanged({ paths, from }: ChangeMessage): void {
  if (from === tab) return
  const all = paths.includes('*')
  if (all || paths.includes(textsPath)) void reloadTexts()
  const changed = (query: Query): boolean => all || paths.includes(callOf(query).path ?? '')
  for (const query of queryClient.getQueryCache().findAll({ predicate: changed })) refetchAfterCurrent(query)
}
