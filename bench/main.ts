/**
 * `npm run bench`: how close the portal comes to its database. Each key job goes through the complete HTTP stack and, in the same
 * round on the same rows, through pgbench; what counts is the median of the rounds' ratios, because absolute figures drift.
 *
 *     npm run bench -- --jobs scan,fleet --rounds 7 --seconds 5 --json figures.json
 *     npm run bench -- --growth [--scales 1,4,16]
 *
 * `--profile` leaves a CPU profile of the server beside the page in bench/out.
 */
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { findPgbench, type Cluster } from './cluster.ts'
import type { Shape } from './data.ts'
import { hash, labels, scansBesideFleets, seasonBoard } from './extras.ts'
import { summed, type Round, type Row } from './figures.ts'
import { openFilled } from './filled.ts'
import type { Load } from './generator.ts'
import { connections, jobOf, jobs, type Job } from './jobs.ts'
import { limitOf, openGenerator, openPortal, type Generator, type Limit } from './portal.ts'
import { tableOf, writePage, type Growth } from './report.ts'

type Bench = {
  readonly cluster: Cluster
  readonly shape: Shape
  readonly client: pg.Client
  readonly generator: Generator
  readonly port: number
}

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    jobs: { type: 'string' },
    json: { type: 'string' },
    profile: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    scales: { type: 'string', default: '1,4,16' },
  },
})
const rounds = Number(options.rounds)
const seconds = Number(options.seconds)
const named = options.jobs?.split(',')
const chosen = jobs.filter(job => named?.includes(job.name) ?? true)
const out = path.join(import.meta.dirname, 'out')
const say = (sentence: string): void => console.error(sentence)

/** Resources to close at the end, the last first. */
const closing: (() => Promise<unknown>)[] = []
const closeAll = async (): Promise<void> => {
  for (const close of closing.splice(0).toReversed()) await close().catch((error: unknown) => say(String(error)))
}

/** A database that is filled, the portal on it, and who asks. */
async function open(scale: number): Promise<Bench> {
  const { cluster, shape, client, close } = await openFilled(scale, { say })
  closing.push(close)
  const portal = await openPortal(cluster.url, { profile: options.profile ? out : undefined })
  closing.push(() => portal.close())
  const generator = openGenerator()
  closing.push(() => generator.close())
  return { cluster, shape, client, generator, port: portal.port }
}

/** The portal's side of a job; rows are afterwards as they were. */
async function loaded(bench: Bench, job: Job, clients: number, long: number): Promise<Load> {
  const { shape, client, generator, port } = bench
  const times = job.times?.(shape, clients) ?? Number.MAX_SAFE_INTEGER
  const load = await generator.load({
    job: job.name,
    port,
    shape,
    connections: clients,
    seconds: job.times ? 120 : long,
    times,
  })
  await job.reset?.(client)
  return load
}

/** Both sides of a job one after the other, now the one and now the other first. */
async function played(
  bench: Bench,
  pgbench: string,
  job: Job,
  { long, nth }: { long: number; nth: number },
): Promise<Round> {
  const { cluster, shape, client } = bench
  const limited = async (): Promise<Limit> => {
    const limit = await limitOf(job, { pgbench, url: cluster.url, shape, clients: connections, seconds: long })
    await job.reset?.(client)
    return limit
  }
  if (nth % 2 === 0) return { limit: await limited(), load: await loaded(bench, job, connections, long) }
  const load = await loaded(bench, job, connections, long)
  return { limit: await limited(), load }
}

async function compare(): Promise<void> {
  const pgbench = findPgbench()
  const begun = performance.now()
  const bench = await open(1)
  const results = new Map<Job, Round[]>(chosen.map(job => [job, []]))
  // one that does not count: the server's code is compiled, the pages are in memory
  for (const job of chosen) await played(bench, pgbench, job, { long: 1, nth: 0 })
  for (let nth = 0; nth < rounds; nth++) {
    say(`round ${nth + 1} of ${rounds} …`)
    for (const [job, done] of results) done.push(await played(bench, pgbench, job, { long: seconds, nth }))
  }
  const rows: Row[] = []
  if (!named) {
    rows.push(await scansBesideFleets({ ...bench, pgbench, url: bench.cluster.url, seconds: seconds * 2 }))
    await jobOf('scan').reset?.(bench.client)
    const fresh = await openPortal(bench.cluster.url)
    closing.push(() => fresh.close())
    rows.push(...(await labels(fresh)), await hash(), await seasonBoard(bench.client))
  }
  const report = { version: bench.cluster.version, seconds: (performance.now() - begun) / 1000, jobs: results, rows }
  console.log(`\n${tableOf(report)}\n`)
  if (options.json)
    fs.writeFileSync(
      options.json,
      `${JSON.stringify({ jobs: [...results].map(([job, done]) => summed(job, done)) }, null, 2)}\n`,
    )
  say(
    `${report.seconds.toFixed(0)} s; plots in ${path.relative(process.cwd(), writePage(report, path.join(out, 'bench.html')))}`,
  )
}

/** Each job at so many times the data, by 1 to 64 clients. */
async function grow(): Promise<void> {
  const begun = performance.now()
  const growth: Growth[] = []
  let version = ''
  for (const scale of options.scales.split(',').map(Number)) {
    const bench = await open(scale)
    version = bench.cluster.version
    for (const job of chosen) {
      await loaded(bench, job, 1, 1)
      const at = []
      let bytes = 0
      for (const clients of [1, 4, 16, 64]) {
        // where one answer takes a tenth of a second or more, 64 at once wait for a connection longer than the portal lets them
        if (clients > connections && (at[0]?.p50 ?? 0) > 100) continue
        const load = await loaded(bench, job, clients, seconds)
        bytes = load.bytes
        at.push({ clients, perSecond: load.requests / load.seconds, p50: load.p50, p99: load.p99 })
      }
      growth.push({ job: job.name, scale, bytes, at })
      const figures = at.map(
        ({ clients, perSecond, p99 }) => `${clients}: ${perSecond.toFixed(1)}/s, ${p99.toFixed(0)} ms`,
      )
      say(`${job.name}, ${scale} times the data; clients, requests, p99: ${figures.join('; ')}`)
    }
    await closeAll()
  }
  const report = { version, seconds: (performance.now() - begun) / 1000, jobs: new Map(), rows: [], growth }
  console.log(`\n${tableOf(report)}\n`)
  if (options.json) fs.writeFileSync(options.json, `${JSON.stringify({ growth }, null, 2)}\n`)
  say(
    `${report.seconds.toFixed(0)} s; plots in ${path.relative(process.cwd(), writePage(report, path.join(out, 'growth.html')))}`,
  )
}

try {
  await (options.growth ? grow() : compare())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await closeAll()
}
