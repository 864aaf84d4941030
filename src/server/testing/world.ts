/**
 * A small world for tests: two sites, two customers at the first and one at the second, an account of each kind, and the
 * complete server before a database of its own. Requests go through the whole HTTP stack.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import type { z } from 'zod'
import type { Role } from '#domain/people/account.ts'
import type { Refusal } from '#domain/failure.ts'
import type { Mode } from '#domain/site.ts'
import type { TyreStatus } from '#domain/tyres/tyre.ts'
import type { Answer, RawInput, Call } from '#contract/call.ts'
import { openDatabase, type Database } from '../db/database.ts'
import { hashPassword } from '../features/session/password.ts'
import { serve, type ServeOptions } from '../http/serve.ts'
import { invalidateSites, mountImages } from '../features/sites/sites.ts'
import { watchAnswers } from './answers.ts'
import { testDatabase, type TestDatabase, type TestServer } from './database.ts'

export const password = 'correct horse battery staple'
// one hash for all accounts: making it costs more than everything else here
const hashed = hashPassword(password)

export type Principal = {
  readonly name: string
  readonly account: number
  readonly type: Role | null
  /** An administrator restricted to the warehouse: warehouse.ts makes one. */
  readonly warehouse?: boolean
  readonly site: number
  readonly customer: number | null
  readonly host: string
  readonly cookie: string | null
  /** An access token, which it shows in place of a cookie. */
  readonly token?: string
}

export type Reply<A> = { status: number; headers: Record<string, unknown>; text: string; answer: A; refusal: Refusal }

export type World = {
  readonly app: FastifyInstance
  readonly database: Database
  /** The owner's connection: makes and looks at rows without row-level security. */
  readonly admin: pg.Client
  readonly adminUrl: string
  /** For another server on the same database. */
  readonly appUrl: string
  readonly sites: { readonly home: number; readonly other: number }
  readonly customers: { readonly a: number; readonly b: number; readonly other: number }
  readonly configs: { readonly home: number; readonly other: number }
  readonly articles: { readonly home: number; readonly other: number }
  readonly who: Readonly<
    Record<'anonymous' | 'a' | 'b' | 'admin' | 'otherUser' | 'otherAdmin' | 'superuser', Principal>
  >
  /** The clock of the server; set it to move time. */
  clock: { now: Date }
  ask<C extends Call>(call: C, who: Principal, asked: RawInput<C>): Promise<Reply<Answer<C>>>
  /** Like `ask` with anything as the body: for what no typed client would send. */
  send(path: string, who: Principal, body: unknown, headers?: Record<string, string>): Promise<Reply<unknown>>
  query<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>
  /** Takes the password that an administrator gave an account for one that its owner chose. */
  settlePassword(account: number): Promise<void>
  setSite(site: number, changes: Record<string, unknown>): Promise<void>
  addVehicle(of: { customer?: number; plate?: string; type?: string; config?: number | null }): Promise<number>
  addTyre(of: TyreWish): Promise<number>
  /** A set of tyres on positions 1A, 1B, 2A, 2B. */
  addSet(of: Omit<TyreWish, 'position'>): Promise<number[]>
  addLocations(of: { site?: number; places: number; capacity: number; zone?: string }): Promise<number[]>
  close(): Promise<void>
}

type TyreWish = {
  vehicle: number
  position?: string
  status?: TyreStatus
  set?: string | null
  depth?: number | null
  location?: number | null
  statusDate?: string
}

/** `server`: outside of a test, where none was started for the run. */
type Wish = {
  mode?: Mode
  now?: Date
  server?: TestServer
  /** Instead of a database made for it. */
  on?: TestDatabase
  /** Other options of the server. */
  served?: (database: Database) => Partial<ServeOptions>
  /** Other routes than calls and images. */
  mount?: (app: FastifyInstance, database: Database) => Promise<unknown>
}

