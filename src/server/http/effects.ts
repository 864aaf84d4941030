/** The effects of a call after its commit: caches of this node, and answers of open screens. */
import type { SecurityKind } from '#domain/people/security.ts'
import type { AnswerName, Call } from '#contract/call.ts'
import { calls } from '#contract/index.ts'
import { maxChangedOperations } from '#contract/live.ts'
import { textsPath } from '#contract/translations.ts'
import type { Database } from '../db/database.ts'
import type { Replica } from '../db/replica.ts'
import type { Audience, Notification, Session } from '../features/handler.ts'
import { invalidateSessions } from '../features/session/sessions.ts'
import { invalidateSites } from '../features/sites/sites.ts'
import { invalidateTexts } from '../texts/dictionary.ts'
import type { Caller } from './admit.ts'
import type { Live } from './live.ts'

/** Collected while a handler runs, published once its transaction is committed. */
export type Effects = {
  readonly sessions: Set<Session | number>
  sites: boolean
  texts: boolean
  readonly notifications: (Notification & { readonly audience: Audience })[]
  readonly securityEvents: SecurityKind[]
  /** Some entries of the request changed nothing: what they name may be somebody else's. */
  unused: boolean
}

export const noEffects = (): Effects => ({
  sessions: new Set(),
  sites: false,
  texts: false,
  notifications: [],
  securityEvents: [],
  unused: false,
})

type Published = {
  readonly database: Database
  readonly live?: Live | undefined
  readonly replica?: Replica | null | undefined
}

/** Clears caches: of this node, and of sessions everywhere. Before the commit they could be filled with the old state again. */
export function invalidateCaches(
  { database, replica, live }: Published,
  call: Call,
  { who }: Caller,
  effects: Effects,
): void {
  if (who && call.invalidates.length > 0) replica?.recordWrite(who.account)
  for (const changed of effects.sessions) {
    invalidateSessions(database, changed)
    live?.sessionsChanged(typeof changed === 'number' ? changed : changed.who.account)
  }
  if (effects.sites) invalidateSites(database)
  if (effects.texts) invalidateTexts(database)
}

/** Notifies open screens, except the `tab` that made the call, of the answers to refetch. */
export function notifyScreens(
  { live }: Published,
  call: Call,
  { who, site }: Caller,
  effects: Effects,
  tab: string,
): void {
  if (!live || call.invalidates.length === 0) return
  const customer = call.who === 'anyone' ? null : (who?.customer ?? null)
  const notifications = effects.notifications.length > 0 ? effects.notifications : [{ audience: customer }]
  for (const notification of notifications as Effects['notifications']) {
    const { audience, site: elsewhere, answers = call.invalidates, rows } = notification
    const where = elsewhere ?? site?.id
    if (where === undefined) continue
    const publish = (changed: readonly AnswerName[], operations?: readonly number[]): void =>
      live.publish({ site: where, audience, paths: pathsOf(changed), from: tab, ...(operations && { operations }) })
    const byRows = (name: AnswerName): boolean =>
      rows !== undefined && rows.operations.length <= maxChangedOperations && rows.lists.some(list => list === name)
    publish(answers.filter(name => !byRows(name)))
    publish(answers.filter(byRows), rows?.operations)
  }
}

const paths = new Map<string, string>([
  ['texts', textsPath],
  ...calls.map(({ name, call }) => [name, call.path] as const),
])

/** Pages know answers by the paths of their calls. */
export const pathsOf = (answers: readonly AnswerName[]): string[] => answers.flatMap(name => paths.get(name) ?? [])
