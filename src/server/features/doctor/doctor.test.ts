/** Each finding of the doctor, provoked by the state that it is for (docs/promises.md "Operator"). */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { newestSchema } from '../../db/newestSchema.ts'
import { serve } from '../../http/serve.ts'
import { testDatabase } from '../../testing/database.ts'
import { startMailServer } from '../../testing/mailServer.ts'
import { canMount, mount } from '../../testing/mounts.ts'
import { world, type World } from '../../testing/world.ts'
import { examine } from './doctor.ts'
import { examinations, type Finding } from './finding.ts'

let at: World
let dir: string
let client: pg.Client
beforeAll(async () => {
  at = await world()
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-doctor-'))
  client = new pg.Client({ connectionString: at.adminUrl })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await at.close()
  fs.rmSync(dir, { recursive: true })
})

const base = { NODE_ENV: 'production', SECRET_KEY: 'x'.repeat(32), DATABASE_URL: 'postgres://user:x@localhost/db' }

async function findingsOf(
  env: Record<string, string> = {},
  { now = () => new Date(), ca, of = client }: { now?: () => Date; ca?: string; of?: pg.Client } = {},
): Promise<Finding[]> {
  return examine({ config: readConfig({ ...base, ...env }), client: of, now, ...(ca !== undefined && { ca }) })
}

/** The finding of this code about the state that the settings and the database are in. */
async function findingOf(code: string, ...patient: Parameters<typeof findingsOf>): Promise<Finding | undefined> {
  return (await findingsOf(...patient)).find(finding => finding.code === code)
}