export async function world(options: Wish = {}): Promise<World> {
  const test = options.on ?? (await testDatabase(options.server && { server: options.server }))
  const admin = new pg.Client({ connectionString: test.adminUrl })
  await admin.connect()
  let served: FastifyInstance | null = null
  const query = async <R extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<R[]> => {
    // what goes on after an answer would meet a test that empties tables
    await served?.securityEventsWritten()
    return (await admin.query<R>(text, values)).rows
  }
  const id = async (text: string, values: unknown[]): Promise<number> => {
    const [row] = await query<{ id: number }>(text, values)
    if (!row) throw new Error(`nothing came of ${text}`)
    return row.id
  }

  const mode = options.mode ?? 'both'
  const site = async (code: string): Promise<number> => {
    const siteId = await id(
      `insert into site (code, name, admin_email, mode, language) values ($1, $2, $3, $4, 'eng') returning id`,
      [code, `Tyre hotel ${code}`, `admin@${code}.test`, mode],
    )
    await query(`insert into site_address (host, site_id) values ($1, $2)`, [`${code}.test`, siteId])
    await query(
      `insert into label_report (site_id, number, name, layout) values ($1, 1, 'Roll 62 × 100', 'roll_62x100'), ($1, 2, 'Roll 57 × 32', 'roll_57x32'), ($1, 3, 'A4 sheet 2 × 7', 'sheet_a4_2x7')`,
      [siteId],
    )
    return siteId
  }
  const sites = { home: await site('home'), other: await site('other') }
  const config = (at: number): Promise<number> =>
    id(`insert into vehicle_config (site_id, description, axles) values ($1, 'Car', $2) returning id`, [
      at,
      JSON.stringify(
        [1, 2].map(nth => ({ type: 'axle', lift: false, drive: nth === 1, steering: nth === 1, left: 1, right: 1 })),
      ),
    ])
  const configs = { home: await config(sites.home), other: await config(sites.other) }
  const article = (at: number): Promise<number> =>
    id(
      `insert into article (site_id, brand, pattern, description, dimension, width, aspect, construction, rim, load_index, speed_symbol, season, speed_key, load_key, brand_key, words)
       values ($1, 'Michelin', 'Alpin 6', 'Michelin Alpin 6 205/55R16 91H', '205/55R16', 205, 55, 'R', 16, 91, 'H', 'winter', '2055516H', '205551691H', 'MICHELIN', 'MICHELIN ALPIN 6 205/55R16 91H') returning id`,
      [at],
    )
  const articles = { home: await article(sites.home), other: await article(sites.other) }
  const customer = (at: number, name: string): Promise<number> =>
    id(`insert into customer (site_id, name, company, city) values ($1, $2, $3, 'Gent') returning id`, [
      at,
      name,
      `${name} NV`,
    ])
  const customers = {
    a: await customer(sites.home, 'Garage Alfa'),
    b: await customer(sites.home, 'Lease Beta'),
    other: await customer(sites.other, 'Transport Gamma'),
  }

  const principal = async (
    name: string,
    type: Role,
    at: number | null,
    customer: number | null,
    host: string,
  ): Promise<Principal> => {
    const account = await id(
      `insert into account (site_id, customer_id, username, fullname, type, language, password) values ($1, $2, $3, $4, $5, 'eng', $6) returning id`,
      [at, customer, name, `Full ${name}`, type, await hashed],
    )
    const token = randomBytes(32).toString('base64url')
    await query(
      `insert into session (token_hash, account_id, site_id, created_at, seen_at) values ($1, $2, $3, $4, $4)`,
      [createHash('sha256').update(token).digest(), account, at, clock.now],
    )
    return { name, account, type, site: at ?? sites.home, customer: customer, host, cookie: `wheelhouse=${token}` }
  }
  const clock = { now: options.now ?? new Date() }
  const who = {
    anonymous: {
      name: 'anonymous',
      account: 0,
      type: null,
      site: sites.home,
      customer: null,
      host: 'home.test',
      cookie: null,
    },
    a: await principal('customer-a', 'user', sites.home, customers.a, 'home.test'),
    b: await principal('customer-b', 'user', sites.home, customers.b, 'home.test'),
    admin: await principal('admin', 'admin', sites.home, null, 'home.test'),
    otherUser: await principal('customer-a', 'user', sites.other, customers.other, 'other.test'),
    otherAdmin: await principal('admin', 'admin', sites.other, null, 'other.test'),
    superuser: await principal('superuser', 'superuser', null, null, 'home.test'),
  }

  const database = openDatabase(test.appUrl, { checkRows: true })
  const app = await serve({
    database,
    checkAnswers: true,
    clock: () => clock.now,
    limits: null,
    // every site has a printer that accepts everything
    labelPrinters: {
      of: site => [{ site, name: 'Dock', host: '127.0.0.1', port: 9100, dpi: 203 }],
      send: async () => {},
    },
    ...options.served?.(database),
  })
  mountImages(app, database)
  await options.mount?.(app, database)
  watchAnswers(app)
  await app.ready()
  served = app

  async function request(
    method: 'GET' | 'POST',
    url: string,
    principal: Principal,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Reply<unknown>> {
    const reply = await app.inject({
      method,
      url,
      headers: {
        host: principal.host,
        ...(principal.cookie ? { cookie: principal.cookie } : {}),
        ...(principal.token ? { authorization: `Bearer ${principal.token}` } : {}),
        ...headers,
      },
      ...(method === 'POST' && body !== undefined ? { payload: body as object } : {}),
    })
    const json = (reply.headers['content-type'] ?? '').toString().includes('json') && reply.payload !== ''
    const parsed: unknown = json ? JSON.parse(reply.payload) : null
    return {
      status: reply.statusCode,
      headers: reply.headers,
      text: reply.payload,
      answer: parsed,
      refusal: parsed as Refusal,
    }
  }

  const self: World = {
    app,
    database,
    admin,
    adminUrl: test.adminUrl,
    appUrl: test.appUrl,
    sites,
    customers,
    configs,
    articles,
    who,
    clock,
    async ask<C extends Call>(call: C, principal: Principal, input: RawInput<C>) {
      const pieces = (input ?? {}) as Record<string, unknown>
      const url = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(pieces[name]))
      const reply = await request(call.method, url, principal, input, {})
      if (reply.status === 200) reply.answer = (call.output as z.ZodType).parse(reply.answer)
      return reply as Reply<Answer<C>>
    },
    send: (path, principal, body, headers = {}) => request('POST', path, principal, body, headers),
    query,
    async settlePassword(account) {
      await query('update account set must_change_password = false where id = $1', [account])
    },
    async setSite(at, changes) {
      const names = Object.keys(changes)
      await query(`update site set ${names.map((name, nth) => `${name} = $${nth + 2}`).join(', ')} where id = $1`, [
        at,
        ...Object.values(changes),
      ])
      invalidateSites(database)
    },
    async addVehicle({ customer: owner = customers.a, plate, type = 'car', config: configuration }) {
      const at = owner === customers.other ? sites.other : sites.home
      const own = configuration === undefined ? (at === sites.other ? configs.other : configs.home) : configuration
      return id(
        `insert into vehicle (site_id, customer_id, license_plate, brand, description, type, config_id) values ($1, $2, $3, 'Volvo', 'V60', $4, $5) returning id`,
        [at, owner, plate ?? `1T${String(++vehicles).padStart(5, '0')}`, type, own],
      )
    },
    async addTyre({
      vehicle,
      position = '1A',
      status = 'at_customer',
      set = 'Winter',
      depth = 7.5,
      location = null,
      statusDate,
    }) {
      return id(
        `insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, tyre_set, status, status_date, profile_depth, profile_date, location_id)
         select v.site_id, v.customer_id, v.id, $2, $3, 'Michelin Alpin 6 205/55R16 91H', $4, $5, $6, $7, case when $7::numeric is null then null else $6::date end, $8
         from vehicle v where v.id = $1 returning id`,
        [
          vehicle,
          await articleOf(vehicle),
          position,
          set,
          status,
          statusDate ?? clock.now.toISOString().slice(0, 10),
          depth,
          location,
        ],
      )
    },
    async addSet(options) {
      const ids: number[] = []
      for (const position of ['1A', '1B', '2A', '2B']) ids.push(await self.addTyre({ ...options, position }))
      return ids
    },
    async addLocations({ site: at = sites.home, places, capacity, zone = 'A' }) {
      const ids: number[] = []
      for (let nth = 1; nth <= places; nth++) {
        const path = `${zone}-01-${nth}`
        ids.push(
          await id(
            `insert into location (site_id, kind, name, site_name, path, walk, capacity) values ($1, 'place', $2, 'Main hall', $3, $4, $5) returning id`,
            [at, String(nth), path, nth, capacity],
          ),
        )
      }
      return ids
    },
    async close() {
      await app.close()
      await database.close()
      await admin.end()
      await test.drop()
    },
  }
  let vehicles = 0
  const articleOf = async (vehicle: number): Promise<number> => {
    const [row] = await query<{ site_id: number }>('select site_id from vehicle where id = $1', [vehicle])
    return row?.site_id === sites.other ? articles.other : articles.home
  }
  return self
}
