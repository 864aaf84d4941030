/** Vitest's global set-up: one PostgreSQL for a run, with a migrated database that every test file gets a copy of. */
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../db/migrate.ts'
import { joinPostgres, startPostgres } from '../postgres/supervisor.ts'
import type { TestServer } from './database.ts'

export type Running = TestServer & { end(): Promise<void> }

/** Every project of a run loads this file for itself, and all of them share one server. */
const run = globalThis as { wheelhouseTestServer?: { server: Promise<Running>; users: number } }

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = (run.wheelhouseTestServer ??= { server: openTestServer(), users: 0 })
  shared.users++
  const { adminUrl, template, appRole, appPassword } = await shared.server
  project.provide('testServer', { adminUrl, template, appRole, appPassword })
  return async () => {
    if (--shared.users > 0) return
    delete run.wheelhouseTestServer
    await (await shared.server).end()
  }
}

/** A PostgreSQL with a migrated database to copy, shared by all callers; `end` takes it away with all that was made on it. */
export function openTestServer(): Promise<Running> {
  const url = process.env['TEST_DATABASE_URL']
  return url ? onServer(url) : embedded()
}

/** A server of our own in a temporary directory, without fsync: a test database needs no power cut to survive. */
async function embedded(): Promise<Running> {
  await sweep()
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), `wheelhouse-test-${process.pid}-`))
  fs.chmodSync(dataDir, 0o711)
  const clean = () => fs.rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  // Ctrl-C ends Vitest without its tear-down. The server itself is ended by its supervisor's own listener.
  process.once('exit', clean)
  const postgres = await startPostgres({ dataDir, unsafe: true, log: () => {} })
  await migrate(postgres.adminUrl)
  await planOnce(postgres.adminUrl)
  const app = new URL(postgres.appUrl)
  return {
    adminUrl: postgres.adminUrl,
    template: new URL(postgres.adminUrl).pathname.slice(1),
    appRole: app.username,
    appPassword: app.password,
    async end() {
      await postgres.stop()
      process.removeListener('exit', clean)
      clean()
    },
  }
}

/** A test asks most statements a few times only: without this, planning them anew each time takes most of a run. */
async function planOnce(adminUrl: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query('alter system set plan_cache_mode = force_generic_plan')
    await client.query('select pg_reload_conf()')
  } finally {
    await client.end()
  }
}

/** Ends and removes what runs that were killed have left behind. */
async function sweep(): Promise<void> {
  for (const entry of fs.readdirSync(os.tmpdir())) {
    const pid = /^wheelhouse-test-(\d+)-/.exec(entry)?.[1]
    const dataDir = path.join(os.tmpdir(), entry)
    if (!pid || isRunning(Number(pid)) || fs.statSync(dataDir).uid !== process.getuid?.()) continue
    try {
      await (await joinPostgres({ dataDir, unsafe: true, log: () => {} })).stop()
    } catch {
      // It was killed before it was whole, or while it was being removed: there is nothing to end.
    }
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A server that is there already; the connecting user may make databases and roles. */
async function onServer(url: string): Promise<Running> {
  const template = `wheelhouse_test_${process.pid}_${randomBytes(3).toString('hex')}`
  const appPassword = randomBytes(16).toString('hex')
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const adminUrl = Object.assign(new URL(url), { pathname: `/${template}` }).href
    await client.query(`create database ${template} template template0 encoding 'UTF8'`)
    await migrate(adminUrl)
    // The role itself can't log in here; one that is nothing but a member of it can.
    await client.query(`create role ${template} login password '${appPassword}' in role wheelhouse_app`)
    return {
      adminUrl,
      template,
      appRole: template,
      appPassword,
      async end() {
        const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [
          template,
        ])
        for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`)
        await client.query(`drop role ${template}`)
        await client.end()
      },
    }
  } catch (error) {
    await client.end()
    throw error
  }
}
