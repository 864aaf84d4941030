/** The embedded PostgreSQL's cluster: everything that must exist before its server can start, and the server's settings. */
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { findBinaries, processOptions, program } from './binaries.ts'
import { type Keys, ownerRole } from './connection.ts'
import { clusterDirOf, createDatabaseDir } from './directories.ts'
import { isWindows, run } from './platform.ts'
import { type Log, StartRefused } from './startup.ts'
import { databaseUser, type User } from './user.ts'
import { untilNoneWorksIn } from './workingIn.ts'

export type Cluster = {
  /** The real path of the directory of everything that PostgreSQL must reach. */
  readonly databaseDir: string
  /** PostgreSQL's own data directory, inside `databaseDir`. */
  readonly clusterDir: string
  /** PostgreSQL's `bin`, `lib` and `share`. */
  readonly binariesDir: string
  readonly user: User | undefined
}

/**
 * Finds the cluster of a data directory that this process has locked, or creates it, with binaries and a user to run it.
 * @throws StartRefused with instructions.
 */
export async function prepareCluster(
  dataDir: string,
  { unsafe, log, signal }: { unsafe: boolean; log: Log; signal: AbortSignal | undefined },
): Promise<Cluster> {
  const user = await databaseUser(clusterDirOf(dataDir), log)
  const databaseDir = createDatabaseDir(dataDir, user, log)
  const clusterDir = path.join(databaseDir, 'cluster')
  const cluster = { databaseDir, clusterDir, binariesDir: findBinaries(user, dataDir, log), user }
  if (!fs.existsSync(path.join(clusterDir, 'PG_VERSION'))) await initialise(cluster, { unsafe, log, signal })
  refuseOtherMajor(cluster)
  // PostgreSQL refuses what others may read, and a copy that was restored may be that.
  fs.chmodSync(clusterDir, 0o700)
  return cluster
}

/** Creates the cluster under another name and renames it when it is complete: a start that was killed half-way leaves nothing behind. */
async function initialise(
  cluster: Cluster,
  { unsafe, log, signal }: { unsafe: boolean; log: Log; signal: AbortSignal | undefined },
): Promise<void> {
  log('Creating the database.')
  const { databaseDir, clusterDir, user } = cluster
  const unfinished = `${clusterDir}.new`
  const keys: Keys = { owner: randomBytes(24).toString('hex'), application: randomBytes(24).toString('hex') }
  try {
    await runInitdb(cluster, unfinished, { password: keys.owner, unsafe, signal })
    signal?.throwIfAborted()
  } catch (error) {
    // initdb ends a moment after it was told to, and the server that it has begun after that
    await untilNoneWorksIn(databaseDir)
    await untilNoneWorksIn(unfinished)
    fs.rmSync(unfinished, { recursive: true, force: true })
    throw error
  }
  const file = path.join(unfinished, 'keys.json')
  fs.writeFileSync(file, JSON.stringify(keys), { mode: 0o600, flag: 'wx', flush: true })
  if (user) fs.chownSync(file, user.uid, user.gid)
  fs.rmSync(clusterDir, { recursive: true, force: true })
  fs.renameSync(unfinished, clusterDir)
  if (!isWindows && !unsafe) for (const dir of [clusterDir, databaseDir]) syncDir(dir)
}

async function runInitdb(
  { databaseDir, binariesDir, user }: Cluster,
  target: string,
  { password, unsafe, signal }: { password: string; unsafe: boolean; signal: AbortSignal | undefined },
): Promise<void> {
  const passwordFile = path.join(databaseDir, 'password')
  fs.rmSync(target, { recursive: true, force: true })
  fs.rmSync(passwordFile, { force: true })
  fs.mkdirSync(target, { mode: 0o700 })
  fs.writeFileSync(passwordFile, password, { mode: 0o600, flag: 'wx' })
  if (user) for (const file of [target, passwordFile]) fs.chownSync(file, user.uid, user.gid)
  const flags = [
    `--pgdata=${target}`,
    `--username=${ownerRole}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    // Without all four, initdb takes the encoding from the environment and creates SQL_ASCII under LANG=C.
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--data-checksums',
    '--no-instructions',
    ...(unsafe ? ['--no-sync'] : []),
  ]
  try {
    // its SIGTERM: initdb ends, with the server that it tries
    await run(program(binariesDir, 'initdb'), flags, {
      ...processOptions(databaseDir, user),
      ...(signal && { signal }),
    })
  } catch (error) {
    signal?.throwIfAborted()
    const { stderr, message } = error as { stderr?: string; message: string }
    throw new StartRefused(`The database can't be created in ${databaseDir}: ${stderr?.trim() || message}`, {
      cause: error,
    })
  } finally {
    fs.rmSync(passwordFile, { force: true })
  }
}

function syncDir(dir: string): void {
  const handle = fs.openSync(dir, 'r')
  fs.fsyncSync(handle)
  fs.closeSync(handle)
}

/** @throws StartRefused when they can't be read */
export function readKeys(clusterDir: string): Keys {
  const file = path.join(clusterDir, 'keys.json')
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Keys
  } catch (error) {
    throw new StartRefused(`The passwords of the database can't be read from ${file}: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}

function refuseOtherMajor({ clusterDir, binariesDir }: Cluster): void {
  const created = fs.readFileSync(path.join(clusterDir, 'PG_VERSION'), 'utf8').trim()
  const header = fs.readFileSync(path.join(binariesDir, 'share', 'postgresql', 'postgres.bki'), 'utf8').slice(0, 40)
  const major = /^# PostgreSQL (\d+)/.exec(header)?.[1]
  if (major && major !== created)
    throw new StartRefused(
      `The database in ${clusterDir} was created by PostgreSQL ${created}, and this Wheelhouse brings PostgreSQL ${major}. Start the Wheelhouse that created it, make a backup there, and restore that here.`,
    )
}

const megabytes = (low: number, value: number, high: number) => `${Math.round(Math.min(high, Math.max(low, value)))}MB`

/** PostgreSQL's settings for this machine. The stock ones suit a very small one and cost 13 to 25 % on large answers. */
export function machineSettings(): Record<string, string> {
  const mb = 1024 * 1024
  const limit = process.constrainedMemory()
  const memory = (limit > 0 && limit < os.totalmem() ? limit : os.totalmem()) / mb
  return {
    max_connections: '100',
    shared_buffers: megabytes(64, memory / 4, 4096),
    effective_cache_size: megabytes(256, memory / 2, 65_536),
    work_mem: megabytes(4, memory / 256, 32),
    maintenance_work_mem: megabytes(32, memory / 32, 512),
    random_page_cost: '1.1',
    jit: 'off',
    checkpoint_timeout: '15min',
    max_wal_size: '2GB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The portal logs why its statements fail. Here, business data refused by a constraint would end up in a second log.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
  }
}
