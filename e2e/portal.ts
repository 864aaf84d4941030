/** The real portal for a journey: the server as `npm start` runs it, on a data directory of its own, with the demo. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { readConfig } from '../src/server/config.ts'
import { openHouse } from '../src/server/house.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export type Portal = {
  readonly url: string
  readonly dataDir: string
  /** What the server printed so far. */
  readonly said: readonly string[]
  /** Stops the server as Ctrl-C does, and waits for it. */
  stop(): Promise<void>
  /** Starts it again on the same address and data. */
  start(): Promise<void>
  /** Runs a command of the server beside it (`src/server/import.ts` and its like), and answers what that printed. */
  run(command: string, ...words: string[]): Promise<string>
  /** Changes what no screen changes, as the owner of the tables. */
  sql(text: string, values?: readonly unknown[]): Promise<void>
  /** Stops it and throws its data away. */
  close(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Starts the portal with the demo tyre hotel. */
export async function openPortal(env: Record<string, string> = {}): Promise<Portal> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wheelhouse-journey-'))
  const port = await freePort()
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
        cwd: root,
        env: { ...surroundings, HOST: 'localhost', PORT: String(port) },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      server = started
      for (const stream of [started.stdout, started.stderr])
        stream?.on('data', (data: Buffer) => said.push(data.toString()))
      const ended = once(started, 'exit').then(() => {
        throw new Error(`the portal ended at its start:\n${said.join('')}`)
      })
      ended.catch(() => {})
      await Promise.race([answering(url), ended])
    },
    async stop() {
      if (!server || server.exitCode !== null) return
      const ended = once(server, 'exit')
      server.kill('SIGINT')
      await ended
    },
    async run(command, ...words) {
      const { stdout } = await promisify(execFile)(process.execPath, [command, ...words], {
        cwd: root,
        env: surroundings,
      })
      return stdout
    },
    async sql(text, values = []) {
      const house = await openHouse(readConfig(surroundings), { log: () => {}, join: true })
      const client = new pg.Client({ connectionString: house.adminUrl })
      try {
        await client.connect()
        await client.query(`select set_config('app.scope', 'system', false)`)
        await client.query(text, [...values])
      } finally {
        await client.end()
        await house.close()
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

async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const ready = await fetch(`${url}/health/ready`).then(
      reply => reply.ok,
      () => false,
    )
    if (ready) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error('the portal did not answer within a minute')
}