/** Closes at the end of the test. */
async function listening(server: Server | ReturnType<typeof createSecureServer>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test('everything is looked at, in order, and what is well is said in one line', async () => {
  const findings = await findingsOf()
  expect([...new Set(findings.map(({ about }) => about))].filter(about => about !== 'proxy')).toEqual(
    examinations.filter(about => about !== 'proxy'),
  )
  expect(findings.filter(({ about, level }) => about === 'schema' && level === 'good')).toHaveLength(1)
  for (const { says } of findings) expect(says).toMatch(/\S/)
  // nothing but what this portal is not given
  expect(findings.filter(({ level }) => level === 'fault')).toEqual([])
})

test.each<[string, Finding['level'], Record<string, string>]>([
  ['settings.development', 'warning', { NODE_ENV: 'development' }],
  ['settings.unsafe', 'fault', { ALLOW_UNSAFE_DATABASE: 'yes' }],
  ['settings.demo', 'warning', { ALLOW_DEMO: 'yes' }],
  ['settings.key', 'warning', { SECRET_KEY: '' }],
  ['settings.default_site', 'fault', { DEFAULT_SITE: 'antwerpen' }],
  ['settings.printer', 'warning', { LABEL_PRINTERS: 'antwerpen/Dock=10.0.0.1:9100' }],
  ['connections.pool', 'warning', { DATABASE_POOL: '500' }],
  ['mail.none', 'warning', {}],
  ['store.none', 'warning', {}],
  ['https.unknown', 'warning', {}],
])('the setting behind %s is found', async (code, level, env) => {
  const other = Object.keys(env).length > 0
  expect(await findingOf(code, env)).toMatchObject({ level, advice: expect.stringMatching(/\S/) })
  if (other) expect(await findingOf(code)).toBeUndefined()
})

test('a portal without a site is told how to make one', async () => {
  const empty = await testDatabase()
  const of = new pg.Client({ connectionString: empty.adminUrl })
  await of.connect()
  onTestFinished(async () => {
    await of.end()
    await empty.drop()
  })
  expect(await findingOf('settings.site', {}, { of })).toMatchObject({
    advice: expect.stringContaining('manage -- site'),
  })
})

test('a Node that is not the one of the project is found', async () => {
  const { node } = process.versions
  const become = (version: string) =>
    Object.defineProperty(process.versions, 'node', { value: version, configurable: true })
  onTestFinished(() => void become(node))
  become('24.0.0')
  expect(await findingOf('versions.node')).toMatchObject({ level: 'warning' })
  become('22.1.0')
  expect(await findingOf('versions.node')).toMatchObject({ level: 'fault' })
})

test('a schema of another version is found: older, of the version after, and one that this version may not serve', async () => {
  const { drop, adminUrl } = await testDatabase()
  const of = new pg.Client({ connectionString: adminUrl })
  await of.connect()
  onTestFinished(async () => {
    await of.end()
    await drop()
  })
  const newest = newestSchema()
  await of.query(`insert into migration.applied (version, name, md5) values ($1, 'later', '')`, [newest + 1])
  expect(await findingOf('schema.ahead', {}, { of })).toMatchObject({ level: 'warning' })
  await of.query(
    `insert into migration.upgrade (portal, from_schema, to_schema, oldest, reason, seconds, migrations) values ('9.0.0', $1, $2, $2, 'rights', 1, '[]')`,
    [newest, newest + 1],
  )
  expect(await findingOf('schema.newer', {}, { of })).toMatchObject({
    level: 'fault',
    says: expect.stringContaining('(rights)'),
  })
  await of.query(`delete from migration.upgrade where portal = '9.0.0'`)
  await of.query('delete from migration.applied where version >= $1', [newest])
  expect(await findingOf('schema.older', {}, { of })).toMatchObject({ level: 'warning' })
})

test.runIf(canMount)('a disk that is full is found', async () => {
  const small = path.join(dir, 'small')
  fs.mkdirSync(small)
  const unmount = mount(small, 'size=1m')
  onTestFinished(unmount)
  expect(await findingOf('disk.full', { DATABASE_URL: '', DATA_DIR: small })).toMatchObject({ level: 'fault' })
})

test('a clock that differs from the database’s is found', async () => {
  expect(await findingOf('clock.database', {}, { now: () => new Date(Date.now() + 60_000) })).toMatchObject({
    level: 'warning',
    says: expect.stringMatching(/60 s|59 s/),
  })
})

test('a mail server that is away, and one that refuses the password, are found', async () => {
  const server = await startMailServer()
  const mail = { SMTP_URL: server.url, PUBLIC_URL: 'http://127.0.0.1:1' }
  expect((await findingsOf(mail)).find(({ about }) => about === 'mail')).toMatchObject({ level: 'good' })
  const { host } = new URL(server.url)
  expect(await findingOf('mail.password', { ...mail, SMTP_URL: `smtp://nobody:wrong@${host}` })).toMatchObject({
    level: 'fault',
  })
  await server.close()
  expect(await findingOf('mail.away', mail)).toMatchObject({ level: 'fault' })
})

test('a folder of backups that is not there is found, and one without a passphrase', async () => {
  expect(await findingOf('store.away', { BACKUP_TO: path.join(dir, 'nowhere') })).toMatchObject({ level: 'fault' })
  expect(await findingOf('store.key', { BACKUP_TO: dir })).toMatchObject({ level: 'warning' })
  const store = { BACKUP_TO: dir, BACKUP_KEY: 'four words that nobody guesses' }
  expect((await findingsOf(store)).find(({ about }) => about === 'backup store')).toMatchObject({ level: 'good' })
  expect(fs.readdirSync(dir).filter(name => name.includes('doctor'))).toEqual([])
})

test('a backup that is missing, late or failed is found', async () => {
  const store = { BACKUP_TO: dir }
  expect(await findingOf('backups.none', store)).toMatchObject({ level: 'fault' })
  await at.query(
    `insert into backup_run (night, began_at, ended_at, file) values (current_date - 2, now() - interval '27 hours', now() - interval '26 hours', 'a')`,
  )
  await at.query(
    `insert into backup_run (night, began_at, ended_at, problem) values (current_date, now(), now(), 'the disk is full')`,
  )
  expect(await findingOf('backups.late', store)).toMatchObject({
    level: 'fault',
    says: expect.stringContaining('the disk is full'),
  })
  await at.query(
    `insert into backup_run (night, began_at, ended_at, file) values (current_date + 1, now(), now(), 'b')`,
  )
  expect((await findingsOf(store)).find(({ about }) => about === 'backups')).toMatchObject({ level: 'good' })
})

/** A proxy in front of the portal that changes the headers of requests, and the portal behind it. */
async function behind(
  change: (headers: Record<string, string | string[] | undefined>) => void,
  {
    secure,
    trustProxy = false,
    date,
  }: { secure?: { key: string; cert: string }; trustProxy?: boolean; date?: Date } = {},
): Promise<string> {
  const portal = await serve({ database: at.database, limits: null, trustProxy, defaultSite: 'home' })
  onTestFinished(() => portal.close())
  await portal.listen({ host: '127.0.0.1', port: 0 })
  const { port } = portal.server.address() as AddressInfo
  const pass = (incoming: IncomingMessage, reply: ServerResponse): void => {
    const headers = { ...incoming.headers }
    change(headers)
    const forwarded = request(
      { port, host: '127.0.0.1', method: incoming.method, path: incoming.url, headers },
      answer => {
        reply.writeHead(answer.statusCode ?? 500, { ...answer.headers, ...(date && { date: date.toUTCString() }) })
        answer.pipe(reply)
      },
    )
    incoming.pipe(forwarded)
  }
  const front = secure ? createSecureServer(secure, pass) : createServer(pass)
  return `${secure ? 'https' : 'http'}://127.0.0.1:${await listening(front)}`
}

test('a portal that is away at its address, another program there, and http are found', async () => {
  expect(await findingOf('https.away', { PUBLIC_URL: 'http://127.0.0.1:1' })).toMatchObject({ level: 'fault' })
  const port = await listening(createServer((_, reply) => void reply.end('It works!')))
  expect(await findingOf('proxy.other', { PUBLIC_URL: `http://127.0.0.1:${port}` })).toMatchObject({ level: 'fault' })
  const url = await behind(() => {})
  const findings = await findingsOf({ PUBLIC_URL: url })
  expect(findings.find(({ about }) => about === 'https')).toMatchObject({ code: 'https.none', level: 'warning' })
  expect(findings.find(({ about }) => about === 'proxy')).toMatchObject({ level: 'good' })
})

test('a proxy that loses the address, and one that says another protocol, are found', async () => {
  const lost = await behind(headers => void (headers.host = 'localhost:3000'))
  expect(await findingOf('proxy.host', { PUBLIC_URL: lost })).toMatchObject({ level: 'fault' })
  const other = await behind(headers => void (headers['x-forwarded-proto'] = 'https'), { trustProxy: true })
  expect(await findingOf('proxy.origin', { PUBLIC_URL: other })).toMatchObject({ level: 'fault' })
})

test('a clock of the machine in front that differs is found', async () => {
  const url = await behind(() => {}, { date: new Date(Date.now() - 120_000) })
  expect(await findingOf('clock.front', { PUBLIC_URL: url })).toMatchObject({ level: 'warning' })
})

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

test.runIf(hasOpenssl)(
  'a certificate that is not trusted, one that ends soon, and a proxy that is not trusted are found',
  async () => {
    const [key, cert] = [path.join(dir, 'key.pem'), path.join(dir, 'cert.pem')]
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '5',
        '-subj',
        '/CN=127.0.0.1',
        '-addext',
        'subjectAltName=IP:127.0.0.1',
        '-keyout',
        key,
        '-out',
        cert,
      ],
      { stdio: 'ignore' },
    )
    const secure = { key: fs.readFileSync(key, 'utf8'), cert: fs.readFileSync(cert, 'utf8') }
    const forwarding = (headers: Record<string, string | string[] | undefined>) =>
      void (headers['x-forwarded-proto'] = 'https')
    const untrusted = await behind(forwarding, { secure })
    expect(await findingOf('https.certificate', { PUBLIC_URL: untrusted })).toMatchObject({ level: 'fault' })
    const findings = await findingsOf({ PUBLIC_URL: untrusted }, { ca: secure.cert })
    expect(findings.find(({ code }) => code === 'https.expires')).toMatchObject({
      level: 'warning',
      says: expect.stringMatching(/ends in [45] days/),
    })
    expect(findings.find(({ about }) => about === 'proxy')).toMatchObject({ code: 'proxy.untrusted', level: 'fault' })
    const trusted = await behind(forwarding, { secure, trustProxy: true })
    expect(await findingOf('proxy.addresses', { PUBLIC_URL: trusted }, { ca: secure.cert })).toMatchObject({
      level: 'warning',
    })
    const well = await findingsOf({ PUBLIC_URL: trusted, TRUST_PROXY: 'yes' }, { ca: secure.cert })
    expect(well.find(({ about }) => about === 'proxy')).toMatchObject({ level: 'good' })
  },
)

