/**
 * A rolling upgrade: a node of an earlier commit keeps serving while a node of this version starts and migrates.
 * Without releases, 'earlier' is the commit before each migration.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { openPortal } from '../e2e/portal.ts'
import { joinPostgres } from '../src/server/postgres/supervisor.ts'
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
