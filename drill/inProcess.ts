/**
 * The portal with the demo in this process: no network, for drills with tens of thousands of requests. The database is
 * a real one, without fsync: no drill here cuts the power.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { loadDemo } from '../db/demo/load.ts'
import { readConfig } from '../src/server/config.ts'
import type { Database } from '../src/server/db/database.ts'
import { mountHealth } from '../src/server/http/health.ts'
import { openStore } from '../src/server/db/open.ts'
import { mountDocs } from '../src/server/http/openapi.ts'
import { mountPages } from '../src/server/http/pages.ts'
import { serve, type ServeOptions } from '../src/server/http/serve.ts'
import { invalidateSessions } from '../src/server/features/session/sessions.ts'
import { invalidateSites, mountImages } from '../src/server/features/sites/sites.ts'

export type InProcessPortal = {
  readonly app: FastifyInstance
  readonly database: Database
  /** Runs SQL as the owner of the tables. */
  sql<R extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<R[]>
  /** The cookie of a new session of a demo account; `site` is its number. */
  signIn(username: string, site: number | null): Promise<string>
  /** Starts another server on the same database. */
  startAnother(options?: Partial<ServeOptions>): Promise<FastifyInstance>
  close(): Promise<void>
}

/** Starts it. Rate limits and queues are off unless `options` enable them: a drill makes more requests than they allow. */
export async function openInProcess(options: Partial<ServeOptions> = {}): Promise<InProcessPortal> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wheelhouse-inside-'))
  const config = readConfig({ DATA_DIR: dataDir, ALLOW_UNSAFE_DATABASE: 'yes' })
  const store = await openStore(config, { log: () => {} })
  const { database } = store
  const owner = new pg.Client({ connectionString: store.adminUrl })
  await owner.connect()
  await owner.query(`select set_config('app.scope', 'system', false)`)
  await loadDemo({ client: owner, now: new Date() })
  const apps: FastifyInstance[] = []

  const portal: InProcessPortal = {
    database,
    app: await build(options),
    sql: async (text, values = []) => (await owner.query(text, [...values])).rows,
    async signIn(username, site) {
      const token = randomBytes(32).toString('base64url')
      await owner.query(
        `insert into session (token_hash, account_id, site_id, created_at, seen_at)
         select $1, id, site_id, now(), now() from account where username = $2 and site_id is not distinct from $3`,
        [createHash('sha256').update(token).digest(), username, site],
      )
      return `wheelhouse=${token}`
    },
    startAnother: build,
    async close() {
      for (const app of apps) await app.close()
      await owner.end()
      await store.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  return portal

  async function build(options: Partial<ServeOptions> = {}): Promise<FastifyInstance> {
    invalidateSites(database)
    invalidateSessions(database)
    const app = await serve({ database, checkAnswers: true, limits: null, queues: null, ...options })
    mountImages(app, database)
    mountHealth(app, database)
    await mountDocs(app)
    await mountPages(app, { database })
    await app.ready()
    apps.push(app)
    return app
  }
}
