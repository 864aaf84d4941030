/**
 * Directus at its best on the rows of the benchmark: production, a static token of an administrator, no permission filters, no limits,
 * a pool as large as ours, tables of a single key with the indexes that its questions need.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { freePort } from '../src/server/postgres/connection.ts'
import { connections } from './jobs.ts'
import { end } from './portal.ts'

/** The tables in which tyres are marked as scanned, and what Directus records of that: nothing, or who changed what. */
export const scanTables = { scanned_tyre: null, recorded_tyre: 'all' } as const
export type ScanTable = keyof typeof scanTables

const vehicleColumns =
  `id customer_id config_id license_plate number chassis_number brand description type driver_name driver_mobile
  driver_telephone driver_email`.split(/\s+/)
const tyreColumns =
  `id vehicle_id article_id position description season memo profile_depth profile_date profile_tacho status_date status
  location_id rims bolts hubcaps tyre_set invoiced_on unknown_article`.split(/\s+/)

/** The same rows. What is marked has the number of its tyre, of which one at most is in an open operation. */
const tables = `
  alter schema public rename to ours;
  create schema public;
  create table vehicle as select ${vehicleColumns.join(', ')} from ours.vehicle where removed_at is null;
  create table tyre with (fillfactor = 80) as select ${tyreColumns.join(', ')} from ours.tyre where removed_at is null;
  create table customer as select id, coalesce(nullif(company, ''), name) as name from ours.customer;
  create table vehicle_config as select id, description from ours.vehicle_config;
  create table location as select id, path, site_name from ours.location;
  create table operation as select id, type from ours.operation;
  create table scanned_tyre with (fillfactor = 80) as
    select (case when open then tyre_id else 10000000 + row_number() over () end)::int as id, operation_id, tyre_id, open, scanned_at,
      scan_times
    from ours.operation_tyre;
  ${['vehicle', 'tyre', 'customer', 'vehicle_config', 'location', 'operation', 'scanned_tyre'].map(table => `alter table ${table} add primary key (id);`).join('\n  ')}
  create table recorded_tyre (like scanned_tyre including all) with (fillfactor = 80);
  insert into recorded_tyre select * from scanned_tyre;
  create index on vehicle (customer_id);
  create index on tyre (vehicle_id);
  create index on scanned_tyre (tyre_id) where open;
  drop schema ours cascade`

/** Which row a column names, and how that one answers those that name it. */
const relations = [
  ['tyre', 'vehicle_id', 'vehicle', 'tyres'],
  ['tyre', 'location_id', 'location'],
  ['vehicle', 'customer_id', 'customer'],
  ['vehicle', 'config_id', 'vehicle_config'],
  ['scanned_tyre', 'tyre_id', 'tyre', 'operations'],
  ['scanned_tyre', 'operation_id', 'operation'],
] as const

const bare = [...vehicleColumns, ...tyreColumns.map(column => `tyres.${column}`)]
/** A fleet: no more than the rows of its vehicles and tyres, or, with their names, places and open operations, what ours answers. */
export const fields = {
  bare: `fields=${bare.join(',')}`,
  whole: `fields=${[...bare, 'customer_id.name', 'config_id.description', ...['location_id.path', 'location_id.site_name', 'operations.operation_id.id', 'operations.operation_id.type'].map(column => `tyres.${column}`)].join(',')}&deep[tyres][operations][_filter][open][_eq]=true&deep[tyres][operations][_limit]=-1`,
}

const token = `bench-${randomUUID()}`
const settings = {
  NODE_ENV: 'production',
  LOG_LEVEL: 'error',
  SECRET: token,
  ADMIN_EMAIL: 'desk@example.org',
  ADMIN_PASSWORD: token,
  ADMIN_TOKEN: token,
  DB_CLIENT: 'pg',
  DB_POOL__MIN: String(connections),
  DB_POOL__MAX: String(connections),
  RATE_LIMITER_ENABLED: 'false',
  // it refuses what comes while it is busy
  PRESSURE_LIMITER_ENABLED: 'false',
  SERVE_APP: 'false',
  WEBSOCKETS_ENABLED: 'false',
  MCP_ENABLED: 'false',
  AI_ENABLED: 'false',
  EMAIL_VERIFY_SETUP: 'false',
  // nothing leaves the machine
  TELEMETRY: 'false',
  TELEMETRY_URL: 'http://127.0.0.1:9',
  COMPLIANCE_URL: 'http://127.0.0.1:9',
}

