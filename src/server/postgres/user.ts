/** The system user that PostgreSQL runs as, and which directories that user can reach. */
import fs from 'node:fs'
import path from 'node:path'
import { run } from './platform.ts'
import { type Log, StartRefused } from './startup.ts'

/** A system user. Where one is optional, undefined means the user that this process runs as. */
export type User = { readonly name: string; readonly uid: number; readonly gid: number }

/** The system user that is created for the database. */
const systemUser = 'wheelhouse'
/** Holds what the database's user must reach while the project or its data lie in a directory closed to that user. */
export const sharedDir = '/var/lib/wheelhouse'

/**
 * PostgreSQL refuses to run as root. As root: the owner of an existing cluster, else the system user `wheelhouse`, made when
 * missing; where no user can be created, an existing unprivileged one. Not as root: undefined, the portal's own user.
 * @throws StartRefused when no such user exists, or the cluster belongs to another user.
 */
export async function databaseUser(clusterDir: string, log: Log): Promise<User | undefined> {
  const uid = process.getuid?.()
  const owner = fs.statSync(clusterDir, { throwIfNoEntry: false })
  if (uid === undefined) return undefined
  if (uid !== 0) {
    if (owner && owner.uid !== uid)
      throw new StartRefused(
        `The database in ${clusterDir} belongs to the user with id ${owner.uid}. Start Wheelhouse as that user or as root, or set DATA_DIR to another directory.`,
      )
    return undefined
  }
  if (owner && owner.uid !== 0) return { name: `with id ${owner.uid}`, uid: owner.uid, gid: owner.gid }
  const user = (await findUser(systemUser)) ?? (await createUser()) ?? (await fallbackUser(log))
  // A cluster that root has copied or restored belongs to root by accident.
  if (owner) chownAll(clusterDir, user)
  return user
}

async function findUser(name: string): Promise<User | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    return { name, uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

async function createUser(): Promise<User | undefined> {
  try {
    await run('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      sharedDir,
      '--shell',
      '/usr/sbin/nologin',
      systemUser,
    ])
  } catch {
    // No useradd, or the list of users is read-only; another process may have created the user at the same moment.
  }
  return findUser(systemUser)
}

async function fallbackUser(log: Log): Promise<User> {
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const user = await findUser(name)
    if (!user || user.uid === 0) continue
    log(`The system user ${systemUser} can't be created, so the database runs as ${name}.`)
    return user
  }
  throw new StartRefused(
    `The database can't run as root, and the system user ${systemUser} can't be created. Start Wheelhouse as another user, or name a PostgreSQL server in DATABASE_URL.`,
  )
}

/** The first directory on the way to `dir` that the user may not enter; undefined when the user can reach `dir`. */
export function firstClosed(dir: string, user: User): string | undefined {
  let current = path.parse(dir).root
  for (const step of ['', ...fs.realpathSync(dir).slice(current.length).split(path.sep)]) {
    current = path.join(current, step)
    const { uid, gid, mode } = fs.statSync(current)
    const executable = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if (!(mode & executable)) return current
  }
  return undefined
}

function chownAll(dir: string, user: User): void {
  fs.lchownSync(dir, user.uid, user.gid)
  for (const entry of fs.readdirSync(dir, { withFileTypes: true, recursive: true }))
    fs.lchownSync(path.join(entry.parentPath, entry.name), user.uid, user.gid)
}
