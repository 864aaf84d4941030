/**
 * `npm run bench:peer -- --directus FOLDER`: the portal beside Directus 12.4 at its best, on the same PostgreSQL and rows, in one run;
 * what counts is the median of the rounds' ratios. Directus scans twice: without a record of who changed what, and with the one that
 * it keeps unless told otherwise, as ours always does; and it answers fleets twice: the bare rows, and all that ours answers. They count
 * as read from the rows, as ours are; Directus with its cache of answers, which may be old, stands beside it.
 *
 * Directus is no part of the project. In an empty folder, with the Node that runs this (24): `npm install directus@12.4.0`. Where its
 * isolated-vm can't be compiled, `npm init -y && npm pkg set overrides.isolated-vm=7.0.1` before it: nothing that is measured uses that.
 *
 *     npm run bench:peer -- --directus FOLDER --rounds 5 --seconds 3
 */
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { contract } from '../src/contract/index.ts'
import { accountOf, busy, cookieOf, large, small } from './data.ts'
import { ask, fields, makeDatabase, register, scanTables, start, written, type ScanTable } from './directus.ts'
import { median, type Verdict } from './figures.ts'
import { openFilled } from './filled.ts'
import { connections, jobs, scanned } from './jobs.ts'
import { openGenerator, openPortal } from './portal.ts'
import { columns, rate } from './report.ts'

const { values: options } = parseArgs({
  options: {
    directus: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
  },
})
const say = (sentence: string): void => console.error(sentence)

const upTo = (count: number): number[] => Array.from({ length: count }, (_, nth) => nth)
const tyres = upTo(busy.submitted).flatMap(nth => upTo(4).map(wheel => scanned(nth, wheel)))
const mark = new Date().toISOString()
const marked = JSON.stringify({ scanned_at: mark, scan_times: 1 })
type Content = keyof typeof fields
const fleetOf = (customer: number, content: Content): string =>
  `/items/vehicle?filter[customer_id][_eq]=${customer}&${fields[content]}&limit=-1&deep[tyres][_limit]=-1`
const fleetsOf = (customers: readonly number[], content: Content) => ({
  raw: customers.map(customer => written('GET', fleetOf(customer, content))),
})
const smalls = upTo(small.count).map(nth => small.first + nth)
const scansOf = (table: ScanTable) => ({
  table,
  raw: tyres.map(tyre => written('PATCH', `/items/${table}/${tyre}`, marked)),
})
type Compared = {
  readonly name: string
  readonly says: string
  /** How many times as fast the portal is to be. */
  readonly reach: number
  /** What Directus is asked, and where it writes. */
  readonly raw: readonly string[]
  readonly table?: ScanTable
}
const compared: readonly Compared[] = [
  { name: 'scan', says: 'scan', reach: 15, ...scansOf('scanned_tyre') },
  { name: 'scan', says: 'scan, recorded', reach: 15, ...scansOf('recorded_tyre') },
  { name: 'fleet', says: '25 vehicles, bare', reach: 8, ...fleetsOf(smalls, 'bare') },
  { name: 'fleet', says: '25 vehicles', reach: 8, ...fleetsOf(smalls, 'whole') },
  { name: 'bigFleet', says: '2,000 vehicles, bare', reach: 5, ...fleetsOf([large], 'bare') },
  { name: 'bigFleet', says: '2,000 vehicles', reach: 5, ...fleetsOf([large], 'whole') },
]

/** Makes their rows as they were. @throws Error when PATCHes were answered, each of another tyre until all had their turn, and are not there. */
async function tidy(peer: pg.Client, table: ScanTable, asked: number): Promise<void> {
  const { rowCount } = await peer.query(
    `update ${table} set scanned_at = null, scan_times = 0 where open and scanned_at = $1 and scan_times = 1`,
    [mark],
  )
  const { rows } = await peer.query<{ n: number }>(
    'select count(*)::int as n from directus_revisions where collection = $1',
    [table],
  )
  // connections do not keep step: one may begin anew before another is through
  if ((rowCount ?? 0) < Math.min(asked, tyres.length / 2) || rows[0]?.n !== (scanTables[table] ? asked : 0))
    throw new Error(`Of ${asked} scans that Directus answered ${rowCount} are in ${table}, ${rows[0]?.n} are recorded`)
  await peer.query('truncate directus_revisions, directus_activity cascade')
  await peer.query(`vacuum ${table}`)
  await peer.query('checkpoint')
}

type Theirs = { tyres: { position?: string; location_id: { path?: string } | null; operations?: unknown[] }[] }
type Ours = { tyres: [{ tyre: { position: [string]; stock_rack: [string | null]; operation: [number | null] }[] }] }

/** What of a fleet has to be the same: each tyre's wheel, place and whether it is in an operation. */
const told = (vehicles: number, tyres: readonly string[]): string =>
  `${vehicles} vehicles, ${tyres.filter(Boolean).length} tyres: ${tyres.toSorted().join()}`

