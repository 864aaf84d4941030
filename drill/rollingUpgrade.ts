/**
 * A rolling upgrade: a node of an earlier commit keeps serving while a node of this version starts and migrates.
 * Without releases, 'earlier' is the commit before each migration.
 */
import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { openPortal } from '../e2e/portal.ts'
import { joinPostgres, startPostgres } from '../src/server/postgres/supervisor.ts'
import type { Tally } from './drill.ts'
import { Writers } from './kills.ts'

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)
const git = async (...args: string[]): Promise<string> => (await run('git', args, { cwd: root })).stdout.trim()

/** The last commit before each of the newest migrations, the newest first; none in a clone without history. */
export async function earlierCommits(limit: number): Promise<string[]> {
  try {
    const added = await git('log', '--diff-filter=A', '--format=%H', '--', 'db/migrations')
    const commits = await Promise.all(
      added
        .split('\n')
        .filter(Boolean)
        .slice(0, limit)
        .map(commit => git('rev-parse', '--verify', `${commit}^`)),
    )
    return commits
  } catch {
    return []
  }
}

/** Checks out a commit and installs its packages. */
async function checkout(commit: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-earlier-'))
  await run('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', commit, folder], { cwd: root })
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder })
  await run(process.execPath, [join(folder, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn'], {
    cwd: folder,
  })
  return folder
}

/**
 * Four clients use a portal of an earlier commit while a portal of this version starts on the same database. Every
 * acknowledged write exists, and no request was refused. @returns a summary
 */
export async function upgradeBeside(commit: string, checks: Tally): Promise<string> {
  const name = commit.slice(0, 7)
  const folder = await checkout(commit)
  const dataDir = mkdtempSync(join(tmpdir(), 'wheelhouse-older-'))
  const older = await openPortal({ DATA_DIR: dataDir }, { folder })
  const { adminUrl, appUrl } = await joinPostgres({ dataDir, log: () => {} })
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query(`select set_config('app.scope', 'system', false)`)
  // not through a portal, which would migrate before the new node does
  const ownerConnection = {
    sql: async <R extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      (await client.query<R>(text, [...values])).rows,
    asOwner: <T>(work: (client: pg.Client) => Promise<T>) => work(client),
  }
  const migrations = async (): Promise<number> =>
    Number((await ownerConnection.sql<{ n: string }>('select max(version) as n from migration.applied'))[0]?.n)
  let newer: Awaited<ReturnType<typeof openPortal>> | undefined
  const writers = new Writers({ ...ownerConnection, url: older.url })
  try {
    const from = await migrations()
    // more continuous writers than any site has: the migration waits until a table is not in use
    await writers.start(4)
    await pause(4000)
    newer = await openPortal({ DATABASE_URL: adminUrl, DATABASE_APP_URL: appUrl })
    const to = await migrations()
    checks.check(`${name}: the new node migrates`, to > from ? null : `from ${from} to ${to}`)
    await pause(8000)
    await writers.stop()
    checks.add(
      writers.ledger.acknowledged,
      writers.refusals.map(trouble => `${name}, the old node: ${trouble}`),
    )
    await writers.verify(`${name}: what the old node acknowledged`, checks)
    return `${name}: ${writers.ledger.acknowledged} writes at the old node, migrations ${from} to ${to}`
  } finally {
    await writers.stop().catch(() => {})
    await client.end()
    await newer?.stop()
    await older.close()
    rmSync(folder, { recursive: true, force: true })
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** This version of the code with these migrations more, as a folder. */
function laterVersion(migrations: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-later-'))
  for (const name of ['src', 'db', 'texts', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  for (const name of ['node_modules', 'dist', 'bin']) symlinkSync(join(root, name), join(folder, name))
  for (const [name, sql] of Object.entries(migrations)) writeFileSync(join(folder, 'db', 'migrations', name), sql)
  return folder
}

/** Within how many ms a node stops that may not go on. */
const stopsWithinMs = 10_000

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/**
 * A node of this version beside one that is newer. It goes on, and starts again, when the migration of the newer one does not say that it
 * may not; else it stops within seconds and does not start. @returns a summary
 */
export async function stopTheVersionBefore(checks: Tally): Promise<string> {
  const additive = { '9001_later.sql': 'select 1;\n' }
  const reason = 'it does not know which accounts are restricted'
  const ending = { ...additive, '9002_rights.sql': `-- the version before may not go on: ${reason}\nselect 1;\n` }
  const folders = [laterVersion(additive), laterVersion(ending)] as const
  const directory = mkdtempSync(join(tmpdir(), 'wheelhouse-apart-'))
  chmodSync(directory, 0o711)
  const postgres = await startPostgres({ dataDir: join(directory, 'data'), log: () => {} })
  const env = { DATABASE_URL: postgres.adminUrl, DATABASE_APP_URL: postgres.appUrl, SECRET_KEY: 'x'.repeat(32) }
  const portals: Awaited<ReturnType<typeof openPortal>>[] = []
  const open = async (folder?: string) => {
    const portal = await openPortal(env, { ...(folder && { folder }), copied: false })
    portals.push(portal)
    return portal
  }
  try {
    const older = await open()
    await open(folders[0])
    await pause(stopsWithinMs)
    checks.check('a newer schema that says nothing: the node', isAlive(older.pid()) ? null : 'stopped')
    await older.stop()
    const refused = await older.start().then(
      () => null,
      (error: Error) => error.message,
    )
    checks.check('a newer schema that says nothing: the node starts again', refused)
    const words = older.output.join('')
    checks.check('and says that it is older', /may go on serving until/.test(words) ? null : words.slice(-300))

    await open(folders[1])
    const begun = performance.now()
    while (isAlive(older.pid()) && performance.now() - begun < stopsWithinMs) await pause(50)
    const seconds = (performance.now() - begun) / 1000
    checks.check('a newer schema that ends the version before: the node', isAlive(older.pid()) ? 'goes on' : null)
    checks.check('it says why', older.output.join('').includes(reason) ? null : older.output.join('').slice(-300))
    const started = await older.start().then(
      () => 'it starts',
      (error: Error) => (error.message.includes(reason) ? null : error.message.slice(-300)),
    )
    checks.check('it does not start again, and says why', started)
    return `an older node stopped ${seconds.toFixed(1)} s after the start of a newer one that ends it`
  } finally {
    for (const portal of portals.toReversed()) await portal.close()
    await postgres.stop()
    for (const folder of [...folders, directory]) rmSync(folder, { recursive: true, force: true })
  }
}
