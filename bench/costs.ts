/**
 * `npm run bench:costs`: what a request takes of the portal and of PostgreSQL, in time of a core, and of the log that a replica gets; and how
 * large the data are. Time of a core hardly changes with what else the machine does, so docs/scale.md computes with it.
 */
import { child, taken, takenSince } from './coreTime.ts'
import { openFilled } from './filled.ts'
import { connections, jobOf } from './jobs.ts'
import { openGenerator, openPortal } from './portal.ts'

const wanted = ['scan', 'create', 'fleet', 'submitted', 'overdue', 'statistics', 'articles', 'booked']
const seconds = 4
const { cluster, shape, client, close } = await openFilled()
try {
  const portal = await openPortal(cluster.url)
  const generator = openGenerator()
  const [server, database] = [child('src/server/main.ts'), child('/postgres')]
  const log = async (): Promise<number> =>
    Number((await client.query<{ at: string }>(`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as at`)).rows[0]?.at)
  console.log('a request takes of the    portal   PostgreSQL   (ms of a core)      log')
  for (const name of wanted) {
    const job = jobOf(name)
    const play = (long: number) =>
      generator.load({
        job: name,
        port: portal.port,
        shape,
        connections,
        seconds: long,
        times: job.times?.(shape, connections) ?? Number.MAX_SAFE_INTEGER,
      })
    await play(1)
    await job.reset?.(client)
    const before = [taken(server), taken(database), await log()] as const
    const { requests } = await play(seconds)
    const [portalMs, databaseMs, bytes] = [
      takenSince(server, before[0]),
      takenSince(database, before[1]),
      (await log()) - before[2],
    ]
    console.log(
      `${name.padEnd(24)} ${(portalMs / requests).toFixed(2).padStart(7)} ${(databaseMs / requests).toFixed(2).padStart(12)} ${`${Math.round(bytes / requests)} B`.padStart(25)}   (${requests} requests)`,
    )
    await job.reset?.(client)
  }
  await client.query('vacuum full')
  const { rows } = await client.query<{ name: string; rows: number; size: number }>(
    `select c.relname as name, greatest(c.reltuples, 0)::int as rows, pg_total_relation_size(c.oid)::float8 as size
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and pg_total_relation_size(c.oid) > 1000000 order by 3 desc`,
  )
  console.log('\nrows and their indexes, fresh')
  for (const { name, rows: count, size } of rows)
    console.log(
      `${name.padEnd(24)} ${String(count).padStart(9)} rows ${(size / 1e6).toFixed(0).padStart(6)} MB ${(size / count).toFixed(0).padStart(6)} B a row`,
    )
  await generator.close()
  await portal.close()
} finally {
  await close()
}
