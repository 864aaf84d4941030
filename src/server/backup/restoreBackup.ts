/**
 * From a backup to a database. Everything happens in a new database beside the one that is replaced, which keeps working; only when
 * the new one holds every byte of the backup do the two swap names.
 */
import { migrate, shippedMigrations } from '../db/migrate.ts'
import { BackupRefused, verifyArchive, type Manifest } from './archive.ts'
import { isEncrypted, type Passphrase } from './encryption.ts'
import { columnList, connect, quote } from './connection.ts'
import {
  connectToMaintenance,
  createLike,
  databaseUrl,
  inspectTarget,
  lockRestores,
  replacedName,
  swapNames,
} from './databases.ts'
import type { BackupFile } from './storage.ts'
import { loadBackup } from './loadBackup.ts'
import { excludedTables } from './takeBackup.ts'

export type Restored = {
  readonly manifest: Manifest
  /** The name under which the replaced database is kept; null where there was nothing in it. */
  readonly replaced: string | null
}

type Options = {
  /** Allows replacing a database with data. */
  replace?: boolean
  /** With which the backup was encrypted. */
  passphrase?: Passphrase
  /** Takes a file that is not encrypted although there is a passphrase. */
  unencrypted?: boolean
  now: Date
  log: (message: string) => void
}

/**
 * Restores `file` as the database that `url` names, which is empty or does not exist; with `replace` it may have data and be in use.
 * @throws BackupRefused when the file is damaged or of a newer Wheelhouse, or the database may not be replaced. On any failure the
 * database stays as it was.
 */
export async function restoreBackup(
  url: string,
  file: BackupFile,
  { replace = false, passphrase = null, unencrypted = false, now, log }: Options,
): Promise<Restored> {
  log('Checking the backup …')
  if (passphrase !== null && !unencrypted && !(await isEncrypted(file)))
    throw new BackupRefused(
      `The backup ${file.name} is not encrypted, although BACKUP_KEY is set: whoever can write where it lay may have changed it. To restore it all the same: --unencrypted.`,
    )
  const manifest = await verifyArchive(file, passphrase)
  const version = schemaVersion(manifest)
  const target = await inspectTarget(url)
  if (target.hasData && !replace)
    throw new BackupRefused(
      `The database ${target.name} has data. To replace it with the backup: --replace. The present data are kept under another name.`,
    )
  const maintenance = await connectToMaintenance(url)
  const fresh = `${target.name}_restoring`
  try {
    await lockRestores(maintenance)
    await createLike(maintenance, target.name, fresh)
    const freshUrl = databaseUrl(url, fresh)
    try {
      await migrate(freshUrl, { to: version })
      log('Loading …')
      await loadBackup(freshUrl, { file, passphrase }, manifest)
      await migrate(freshUrl)
      await finish(freshUrl, url, target.exists)
      const replaced = target.hasData ? replacedName(target.name, now) : null
      await swapNames(maintenance, { url, target, fresh, replaced })
      return { manifest, replaced }
    } catch (error) {
      await maintenance.query(`drop database if exists ${quote(fresh)} with (force)`)
      throw error
    }
  } finally {
    await maintenance.end()
  }
}

/** The newest migration of a backup. @throws BackupRefused when this Wheelhouse doesn't ship the backup's migrations */
function schemaVersion({ schema }: Manifest): number {
  const version = schema.at(-1)?.version ?? 0
  const shipped = shippedMigrations()
  const newest = shipped.at(-1)?.version ?? 0
  if (version > newest)
    throw new BackupRefused(
      `The backup was made by a newer Wheelhouse (migration ${version}, this one knows ${newest}). Restore it with that one.`,
    )
  const ours = shipped.filter(migration => migration.version <= version)
  const same = ours.length === schema.length && ours.every((own, index) => own.md5 === schema[index]?.md5)
  if (!same)
    throw new BackupRefused(
      'The backup was made by another Wheelhouse: its migrations are not those that this one ships.',
    )
  return version
}

/** Makes running portals discard what they cached of the old dictionary, and analyzes the new database. */
async function finish(freshUrl: string, oldUrl: string, oldExists: boolean): Promise<void> {
  const oldVersion = oldExists ? await dictionaryVersion(oldUrl) : 0
  const client = await connect(freshUrl)
  try {
    // long sent, most of them; and a link that comes now would be one that nobody asked for
    await client.query(`select set_config('app.scope', 'system', false)`)
    await client.query(
      `update mail set given_up_at = now(), problem = 'It waited when the backup was made.' where sent_at is null and given_up_at is null`,
    )
    // an older backup may have rows of them
    await client.query(`truncate ${columnList(excludedTables)}`)
    await client.query('update dictionary set version = greatest(version, $1::bigint) + 1', [oldVersion])
    await client.query('vacuum (analyze)')
  } finally {
    await client.end()
  }
}

async function dictionaryVersion(url: string): Promise<number> {
  const client = await connect(url)
  try {
    const { rows } = await client.query<{ exists: boolean }>(
      `select to_regclass('public.dictionary') is not null as exists`,
    )
    if (!rows[0]?.exists) return 0
    return Number((await client.query('select version from dictionary')).rows[0]?.version ?? 0)
  } finally {
    await client.end()
  }
}
