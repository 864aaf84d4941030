/**
 * What others change shows here at once (docs/decisions/0013): the server says which answers are stale, and those on the
 * screen are asked for again. Only a page that is looked at listens; one that comes back asks anew.
 */
import { textsPath } from '#contract/locale.ts'
import type { Query } from '@tanstack/react-query'
import { callOf, queryClient, renew, tab } from './api.ts'
import { doubt, isLost, onConnection } from './connection.ts'
import { freshTexts } from '../i18n.ts'

type Heard = { paths: readonly string[]; from: string }

/** A page in the background is given up after so many milliseconds; a glance at another tab costs nothing. */
const patience = 10_000
/** A stream that was refused, as while a portal behind a proxy starts anew, is asked for again after so many milliseconds. */
const refusedFor = 30_000
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
  let leaving: ReturnType<typeof setTimeout> | undefined
  let again: ReturnType<typeof setTimeout> | undefined

  const open = () => {
    if (source) return
    source = new EventSource('/live')
    source.addEventListener('open', () => {
      // between two connections anything may have changed
      if (lost) {
        void queryClient.invalidateQueries({ type: 'active' })
        void freshTexts()
      }
      lost = false
    })
    source.addEventListener('message', ({ data }: MessageEvent<string>) => hear(JSON.parse(data) as Heard))
    source.addEventListener('error', () => {
      lost = true
      void doubt()
      // refused, not lost: the session is over, too many pages are open, or nobody is there behind the proxy
      if (source?.readyState !== EventSource.CLOSED) return
      source = null
      clearTimeout(again)
      again = setTimeout(look, refusedFor)
    })
  }
  const look = () => {
    clearTimeout(leaving)
    if (document.visibilityState === 'visible') return open()
    leaving = setTimeout(() => {
      lost = true
      close()
    }, patience)
  }
  look()
  document.addEventListener('visibilitychange', look)
  const forget = onConnection(() => isLost() || look())
  return () => {
    forget()
    document.removeEventListener('visibilitychange', look)
    clearTimeout(leaving)
    clearTimeout(again)
    close()
  }
}

/** Makes stale what was changed elsewhere; `*` is everything. */
export function hear({ paths, from }: Heard): void {
  if (from === tab) return
  const all = paths.includes('*')
  if (all || paths.includes(textsPath)) void freshTexts()
  const changed = (query: Query): boolean => all || paths.includes(callOf(query).path ?? '')
  for (const query of queryClient.getQueryCache().findAll({ predicate: changed })) renew(query)
}
