/** The data set of the benchmark in a PostgreSQL of its own, for every benchmark that asks it. */
import pg from 'pg'
import { migrate } from '../src/server/db/migrate.ts'
import { openCluster, type Cluster } from './cluster.ts'
import { fill, type Shape } from './data.ts'
import { recordBaseline } from './jobs.ts'

export type Filled = {
  readonly cluster: Cluster
  readonly shape: Shape
  /** A connection of the owner of everything. */
  readonly client: pg.Client
  close(): Promise<void>
}

/** Fills a new database, so many times its usual size. An unfinished one is removed when that fails, or when the benchmark is ended. */
export async function openFilled(
  scale = 1,
  { say = () => {} }: { say?: (sentence: string) => void } = {},
): Promise<Filled> {
  const cluster = await openCluster()
  try {
    say(`PostgreSQL ${cluster.version}: making the data set${scale === 1 ? '' : `, ${scale} times`} …`)
    await migrate(cluster.url)
    const shape = await fill(cluster.url, scale)
    const client = new pg.Client({ connectionString: cluster.url })
    await client.connect()
    await recordBaseline(client)
    return {
      cluster,
      shape,
      client,
      async close() {
        await client.end()
        await cluster.close()
      },
    }
  } catch (error) {
    await cluster.close()
    throw error
  }
}