/** @throws Error when one of them does not answer whole fleets, or Directus does not write. */
async function check(ours: number, theirs: number, peer: pg.Client): Promise<void> {
  for (const { customer, expected } of [
    { customer: small.first, expected: '25 vehicles, 128 tyres' },
    { customer: large, expected: '2000 vehicles, 10000 tyres' },
    { customer: busy.first, expected: '24 vehicles, 120 tyres' },
  ])
    for (const content of ['bare', 'whole'] as const) {
      const headers = { 'content-type': 'application/json', cookie: cookieOf(accountOf(customer)) }
      const asked = { method: 'POST', headers, body: '{}' }
      const reply = await fetch(`http://127.0.0.1:${ours}${contract.fleet.fetch.path}`, asked)
      const wire = (await reply.json()) as Ours[]
      const { data } = (await ask(theirs, 'GET', fleetOf(customer, content))) as { data: Theirs[] }
      const more = (rack: string | null | undefined, open: boolean): string =>
        content === 'bare' ? '' : ` ${rack ?? ''}${open ? ' open' : ''}`
      const found = [
        told(
          wire.length,
          wire
            .flatMap(vehicle => vehicle.tyres[0].tyre)
            .map(tyre => tyre.position[0] + more(tyre.stock_rack[0], tyre.operation[0] !== null)),
        ),
        told(
          data.length,
          data
            .flatMap(vehicle => vehicle.tyres)
            .map(tyre => (tyre.position ?? '') + more(tyre.location_id?.path, (tyre.operations?.length ?? 0) > 0)),
        ),
      ]
      if (found.some(fleet => fleet !== found[0] || !fleet.startsWith(`${expected}:`)))
        throw new Error(
          `Customer ${customer} has ${expected}; ours and theirs (${content}) answer\n${found.map(fleet => fleet.slice(0, 300)).join('\n')}`,
        )
    }
  for (const table of ['scanned_tyre', 'recorded_tyre'] as const) {
    await ask(theirs, 'PATCH', `/items/${table}/${tyres[0]}`, marked)
    await tidy(peer, table, 1)
  }
}

/** Requests a second. */
type Round = Readonly<Record<'ours' | 'theirs' | 'cached', number>>

const closing: (() => unknown)[] = []
async function opened<Open extends { close(): Promise<unknown> }>(opening: Open | Promise<Open>): Promise<Open> {
  const open = await opening
  closing.push(() => open.close())
  return open
}

async function compare(folder: string): Promise<string> {
  const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'node_modules/directus/package.json'), 'utf8'))
  const { cluster, shape, client } = await opened(openFilled(1, { say }))
  say(`Directus ${version}: making its tables …`)
  const peer = await makeDatabase(folder, client)
  closing.push(() => peer.end())
  const theirs = await opened(start(folder, peer))
  await register(theirs.port)
  // answers stay in its memory, whatever is written
  const cached = await opened(
    start(folder, peer, { CACHE_ENABLED: 'true', CACHE_TTL: '1h', CACHE_AUTO_PURGE: 'false' }),
  )
  const ours = await opened(openPortal(cluster.url))
  const generator = await opened(openGenerator())
  await check(ours.port, theirs.port, peer)

  /** Each in turn, another first in each round. */
  const play = async ({ name, raw, table }: Compared, nth: number, seconds: number): Promise<Round> => {
    const round = { theirs: Number.NaN, ours: Number.NaN, cached: Number.NaN }
    const sides = [
      { side: 'theirs', port: theirs.port, raw },
      { side: 'ours', port: ours.port },
      ...(table ? [] : [{ side: 'cached', port: cached.port, raw } as const]),
    ] as const
    const first = nth % sides.length
    for (const { side, ...task } of [...sides.slice(first), ...sides.slice(0, first)]) {
      const long = { seconds, times: Number.MAX_SAFE_INTEGER }
      const load = await generator.load({ ...task, ...long, job: name, shape, connections })
      round[side] = load.requests / load.seconds
      if (side === 'ours') await jobs.find(job => job.name === name)?.reset?.(client)
      else if (table) await tidy(peer, table, load.requests)
    }
    return round
  }
  const found = compared.map(each => ({ each, rounds: [] as Round[] }))
  for (const each of compared) await play(each, 0, 1)
  for (let nth = 0; nth < Number(options.rounds); nth++) {
    say(`round ${nth + 1} of ${options.rounds} …`)
    for (const { each, rounds } of found) rounds.push(await play(each, nth, Number(options.seconds)))
  }
  const lines = columns([
    ['job', 'theirs/s', 'ours/s', 'times', 'of each round', 'reach', 'their cache/s', 'times', ''],
    ...found.map(({ each, rounds }) => cells(each, rounds)),
  ])
  return [`PostgreSQL ${cluster.version}, Directus ${version}`, ...lines].join('\n')
}

function cells({ says, reach, table }: Compared, rounds: readonly Round[]): string[] {
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick))
  const times = rounds.map(round => round.ours / round.theirs)
  const verdict: Verdict = median(times) < reach ? 'short' : 'reached'
  return [
    says,
    rate(of(round => round.theirs)),
    rate(of(round => round.ours)),
    median(times).toFixed(1),
    times.map(value => value.toFixed(1)).join(' '),
    `≥ ${reach}`,
    ...(table ? ['', ''] : [rate(of(round => round.cached)), of(round => round.ours / round.cached).toFixed(1)]),
    verdict,
  ]
}

try {
  if (!options.directus || !fs.existsSync(path.join(options.directus, 'node_modules/@directus/api')))
    throw new Error('Say where Directus is: --directus FOLDER, with npm install directus@12.4.0 done in it.')
  console.log(`\n${await compare(path.resolve(options.directus))}\n`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  for (const close of closing.toReversed()) await close()
}
