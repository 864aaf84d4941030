/** A call as data: the route, the typed client, stale queries, form validation and the API page all come from it. */
import type { z } from 'zod'
import type { Role } from '#domain/account.ts'
import type { FailureCode } from '#domain/failure.ts'
import type { Mode } from '#domain/site.ts'

type Who = readonly Role[] | 'anyone'
export type Call<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType, W extends Who = Who> = {
  /** The path at the root of the origin, exactly as SPEC §7 names it; `{name}` is a piece that belongs to the input. */
  readonly path: string
  readonly method: 'GET' | 'POST'
  /** Who may call it; `anyone` needs no session. */
  readonly who: W
  /** The site modes in which it exists; a superuser's calls exist in all. */
  readonly modes: readonly Mode[]
  readonly input: I
  readonly output: O
  /** Files that travel with it, by their names: the body is then a multipart form, and each file an `Upload` of the input. */
  readonly files: readonly string[]
  /** A client may make it again under the same `Idempotency-Key` and gets the first answer (QUALITY 13). */
  readonly keyed: boolean
  /** Its answer may be a few seconds old, but for what is told to have changed: a replica may give it. Such a call changes nothing. */
  readonly aged: boolean
  /** It takes a core for a while: how often one account may make it is limited. */
  readonly costly: boolean
  /** The failures of its own; those of every call (session, site, request) are not repeated here. */
  readonly failures: readonly FailureCode[]
  /** The paths of the calls whose answers it makes stale. */
  readonly stales: readonly string[]
  /** One sentence for the API page. */
  readonly says: string
}

export const everyMode = ['hotelonly', 'fleetonly', 'both'] as const satisfies readonly Mode[]

/** Declares a call; what is left out is a POST in every mode that fails in no way of its own and makes nothing stale. */
export function call<I extends z.ZodType, O extends z.ZodType, const W extends Who>(
  entry: Omit<Call<I, O, W>, 'method' | 'modes' | 'files' | 'keyed' | 'aged' | 'costly' | 'failures' | 'stales'> &
    Partial<Pick<Call, 'method' | 'modes' | 'files' | 'keyed' | 'aged' | 'costly' | 'failures' | 'stales'>>,
): Call<I, O, W> {
  return {
    method: 'POST',
    modes: everyMode,
    files: [],
    keyed: false,
    aged: false,
    costly: false,
    failures: [],
    stales: [],
    ...entry,
  }
}

/** What a screen hands over: the input before it was parsed. */
export type Asked<C> = C extends Call<infer I, z.ZodType, Who> ? z.input<I> : never
/** What a handler receives. */
export type Input<C> = C extends Call<infer I, z.ZodType, Who> ? z.output<I> : never
/** The answer as it travels. */
export type Wire<C> = C extends Call<z.ZodType, infer O, Who> ? z.input<O> : never
/** The answer as a screen reads it. */
export type Answer<C> = C extends Call<z.ZodType, infer O, Who> ? z.output<O> : never
