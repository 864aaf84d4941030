/** A call as data. The route, the typed client, cache invalidation, form validation and the API page are made from it. */
import { z } from 'zod'
import type { Role } from '#domain/people/account.ts'
import type { FailureCode } from '#domain/failure.ts'
import type { Mode } from '#domain/site.ts'
import type { TokenScope } from '#domain/people/token.ts'

/** Lists the entries of a request that changed nothing (`Call.unused`), by commas. */
export const unusedHeader = 'wheelhouse-unused'

/** Marks a request that a page makes by itself, for nobody: it is no use of its session (docs/product/accounts.md "Sessions"). */
export const unattendedHeader = 'wheelhouse-unattended'

/** The input of a call that needs none; whatever is sent is ignored. */
export const noInput = z.unknown().transform(() => ({}))

/**
 * Names the account that a request was made for, percent-encoded: with the session of another one it is refused, because the tabs of a browser share
 * their cookie (docs/product/warehouse.md "Scans").
 */
export const accountHeader = 'wheelhouse-account'

/** The priority classes of the request queue, highest first (docs/decisions/0032). */
export type WorkKind = 'scan' | 'signIn' | 'list' | 'report' | 'import'

type Who = readonly Role[] | 'anyone'
export type Call<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType, W extends Who = Who> = {
  /** Feature and entry, `operations.confirm`: unique in the contract. */
  readonly name: string
  /** The path from the root; `{name}` is a part that belongs to the input. It is published and never changes. */
  readonly path: string
  readonly method: 'GET' | 'POST'
  /** Who may call it; `anyone` needs no session. */
  readonly who: W
  /** Whether an administrator with access to the warehouse only may call it, too (docs/product/accounts.md "Accounts of the warehouse"). */
  readonly warehouse: boolean
  /**
   * Which scope of an access token opens it; `null` for none: it concerns somebody's own security, other people's accounts, or the
   * configuration of the site (docs/decisions/0041).
   */
  readonly scope: TokenScope | null
  /** The site modes in which it exists; a superuser's calls exist in all. */
  readonly modes: readonly Mode[]
  readonly input: I
  readonly output: O
  /** Names of files. With any, the body is a multipart form, and each file is an `upload` of the input. */
  readonly files: readonly string[]
  /** A repeated call with the same `Idempotency-Key` gets the first answer (docs/decisions/0012). */
  readonly idempotent: boolean
  /** A replica may answer it: it writes nothing, and its answer may lack changes of other nodes of the last seconds. */
  readonly replicaSafe: boolean
  /** It occupies a core for a while, so it has a rate limit for each account. */
  readonly costly: boolean
  /** The kind of its work: by default a list, or a report when a replica may answer it or when it is costly. */
  readonly workKind: WorkKind
  /** The entries of the request that the header `wheelhouse-unused` of its answer lists because they changed nothing. `null`: no header. */
  readonly unused: string | null
  /** Its own failures, without those that any call can have (session, site, request). */
  readonly failures: readonly FailureCode[]
  /** The calls whose answers it changes: screens that show one fetch it again. */
  readonly invalidates: readonly AnswerName[]
  /** A description for the API page. */
  readonly summary: string
}

/**
 * The answers that screens keep and other calls invalidate: names of calls, and `texts`, which are fetched as files. A name that is
 * no call does not compile (index.ts). The union is written out because a call can't name the type of the contract it is part of.
 */