/** A request as it goes over the socket. */
export const written = (verb: string, target: string, body = ''): string =>
  `${verb} ${target} HTTP/1.1\r\nhost: peer.bench\r\nauthorization: Bearer ${token}\r\n${body && `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`}\r\n${body}`

/** Asks and answers what stands in the reply. */
export async function ask(port: number, verb: string, target: string, body?: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const reply = await fetch(`http://127.0.0.1:${port}${target}`, { method: verb, headers, ...(body && { body }) })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${verb} ${target}: ${reply.status} ${text.slice(0, 500)}`)
  return text && JSON.parse(text)
}

/** Runs a command of it in a directory of its own. */
function run(folder: string, command: string, { host, port, user, password, database }: pg.Client, more = {}) {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-peer-'))
  const discard = () => fs.rmSync(place, { recursive: true, force: true })
  // not its cli.js, which first asks a registry for a newer version
  const child = spawn(process.execPath, [path.join(folder, 'node_modules/@directus/api/dist/cli/run.js'), command], {
    cwd: place,
    env: {
      PATH: process.env['PATH'],
      HOME: place,
      ...settings,
      DB_HOST: host,
      DB_PORT: String(port),
      DB_USER: user,
      DB_PASSWORD: password ?? undefined,
      DB_DATABASE: database,
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000)
    })
  process.once('exit', () => {
    child.kill('SIGKILL')
    discard()
  })
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve)).finally(discard)
  return { child, ended, said: () => said }
}

/** Makes its database beside the one of this client, which nobody else may be connected to, and answers a client of that. */
export async function makeDatabase(folder: string, client: pg.Client): Promise<pg.Client> {
  const { host, port, user, password, database = '' } = client
  await client.query(`create database peer template ${pg.escapeIdentifier(database)} strategy file_copy`)
  const peer = new pg.Client({ host, port, ...(user && { user }), ...(password && { password }), database: 'peer' })
  await peer.connect()
  await peer.query(tables)
  const { ended, said } = run(folder, 'bootstrap', peer)
  if ((await ended) !== 0) throw new Error(`Directus can't be set up:\n${said()}`)
  await peer.query('vacuum (freeze, analyze)')
  return peer
}

/** Tells it what to record, and which rows belong together. */
export async function register(port: number): Promise<void> {
  const tell = (verb: string, target: string, body: object) => ask(port, verb, target, JSON.stringify(body))
  for (const [table, accountability] of Object.entries({ vehicle: null, tyre: null, ...scanTables }))
    await tell('PATCH', `/collections/${table}`, { meta: { accountability } })
  for (const [collection, field, related_collection, one_field] of relations) {
    if (one_field)
      await tell('POST', `/fields/${related_collection}`, {
        field: one_field,
        type: 'alias',
        meta: { special: ['o2m'] },
      })
    await tell('POST', '/relations', { collection, field, related_collection, meta: { one_field }, schema: {} })
  }
}

/** Starts it with more settings. */
export async function start(
  folder: string,
  peer: pg.Client,
  more: Readonly<Record<string, string>> = {},
): Promise<{ port: number; close(): Promise<unknown> }> {
  const port = await freePort()
  const { child, ended, said } = run(folder, 'start', peer, { HOST: '127.0.0.1', PORT: String(port), ...more })
  for (const deadline = Date.now() + 120_000; ;) {
    if ((await fetch(`http://127.0.0.1:${port}/server/ping`).catch(() => null))?.ok) break
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`Directus does not start:\n${said()}`)
    }
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return { port, close: () => end(child, 'SIGTERM').then(() => ended) }
}
