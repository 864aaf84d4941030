/** A call as data: the route, the typed client, cache invalidation, form validation and the API page all come from it. */
import type { z } from 'zod'
import type { Role } from '#domain/account.ts'
import type { FailureCode } from '#domain/failure.ts'
import type { Mode } from '#domain/site.ts'

type Who = readonly Role[] | 'anyone'
export type Call<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType, W extends Who = Who> = {
  /** Feature and entry, `operations.confirm`: unique in the contract. */
  readonly name: string
  /** The path at the root of the origin; `{name}` is a piece that belongs to the input. Published: it never changes. */
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
  /** A client may repeat it under the same `Idempotency-Key` and gets the first answer (docs/decisions/0012). */
  readonly idempotent: boolean
  /** A replica may answer it: the answer may be seconds old, except for changes that this node knows of. It changes nothing. */
  readonly replicaSafe: boolean
  /** It takes a core for a while, so each account may make it only so often. */
  readonly costly: boolean
  /** The failures of its own; those of every call (session, site, request) are not repeated here. */
  readonly failures: readonly FailureCode[]
  /** The calls whose answers it changes: screens that show one fetch it again. */
  readonly invalidates: readonly AnswerName[]
  /** One sentence for the API page. */
  readonly summary: string
}

/**
 * The answers that screens keep and other calls invalidate: names of calls, and `texts`, which are fetched as files. A name that is
 * no call does not compile (index.ts). The union is written out because a call can't name the type of the contract it is part of.
 */
export type AnswerName =
  | 'audit.list'
  | 'audit.people'
  | 'customers.accounts'
  | 'customers.customer'
  | 'customers.list'
  | 'fleet.fetch'
  | 'fleet.findcustomerbyname'
  | 'fleet.history'
  | 'fleet.vehicle'
  | 'hotelconfig.adminconfig'
  | 'hotelconfig.admins'
  | 'hotelconfig.getall'
  | 'invoicing.customers'
  | 'invoicing.documents'
  | 'invoicing.tyres'
  | 'labelReports.all'
  | 'locale.all'
  | 'locale.missing'
  | 'locations.all'
  | 'locations.plan'
  | 'locations.tyres'
  | 'operations.admin'
  | 'operations.adminopsbydate'
  | 'operations.adminopsbydate_light'
  | 'operations.bookedtransportdays'
  | 'operations.completedbydate'
  | 'operations.fetch'
  | 'site.getvehicleconfigs'
  | 'site.gsc'
  | 'site.tsconfigdata'
  | 'texts'
  | 'tyres.events'
  | 'tyres.recentstocklocations'
  | 'vehicleConfigs.all'

export const everyMode = ['hotelonly', 'fleetonly', 'both'] as const satisfies readonly Mode[]

type Defaults = Pick<
  Call,
  'method' | 'modes' | 'files' | 'idempotent' | 'replicaSafe' | 'costly' | 'failures' | 'invalidates'
>
const defaults: Defaults = {
  method: 'POST',
  modes: everyMode,
  files: [],
  idempotent: false,
  replicaSafe: false,
  costly: false,
  failures: [],
  invalidates: [],
}

type Unnamed<C extends Call> = Omit<C, 'name'>

/** Declares a call. What is left out: a POST in every mode, without failures of its own, that invalidates nothing. */
export function call<I extends z.ZodType, O extends z.ZodType, const W extends Who>(
  entry: Omit<Call<I, O, W>, 'name' | keyof Defaults> & Partial<Defaults>,
): Unnamed<Call<I, O, W>> {
  return { ...defaults, ...entry }
}

/** The calls of a feature, each named after it. */
export function feature<E extends Record<string, Unnamed<Call>>>(
  name: string,
  entries: E,
): { readonly [K in keyof E]: E[K] & Pick<Call, 'name'> } {
  const named = Object.entries(entries).map(([entry, unnamed]) => [entry, { ...unnamed, name: `${name}.${entry}` }])
  return Object.fromEntries(named) as { [K in keyof E]: E[K] & Pick<Call, 'name'> }
}

/** What a screen hands over: the input before it was parsed. */
export type Asked<C> = C extends Call<infer I, z.ZodType, Who> ? z.input<I> : never
/** What a handler receives. */
export type Input<C> = C extends Call<infer I, z.ZodType, Who> ? z.output<I> : never
/** The answer as it travels. */
export type Wire<C> = C extends Call<z.ZodType, infer O, Who> ? z.input<O> : never
/** The answer as a screen reads it. */
export type Answer<C> = C extends Call<z.ZodType, infer O, Who> ? z.output<O> : never