export type AnswerName =
  | 'account.sessions'
  | 'account.factors'
  | 'articles.list'
  | 'articles.sameEan'
  | 'articles.unknown'
  | 'audit.list'
  | 'audit.people'
  | 'billing.list'
  | 'billing.owing'
  | 'billing.read'
  | 'cards.read'
  | 'charges.list'
  | 'counts.all'
  | 'counts.next'
  | 'counts.places'
  | 'counts.report'
  | 'customers.accounts'
  | 'customers.customer'
  | 'customers.list'
  | 'damages.list'
  | 'disposals.list'
  | 'disposals.waiting'
  | 'fleet.fetch'
  | 'fleet.findcustomerbyname'
  | 'fleet.health'
  | 'fleet.history'
  | 'fleet.nearing'
  | 'fleet.reaching'
  | 'fleet.vehicle'
  | 'gate.read'
  | 'hotelconfig.adminconfig'
  | 'hotelconfig.admins'
  | 'hotelconfig.firststeps'
  | 'hotelconfig.getall'
  | 'hotelconfig.plannedrecalls'
  | 'imports.list'
  | 'invoices.buyer'
  | 'invoices.lines'
  | 'invoices.list'
  | 'invoices.mapping'
  | 'invoices.open'
  | 'invoices.settings'
  | 'invoicing.credits'
  | 'invoicing.waivers'
  | 'invoicing.customers'
  | 'invoicing.documents'
  | 'invoicing.left'
  | 'invoicing.lefttyres'
  | 'invoicing.tyres'
  | 'labelReports.all'
  | 'labels.day'
  | 'locale.all'
  | 'locale.missing'
  | 'locale.preview'
  | 'locations.all'
  | 'locations.plan'
  | 'locations.tyres'
  | 'mounts.fleet'
  | 'moves.left'
  | 'mounts.vehicle'
  | 'notices.list'
  | 'notices.settings'
  | 'operations.admin'
  | 'operations.missing'
  | 'operations.adminopsbydate'
  | 'operations.adminopsbydate_light'
  | 'operations.bookedtransportdays'
  | 'operations.completedbydate'
  | 'operations.fetch'
  | 'operations.trail'
  | 'papers.layout'
  | 'papers.receipt'
  | 'payments.account'
  | 'payments.files'
  | 'payments.lines'
  | 'payments.list'
  | 'payments.settings'
  | 'reminders.due'
  | 'reminders.runs'
  | 'reminders.settings'
  | 'reminders.stops'
  | 'security.list'
  | 'security.people'
  | 'signOn.settings'
  | 'site.getvehicleconfigs'
  | 'site.gsc'
  | 'site.tsconfigdata'
  | 'tariff.list'
  | 'today.read'
  | 'texts'
  | 'tokens.own'
  | 'tokens.site'
  | 'tyres.dots'
  | 'tyres.events'
  | 'tyres.forecast'
  | 'tyres.recentstocklocations'
  | 'vehicleConfigs.all'
  | 'views.list'
  | 'waves.all'
  | 'waves.round'
  | 'webhooks.list'
  | 'webhooks.ofcustomers'
  | 'webhooks.log'
  | 'wheels.clearup'
  | 'wheels.tally'

const everyMode = ['hotelonly', 'fleetonly', 'both'] as const satisfies readonly Mode[]

type Defaults = Pick<
  Call,
  | 'method'
  | 'modes'
  | 'files'
  | 'idempotent'
  | 'replicaSafe'
  | 'costly'
  | 'workKind'
  | 'unused'
  | 'failures'
  | 'invalidates'
>
const defaults: Defaults = {
  method: 'POST',
  modes: everyMode,
  files: [],
  idempotent: false,
  replicaSafe: false,
  costly: false,
  workKind: 'list',
  unused: null,
  failures: [],
  invalidates: [],
}

type Unnamed<C extends Call> = Omit<C, 'name'>

/** Of each call of administrators it is said whether the warehouse may make it, so that nobody forgets to ask. */
type Restricted<W extends Who> = W extends readonly Role[]
  ? 'admin' extends W[number]
    ? Pick<Call, 'warehouse'>
    : unknown
  : unknown

/** Declares a call. By default it is a POST in every mode, without failures of its own, that invalidates nothing. */
export function call<I extends z.ZodType, O extends z.ZodType, const W extends Who>(
  entry: Omit<Call<I, O, W>, 'name' | 'warehouse' | keyof Defaults> & Restricted<W> & Partial<Defaults>,
): Unnamed<Call<I, O, W>> {
  const workKind = entry.replicaSafe || entry.costly ? 'report' : defaults.workKind
  return { ...defaults, workKind, warehouse: false, ...entry }
}

/** The calls of a feature, each named after it. */
export function feature<E extends Record<string, Unnamed<Call>>>(
  name: string,
  entries: E,
): { readonly [K in keyof E]: E[K] & Pick<Call, 'name'> } {
  const named = Object.entries(entries).map(([entry, unnamed]) => [entry, { ...unnamed, name: `${name}.${entry}` }])
  return Object.fromEntries(named) as { [K in keyof E]: E[K] & Pick<Call, 'name'> }
}

/** The input as a client sends it. */
export type RawInput<C> = C extends Call<infer I, z.ZodType, Who> ? z.input<I> : never
/** The input as a handler receives it. */
export type Input<C> = C extends Call<infer I, z.ZodType, Who> ? z.output<I> : never
/** The answer on the wire. */
export type Wire<C> = C extends Call<z.ZodType, infer O, Who> ? z.input<O> : never
/** The answer as a screen receives it. */
export type Answer<C> = C extends Call<z.ZodType, infer O, Who> ? z.output<O> : never