test('a time zone that the database, or Node, does not know is found', async () => {
  await at.query(`update site set time_zone = 'Europe/Atlantis' where id = $1`, [at.sites.other])
  onTestFinished(async () => void (await at.query(`update site set time_zone = 'Europe/Brussels'`)))
  await at.query(`update site set time_zone = 'Factory' where id = $1`, [at.sites.home])
  expect(await findingOf('zones.node')).toMatchObject({ level: 'fault', says: expect.stringContaining('Factory') })
  expect(await findingOf('zones.database')).toMatchObject({
    level: 'fault',
    says: expect.stringContaining('Europe/Atlantis'),
  })
})

test('slow statements are listed where they are counted', async () => {
  expect(await findingOf('statements.uncounted')).toMatchObject({ level: 'good' })
  // the extension's view, whose library only a server loads
  await at.query(
    `create view pg_stat_statements as select * from (values ('select slowly', 7::bigint, 2400.0::float8), ('select fast', 9, 3.5)) as s (query, calls, mean_exec_time)`,
  )
  onTestFinished(async () => void (await at.query('drop view pg_stat_statements')))
  expect(await findingOf('statements.slow')).toMatchObject({
    level: 'warning',
    says: '2400.0 ms in the mean of 7 calls: select slowly',
  })
  expect(await findingOf('statements.slowest')).toMatchObject({
    level: 'good',
    says: expect.stringContaining('select fast'),
  })
})

