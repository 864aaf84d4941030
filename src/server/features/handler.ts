/** Handlers and their context. */
import type { z } from 'zod'
import type { Language, Role } from '#domain/people/account.ts'
import type { Failure } from '#domain/failure.ts'
import type { SecurityKind } from '#domain/people/security.ts'
import type { DocumentType, Mode } from '#domain/site.ts'
import type { AnswerName, Call, Input, Wire } from '#contract/call.ts'
import type { Contract } from '#contract/index.ts'
import type { RowList } from '#contract/live.ts'
import type { Json, Tx } from '../db/database.ts'
import type { LabelPrinters } from '../outbound/labelPrinters.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { VehicleRegister } from '../outbound/vehicleRegister.ts'
import type { Print } from '../printing/pool.ts'
import type { Secrets } from '../secrets.ts'

/** The caller. `site` and `customer` are those of the account; a superuser has neither. */
export type Who = {
  readonly account: number
  readonly type: Role
  /** Whether an administrator is restricted to the warehouse. */
  readonly warehouse: boolean
  readonly site: number | null
  readonly customer: number | null
  readonly username: string
  readonly fullname: string
  readonly lang: Language
}

/** A session by the hash of its token. `confirmed`: when the user last confirmed their identity, by a password or a second factor. */
export type Session = { readonly token: Buffer; readonly id: number; readonly who: Who; readonly confirmed: Date }

/** An account of the demo, and the hash of its password when the portal started. */
export type DemoLogin = { readonly account: number; readonly hash: string }

/** Superusers belong to no site; their open pages listen here. */
export const superusers = 0

/** The recipients of a change's notification besides the administrators of the site: one customer, all of the site, or no one. */
export type Audience = number | 'everyone' | null

export type Notification = {
  /** Where it is not that of the address. */
  readonly site?: number
  /** Where fewer change than the call declares. */
  readonly answers?: readonly AnswerName[]
  /** Lists in which only the rows of these operations, and of the other halves of their swaps, differ from now on. */
  readonly rows?: { readonly operations: readonly number[]; readonly lists: readonly RowList[] }
}

/** The parts of a site's configuration that rules use. */
export type Site = {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly mode: Mode
  readonly language: Language
  readonly timeZone: string
  readonly allowUnknownArticle: boolean
  readonly allowProfileDepth: boolean
  readonly allowTachometer: boolean
  readonly showTyresOnVehicle: boolean
  readonly showTyresAtCustomer: boolean
  readonly showWasteTyres: boolean
  readonly minTreadSummer: number
  readonly minTreadWinter: number
  readonly minTreadTruckSummer: number
  readonly minTreadTruckWinter: number
  readonly autoProcessIntakeOnFullScan: boolean
  readonly warehouseConfirmsMissing: boolean
  readonly doDocInsert: boolean
  readonly docInsertType: DocumentType
  readonly docInsertExceptions: readonly string[]
  readonly hosts: readonly string[]
}

/** The context of a handler. `site` is the site of the request's host; without one the failure is `site.unknown`. */
export type Context<I, W> = {
  readonly input: I
  readonly tx: Tx
  readonly who: W extends 'anyone' ? Who | null : Who
  readonly site: Site
  readonly now: Date
  readonly lang: Language
  readonly request: {
    readonly id: string
    readonly address: string
    /** The site of the request's host, if any: a superuser signs in without one. */
    readonly site: number | null
    /** The page that sent the request, without origin and query; empty if unknown. */
    readonly page: string
    readonly session: Session | null
    /** Scheme and host of the request, which passkeys are bound to. */
    readonly origin: string
    /** Whether the operator requires a second factor of superusers (SUPERUSERS_NEED_FACTOR). */
    readonly superusersNeedFactor: boolean
    /** Since when the portal takes automatic backups, `null` if it does not (BACKUP_TO). */
    readonly backupsSince: Date | null
    /** The user agent, at most 200 characters. */
    readonly agent: string
    /** The token of this browser's known-device cookie, or `null`. */
    readonly device: string | null
    readonly secrets: Secrets
    /** Makes requests to addresses that people typed. */
    readonly outbound: Outbound
    /** The public register of vehicles that the operator has switched on, or `null`. */
    readonly register: VehicleRegister | null
    /**
     * Does work that waits for another server, without the slot of the request, so that others go on. Call it after
     * `tx.commit()`, or it would hold a connection.
     */
    outside<T>(work: () => Promise<T>): Promise<T>
    /** Whether the client has hung up: it wants no answer any more. */
    isClientGone(): boolean
    /** The accounts of the demo that the login page offers; empty in a real portal. */
    readonly demo: readonly DemoLogin[]
    /** Whether messages can be sent: there is a mail server, or the demo keeps them (docs/product/messages.md "E-mail"). */
    readonly sendsMail: boolean
    /** Whether the operator has named an access point for e-invoices (ACCESS_POINT_URL). */
    readonly accessPoint: boolean
    /** The label printers that the operator has named (LABEL_PRINTERS). */
    readonly labelPrinters: LabelPrinters
    /** Sets the session's cookie in the browser, or with `null` clears it. */
    setSession(token: string | null): void
    /** Sets the known-device cookie. */
    setDevice(token: string): void
    /** The browser forgets the files and answers that it keeps; never what waits in its storage. */
    clearCache(): void
    /** Every node looks up the session, or all those of an account, again; one that isn't reached does so within a second. */
    invalidateSessions(account?: number): void
    /** This node reads the sites again at its next request; other nodes learn of a change within two seconds. */
    invalidateSites(): void
    /** This node reads the dictionary again before its next answer; other nodes learn of a change within two seconds. */
    invalidateTexts(): void
    etag(tag: string): void
    /** Counts a security event in the metrics, once the transaction is committed. */
    countSecurityEvent(kind: SecurityKind): void
    /** Says in a header which entries of the request changed nothing (`Call.unused`). */
    unused(entries: readonly number[]): void
    /**
     * Whose open screens are told (docs/decisions/0074), besides those of the site's administrators. By default the
     * caller's customer.
     */
    notify(audience: Audience, narrower?: Notification): void
  }
}

/**
 * A handler returns wire form: an object, or JSON from PostgreSQL. A `Failure` that is returned, not thrown, becomes a
 * refusal and the transaction is committed (a counted sign-in failure).
 */
type Handler<C> =
  C extends Call<z.ZodType, z.ZodType, infer W>
    ? (context: Context<Input<C>, W>) => Promise<Wire<C> | Json | Print | Failure>
    : never

/** A handler for every call of the contract: a missing one does not compile. */
export type Handlers = {
  readonly [F in keyof Contract]: { readonly [C in keyof Contract[F]]: Handler<Contract[F][C]> }
}

/** The context of a call that is part of another one. */
export const within = <I, W extends readonly Role[]>(
  { tx, who, site, now, lang, request }: Context<unknown, W>,
  input: I,
): Context<I, W> => ({ input, tx, who, site, now, lang, request })

/** The time zone of days: the site's. A superuser belongs to no site, and may use a host without one. */
export const timeZoneOf = (caller: Pick<Context<unknown, readonly Role[]>, 'who' | 'site'>): string =>
  caller.who.type === 'superuser' ? 'UTC' : caller.site.timeZone
