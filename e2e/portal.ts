/** The real portal for a journey: the server as `npm start` runs it, on a data directory of its own, with the demo. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { readConfig } from '../src/server/config.ts'
import { openStore } from '../src/server/db/open.ts'
import { freePort } from '../src/server/postgres/connection.ts'

/** Names the data directory of a demo that nobody runs, of which a portal without one of its own gets a copy: setup.ts. */
export const demoCopied = 'WHEELHOUSE_DEMO'

const root = fileURLToPath(new URL('..', import.meta.url))

export type Portal = {
  readonly url: string
  readonly dataDir: string
  /** What the server printed so far. */
  readonly said: readonly string[]
  /** Stops the server as Ctrl-C does, and waits for it. */
  stop(): Promise<void>
  /** Ends the server at once, as `kill -9` does; its database is left behind. */
  kill(): Promise<void>
  /** Starts it again on the same address and data. */
  start(): Promise<void>
  /** Runs a command of the server beside it (`src/server/cli/import.ts` and its like), and answers what that printed. */
  run(command: string, ...words: string[]): Promise<string>
  /** Asks or changes what no screen does, as the owner of the tables. */
  sql<R extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<R[]>
  /** Does more than that over one connection of the owner of the tables. */
  asOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T>
  /** Stops it and throws its data away. */
  close(): Promise<void>
}

/**
 * Starts the portal with the demo tyre hotel, in a directory of its own unless DATA_DIR names one. `folder` is where another
 * version of its code is.
 */
export async function openPortal(
  env: Record<string, string> = {},
  { folder = root }: { folder?: string } = {},
): Promise<Portal> {
  const dataDir = env['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'wheelhouse-journey-'))
  const demo = process.env[demoCopied]
  if (demo && Object.keys(env).length === 0)
    // with owners and rights: the database has a user of its own
    await promisify(execFile)('cp', ['-a', `${demo}/.`, dataDir])
  const port = Number(env['PORT'] ?? (await freePort()))
  const url = `http://localhost:${port}`
  const said: string[] = []
  let server: ChildProcess | null = null
  const surroundings = { ...process.env, DATA_DIR: dataDir, NODE_ENV: 'development', ...env }

  const portal: Portal = {
    url,
    dataDir,
    said,
    async start() {
      const started = spawn(process.execPath, ['src/server/main.ts'], {
        cwd: folder,
        env: { ...surroundings, HOST: 'localhost', PORT: String(port) },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      server = started
      for (const stream of [started.stdout, started.stderr])
        stream?.on('data', (data: Buffer) => said.push(data.toString()))
      const over = new AbortController()
      const ended = once(started, 'exit').then(() => {
        over.abort()
        throw new Error(`the portal ended at its start:\n${said.join('')}`)
      })
      ended.catch(() => {})
      await Promise.race([answering(url, over.signal), ended])
    },
    async stop() {
      if (!server || server.exitCode !== null || server.signalCode !== null) return
      const ended = once(server, 'exit')
      server.kill('SIGINT')
      await ended
    },
    async kill() {
      if (!server || server.exitCode !== null || server.signalCode !== null) return
      const ended = once(server, 'exit')
      server.kill('SIGKILL')
      await ended
    },
    async run(command, ...words) {
      const { stdout } = await promisify(execFile)(process.execPath, [command, ...words], {
        cwd: root,
        env: surroundings,
      })
      return stdout
    },
    sql: (text, values = []) => portal.asOwner(async client => (await client.query(text, [...values])).rows),
    async asOwner(work) {
      const store = await openStore(readConfig(surroundings), { log: () => {}, join: true })
      const client = new pg.Client({ connectionString: store.adminUrl })
      // the statement under way fails, and says so
      client.on('error', () => {})
      try {
        await client.connect()
        await client.query(`select set_config('app.scope', 'system', false)`)
        return await work(client)
      } finally {
        await client.end()
        await store.close()
      }
    },
    async close() {
      await portal.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  await portal.start()
  return portal
}

async function answering(url: string, over: AbortSignal): Promise<void> {
  for (let tries = 0; tries < 600 && !over.aborted; tries++) {
    const ready = await fetch(`${url}/health/ready`).then(
      reply => reply.ok,
      () => false,
    )
    if (ready) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error('the portal did not answer within a minute')
}