test('dead rows that nobody vacuums are found', async () => {
  await at.query('create table bloated with (autovacuum_enabled = off) as select n from generate_series(1, 20000) n')
  onTestFinished(async () => void (await at.query('drop table bloated')))
  await at.query('delete from bloated where n > 5')
  await client.query('select pg_stat_force_next_flush()')
  await at.query('select pg_stat_force_next_flush()')
  await expect
    .poll(() => findingOf('bloat.rows'))
    .toMatchObject({ level: 'warning', says: expect.stringContaining('bloated') })
})

test('work that failed or is late is found, each by its own finding', async () => {
  const mail = (state: string) =>
    at.query(
      `insert into mail (account_id, kind, created_at, due_at, ${state === 'late' ? 'tries' : 'given_up_at'}) values ($1, 'reset', now(), now() - interval '2 hours', ${state === 'late' ? '0' : 'now()'})`,
      [at.who.admin.account],
    )
  const invoice = async (number: number, refused: boolean) => {
    const [row] = await at.query<{ id: number }>(
      `insert into invoice (site_id, customer_id, kind, series, year, number, issued_on, due_on, seller, buyer, net, vat, gross, breakdown, created_at)
       values ($1, $2, 'invoice', 'F', 2026, $3, '2026-11-01', '2026-12-01', '{}', '{}', 1, 0, 1, '[]', now()) returning id`,
      [at.sites.home, at.customers.a, number],
    )
    await at.query(
      `insert into invoice_sending (site_id, invoice_id, customer_id, due_at, refused_at) values ($1, $2, $3, now() - interval '2 hours', ${refused ? 'now()' : 'null'})`,
      [at.sites.home, row?.id, at.customers.a],
    )
  }
  const endpoint = (more: string, values: string) =>
    at.query(
      `insert into webhook_endpoint (site_id, url, kinds, secret, created_at, ${more}) values ($1, 'https://x.test', array['tyre.moved'], '\\x00', now(), ${values})`,
      [at.sites.home],
    )
  await mail('late')
  await mail('given up')
  await invoice(1, true)
  await invoice(2, false)
  await at.query(
    `insert into billing_run (site_id, covers, until, days, marks, state, at, turn_at) values ($1, 'all', current_date, 30, true, 'making', now(), now() - interval '2 hours')`,
    [at.sites.home],
  )
  await endpoint('enabled, disabled_at', 'false, now()')
  await endpoint('failing_since', `now() - interval '2 hours'`)
  await at.query(
    `insert into happening (site_id, customer_id, kind, at) values ($1, $2, 'stored', now() - interval '2 hours')`,
    [at.sites.home, at.customers.a],
  )
  const codes = (await findingsOf()).filter(({ about }) => about === 'jobs').map(({ code, level }) => [code, level])
  expect(codes).toEqual([
    ['jobs.mail_given_up', 'warning'],
    ['jobs.mail_late', 'fault'],
    ['jobs.invoices_refused', 'warning'],
    ['jobs.invoices_late', 'fault'],
    ['jobs.runs_stuck', 'fault'],
    ['jobs.webhooks_off', 'warning'],
    ['jobs.webhooks_failing', 'warning'],
    ['jobs.notices_late', 'fault'],
  ])
})

/** Findings that would need a server or a disk of another kind. */
const unprovoked = ['versions.postgres', 'connections.full', 'disk.short', 'bloat.autovacuum', 'bloat.wraparound']

test('every finding in the code is provoked here, but those of other servers', () => {
  const source = ['doctor.ts', 'network.ts']
    .map(file => fs.readFileSync(new URL(file, import.meta.url), 'utf8'))
    .join('\n')
  const tests = fs.readFileSync(new URL(import.meta.url), 'utf8')
  const codes = new Set([...source.matchAll(/(?:warn|fault)\(\s*'([\w.]+)'/g)].map(([, code = '']) => code))
  expect(codes.size).toBeGreaterThan(35)
  expect(
    [...codes].filter(code => !tests.replace(/const unprovoked[^\n]+/, '').includes(`'${code}'`)).toSorted(),
  ).toEqual(unprovoked.toSorted())
})
