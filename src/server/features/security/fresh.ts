/** A session whose owner showed a moment ago who it is (docs/decisions/0033). */
import { Failure } from '#domain/failure.ts'
import type { Context, Session } from '../handler.ts'

/** So long after its owner showed who it is, a session may change what decides who may do what. */
const freshMinutes = 15

/** @throws Failure `session.stale`: the user has to authenticate again */
export function requireFresh({ now, request }: Pick<Context<unknown, 'anyone'>, 'now' | 'request'>): void {
  const { confirmed } = sessionOf(request)
  if (now.getTime() - confirmed.getTime() > freshMinutes * 60_000) throw new Failure('session.stale')
}

/** The session of a call that needs one. */
export function sessionOf({ session }: Context<unknown, 'anyone'>['request']): Session {
  if (!session) throw new Failure('session.missing')
  return session
}
