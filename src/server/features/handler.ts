/** What a handler is and what it holds. */
import type { z } from 'zod'
import type { Language, Role } from '#domain/account.ts'
import type { Failure } from '#domain/failure.ts'
import type { DocumentType, Mode } from '#domain/site.ts'
import type { Call, Input, Wire } from '#contract/call.ts'
import type { Contract } from '#contract/index.ts'
import type { Json, Tx } from '../db/database.ts'
import type { Print } from '../printing/pool.ts'

/** Who is asking. `site` and `customer` are those of the account; a superuser has neither. */
export type Who = {
  readonly account: number
  readonly type: Role
  readonly site: number | null
  readonly customer: number | null
  readonly username: string
  readonly fullname: string
  readonly lang: Language
}

/** A session by the hash of its token. */
export type Session = { readonly token: Buffer; readonly who: Who }

/** Superusers belong to no site; their open pages listen here. */
export const superusers = 0

/** Whom a change concerns besides the administrators of the site: one customer, everybody at the site, or nobody else. */
export type Audience = number | 'everyone' | null

/** What rules ask of a site's configuration. */
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
  readonly autoProcessIntakeOnFullScan: boolean
  readonly doDocInsert: boolean
  readonly docInsertType: DocumentType
  readonly docInsertExceptions: readonly string[]
  readonly hosts: readonly string[]
}

/** What a handler holds. `site` is the site of the address that was asked; having none is the failure `site.unknown`. */
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
    /** The site of the address that was asked, if it is any: a superuser signs in without one. */
    readonly site: number | null
    /** The page that the request came from, without origin and query; empty when the browser does not say. */
    readonly page: string
    readonly session: Session | null
    /** Hands a cookie to the browser, or takes it away. */
    keepSession(token: string | null): void
    /** What this node remembers of the session, or of all those of an account, is looked up anew at its next request. */
    forgetSession(account?: number): void
    /** This node reads the sites anew at its next request; other nodes learn of a change within two seconds. */
    forgetSites(): void
    /** This node reads the dictionary anew before its next answer; other nodes learn of a change within two seconds. */
    forgetTexts(): void
    etag(tag: string): void
    /**
     * Whom the change concerns besides the administrators of the site, who always hear of it, and the caller's own customer:
     * their open screens load anew (docs/decisions/0013). `site` where it is not that of the address; `paths` where less
     * than what the call says is stale.
     */
    concerns(audience: Audience, narrower?: { site?: number; paths?: readonly string[] }): void
  }
}

/**
 * A handler answers in wire form: an object, or JSON that PostgreSQL made. A `Failure` that is returned, not thrown, is
 * answered as a refusal while what was written is kept (a counted sign-in failure).
 */
export type Handler<C> =
  C extends Call<z.ZodType, z.ZodType, infer W>
    ? (context: Context<Input<C>, W>) => Promise<Wire<C> | Json | Print | Failure>
    : never

/** A handler for every call of the contract: a missing one does not compile. */
export type Handlers = {
  readonly [F in keyof Contract]: { readonly [C in keyof Contract[F]]: Handler<Contract[F][C]> }
}
