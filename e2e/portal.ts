/** The real portal for a journey: the server as `npm start` runs it, on its own data directory, with the demo. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import portalProcess from '../bin/lib/portalProcess.json' with { type: 'json' }
import { readConfig } from '../src/server/config.ts'
import { openStore } from '../src/server/db/open.ts'
import { freePort } from '../src/server/postgres/connection.ts'

/** The environment variable with the folder of a demo that new portals copy: setup.ts. */
export const demoTemplateVar = 'WHEELHOUSE_DEMO'
/** The content of that folder: the data directory while it is made, the complete one, and the error if there is none. */
export const demoIn = (folder: string) => ({
  making: join(folder, 'making'),
  complete: join(folder, 'made'),
  failed: join(folder, 'failed'),
})

/** The data directory of the demo, once it is whole. */
async function demoOf(folder: string): Promise<string> {
  const { complete, failed } = demoIn(folder)
  while (!existsSync(complete)) {
    if (existsSync(failed)) throw new Error(`the demo could not be made: ${readFileSync(failed, 'utf8')}`)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return complete
}

const root = fileURLToPath(new URL('..', import.meta.url))

export type Portal = {
  readonly url: string
  readonly dataDir: string
  /** The process of the server. */
  readonly pid: () => number
  /** The output of the server so far. */
  readonly output: readonly string[]
  /** Stops the server as Ctrl-C does, and waits for it. */
  stop(): Promise<void>
  /** Ends the server at once, as `kill -9` does; its database keeps running. */
  kill(): Promise<void>
  /** Starts it again on the same address and data, if it does not run. */
  start(): Promise<void>
  /** Runs a command of the server beside it, such as `src/server/cli/import.ts`, and returns its output. */
  run(command: string, ...args: string[]): Promise<string>
  /** Runs SQL as the owner of the tables. */
  sql<R extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<R[]>
  /** Runs several statements over one connection of the owner of the tables. */
  asOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T>
  /** Stops it and deletes its data. */
  close(): Promise<void>
}

/**
 * Starts the portal with the demo tyre hotel, in a new directory unless DATA_DIR names one. `folder` has another
 * version of the code. `copied`: it starts with a copy of the prepared demo.
 */
export async function openPortal(
  env: Record<string, string> = {},
  { folder = root, copied = Object.keys(env).length === 0 }: { folder?: string; copied?: boolean } = {},
): Promise<Portal> {
  const dataDir = env['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'wheelhouse-journey-'))
  const demo = process.env[demoTemplateVar]
  if (demo && copied)
    // with owners and permissions: the database has its own user
    await promisify(execFile)('cp', ['-a', `${await demoOf(demo)}/.`, dataDir])
  const port = Number(env['PORT'] ?? (await freePort()))
  const url = `http://localhost:${port}`
  const output: string[] = []
  let server: ChildProcess | null = null
  const serverEnv = {
    ...process.env,
    ...portalProcess.env,
    DATA_DIR: dataDir,
    NODE_ENV: 'development',
    // journeys look for what exists once; prerender.test.ts is about pages that show a screen twice for a moment
    PRERENDER: process.env.PRERENDER ?? 'no',
    ...env,
  }

  const portal: Portal = {
    url,
    dataDir,
    output,
    pid: () => server?.pid ?? 0,
    async start() {
      if (isRunning(server)) return
      const started = spawn(process.execPath, [...portalProcess.flags, 'src/server/main.ts'], {
        cwd: folder,
        env: { ...serverEnv, HOST: 'localhost', PORT: String(port) },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      server = started
      for (const stream of [started.stdout, started.stderr])
        stream?.on('data', (data: Buffer) => output.push(data.toString()))
      const stopped = new AbortController()
      const ended = once(started, 'exit').then(() => {
        stopped.abort()
        throw new Error(`the portal ended at its start:\n${output.join('')}`)
      })
      ended.catch(() => {})
      await Promise.race([waitUntilReady(url, stopped.signal), ended])
    },
    async stop() {
      if (!isRunning(server)) return
      const ended = once(server, 'exit')
      server.kill('SIGINT')
      await ended
    },
    async kill() {
      if (!isRunning(server)) return
      const ended = once(server, 'exit')
      server.kill('SIGKILL')
      await ended
    },
    async run(command, ...args) {
      const running = promisify(execFile)(process.execPath, [command, ...args], { cwd: root, env: serverEnv })
      // one that asks for a password reads an empty one, and makes one up
      running.child.stdin?.end()
      return (await running).stdout
    },
    sql: (text, values = []) => portal.asOwner(async client => (await client.query(text, [...values])).rows),
    async asOwner(work) {
      const store = await openStore(readConfig(serverEnv), { log: () => {}, join: true })
      const client = new pg.Client({ connectionString: store.adminUrl, options: '-c TimeZone=Europe/Brussels' })
      // the running statement fails and reports it
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

/** The environment of a portal that serves the demo in production. */
export const inProduction = { NODE_ENV: 'production', ALLOW_DEMO: 'yes' }

/**
 * Starts the portal with the demo as a business runs it: rows and answers are not compared with their schemas. The demo itself is
 * made in development.
 */
export async function openPortalInProduction(env: Record<string, string> = {}): Promise<Portal> {
  const demoMaker = await openPortal()
  await demoMaker.stop()
  return openPortal({ ...inProduction, DATA_DIR: demoMaker.dataDir, ...env })
}

const isRunning = (server: ChildProcess | null): server is ChildProcess =>
  server !== null && server.exitCode === null && server.signalCode === null

async function waitUntilReady(url: string, stopped: AbortSignal): Promise<void> {
  for (let tries = 0; tries < 3000 && !stopped.aborted; tries++) {
    const ready = await fetch(`${url}/health/ready`).then(
      reply => reply.ok,
      () => false,
    )
    if (ready) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error('the portal did not answer within five minutes')
}
