/**
 * `npm run manage -- doctor`: looks at everything that an operator would have to look at one by one, and says what to do. It reads only,
 * but for a file that it writes into the folder of backups and removes again.
 */
import { statfs, writeFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import about from '../../../../package.json' with { type: 'json' }
import { openFolder } from '../../backup/files.ts'
import { isLate } from '../../backup/nightly.ts'
import { latestBackup } from '../../backup/nightly.sql.ts'
import { backupAccess, labelPrintersOf, type Config } from '../../config.ts'
import { newestSchema } from '../../db/newestSchema.ts'
import { latestUpgradeOf, whyNotServe } from '../../db/serving.ts'
import type { Row, Statement } from '../../db/statement.ts'
import { portalVersion } from '../../version.ts'
import { findingsAbout, type Finding } from './finding.ts'
import { examineFront, examineMail } from './network.ts'
import * as sql from './doctor.sql.ts'

type Patient = {
  readonly config: Config
  /** A connection of the owner of the tables. */
  readonly client: pg.Client
  readonly now: () => Date
  /** An authority of certificates more, for tests. */
  readonly ca?: string | undefined
}

/** Everything that there is to find, in the order of `examinations`. What can't be looked at is a fault by itself. */
export async function examine(patient: Patient): Promise<Finding[]> {
  const { client, config } = patient
  await client.query(`select set_config('app.scope', 'system', false)`)
  const findings: Finding[] = []
  // one connection: one after the other
  for (const look of [
    examineSettings,
    examineVersions,
    examineSchema,
    examineConnections,
    examineDisk,
    examineClock,
    () => examineMail(config),
    examineBackupStore,
    examineBackups,
    () => examineFront(config, patient),
    examineTimeZones,
    examineStatements,
    examineBloat,
    examineJobs,
  ])
    findings.push(...(await look(patient)))
  return findings
}

/** A statement of the doctor, which runs as the owner and not in the portal's pool. */
async function rowsOf<S extends Pick<Statement, 'text'>>(client: pg.Client, { text }: S): Promise<Row<S>[]> {
  return (await client.query(text)).rows as Row<S>[]
}

async function examineSettings({ config, client }: Patient): Promise<Finding[]> {
  const { warn, fault, all } = findingsAbout('settings', 'All settings are usable and fit each other.')
  const production = config.NODE_ENV === 'production'
  if (!production)
    warn(
      'settings.development',
      'NODE_ENV is not production: answers are checked twice, and an empty database is filled with the demo.',
      'Set NODE_ENV=production.',
    )
  if (config.ALLOW_UNSAFE_DATABASE)
    fault('settings.unsafe', 'ALLOW_UNSAFE_DATABASE is set: a power cut loses what was acknowledged.', 'Remove it.')
  if (config.ALLOW_DEMO)
    warn(
      'settings.demo',
      'ALLOW_DEMO is set: everybody may sign in with the password of the demo.',
      'Remove it, unless this is a demo.',
    )
  if (config.DATABASE_URL !== undefined && config.SECRET_KEY === undefined)
    warn(
      'settings.key',
      'SECRET_KEY is not set: no authenticator app, single sign-on or webhook can be set up.',
      'Set it to what openssl rand -base64 32 prints, the same on every node.',
    )
  const sites = new Set((await rowsOf(client, sql.siteCodes)).map(({ code }) => code))
  if (sites.size === 0)
    warn('settings.site', 'There is no site yet.', 'npm run manage -- site CODE --name NAME --email ADDRESS')
  if (config.DEFAULT_SITE !== undefined && !sites.has(config.DEFAULT_SITE))
    fault(
      'settings.default_site',
      `DEFAULT_SITE is ${config.DEFAULT_SITE}, and no site has this code.`,
      `Set it to one of: ${[...sites].slice(0, 20).join(', ')}.`,
    )
  const elsewhere = labelPrintersOf(config).find(({ site }) => !sites.has(site))
  if (elsewhere)
    warn(
      'settings.printer',
      `LABEL_PRINTERS gives the printer ${elsewhere.name} to ${elsewhere.site}, and no site has this code.`,
      'Correct the code.',
    )
  return all()
}

async function examineVersions({ client }: Patient): Promise<Finding[]> {
  const [{ name = '', number = 0 } = {}] = await rowsOf(client, sql.serverVersion)
  const wanted = about.devDependencies.node
  const { warn, fault, note, all } = findingsAbout('versions', '')
  const [major] = process.versions.node.split('.')
  if (Number(major) < Number(wanted.split('.')[0]))
    fault(
      'versions.node',
      `Node is ${process.versions.node}, and the portal needs ${wanted}.`,
      'Start it with npm start, or install that Node.',
    )
  else if (process.versions.node !== wanted)
    warn(
      'versions.node',
      `Node is ${process.versions.node}, and the portal is tested with ${wanted}.`,
      'Install that one.',
    )
  if (number < 150_000)
    fault('versions.postgres', `PostgreSQL is ${name}, and the portal needs 15 or newer.`, 'Upgrade the server.')
  note('versions', `Wheelhouse ${portalVersion}, Node ${process.versions.node}, PostgreSQL ${name}.`)
  return all()
}

async function examineSchema({ client }: Patient): Promise<Finding[]> {
  const newest = newestSchema()
  // no statement of statement(): the application may not read it
  const { rows } = await client.query<{ schema: number }>('select max(version)::int as schema from migration.applied')
  const schema = rows[0]?.schema ?? 0
  const latest = await latestUpgradeOf(client)
  const { warn, fault, all } = findingsAbout('schema', `The schema is ${schema}, as this version has it.`)
  const refusal = whyNotServe(newest, latest)
  if (refusal !== null) fault('schema.newer', refusal)
  else if (schema > newest)
    warn(
      'schema.ahead',
      `The schema is ${schema}, and this version knows it up to ${newest}.`,
      'Install the newer version here, too.',
    )
  if (schema < newest)
    warn(
      'schema.older',
      `The schema is ${schema}, and this version has ${newest}.`,
      'Start the portal: it migrates the database.',
    )
  return all()
}

async function examineConnections({ config, client }: Patient): Promise<Finding[]> {
  const [{ most = 0, open = 0 } = {}] = await rowsOf(client, sql.connections)
  const { warn, all } = findingsAbout('connections', `${open} of ${most} connections of the database are open.`)
  const own = (config.DATABASE_POOL ?? 16) + 2
  if (own > most)
    warn(
      'connections.pool',
      `A portal opens up to ${own} connections, and the database takes ${most}.`,
      'Lower DATABASE_POOL, or raise max_connections.',
    )
  if (open > most * 0.9)
    warn(
      'connections.full',
      `${open} of ${most} connections of the database are open.`,
      'Lower DATABASE_POOL, or raise max_connections.',
    )
  return all()
}

const giga = 1024 ** 3
const inGiga = (bytes: number): string => `${(bytes / giga).toFixed(1)} GB`
/** Less room than this is a fault, in bytes; a warning when it is less than a tenth and than the second. */
const leastRoom = { fault: 0.2 * giga, warning: 10 * giga }

async function examineDisk({ config, client }: Patient): Promise<Finding[]> {
  const { warn, fault, note, all } = findingsAbout('disk', 'There is room.')
  const folders = {
    ...(config.DATABASE_URL === undefined && { DATA_DIR: config.DATA_DIR }),
    ...(config.BACKUP_TO !== undefined && !/^https?:/.test(config.BACKUP_TO) && { BACKUP_TO: config.BACKUP_TO }),
  }
  for (const [name, folder] of Object.entries(folders)) {
    const disk = await statfs(folder).catch(() => null)
    // the backup store says so itself
    if (disk === null) continue
    const [free, size] = [disk.bavail * disk.bsize, disk.blocks * disk.bsize]
    const says = `${inGiga(free)} of ${inGiga(size)} are free where ${name} is (${path.resolve(folder)}).`
    if (free < leastRoom.fault) fault('disk.full', says, 'Make room, or move it to a larger disk.')
    else if (free < size / 10 && free < leastRoom.warning)
      warn('disk.short', says, 'Make room, or move it to a larger disk.')
  }
  const [{ bytes = 0 } = {}] = await rowsOf(client, sql.databaseSize)
  note('disk.database', `The database has ${inGiga(bytes)}.`)
  return all()
}

/** How far the clock of the database may be off, in ms: sessions, links and codes end by it. */
const clockTolerance = 2000

async function examineClock({ client, now }: Patient): Promise<Finding[]> {
  const before = now().getTime()
  const [{ ms = before } = {}] = await rowsOf(client, sql.clock)
  const after = now().getTime()
  const off = Math.max(before - ms, ms - after, 0)
  const { warn, all } = findingsAbout('clock', 'This machine and the database agree about the time.')
  if (off > clockTolerance)
    warn(
      'clock.database',
      `The clock of the database is ${Math.round(off / 1000)} s off that of this machine.`,
      'Let both set their clocks by NTP.',
    )
  return all()
}

async function examineBackupStore({ config, now }: Patient): Promise<Finding[]> {
  const { warn, fault, all } = findingsAbout('backup store', 'Backups can be written and listed.')
  const { BACKUP_TO: place } = config
  if (place === undefined) {
    warn('store.none', 'No backup is taken at night.', 'Set BACKUP_TO.')
    return all()
  }
  if (config.BACKUP_KEY === undefined)
    warn(
      'store.key',
      'Backups are not encrypted: who reads them has everything.',
      'Set BACKUP_KEY, and keep it somewhere else.',
    )
  try {
    await openFolder(place, backupAccess(config)).names()
    if (!/^https?:/.test(place)) {
      const probe = path.join(place, `.wheelhouse-doctor-${process.pid}-${now().getTime()}`)
      await writeFile(probe, '')
      await rm(probe)
    }
  } catch (error) {
    fault(
      'store.away',
      `BACKUP_TO can't be used: ${(error as Error).message}.`,
      'Mount it, make it, or let the user of the portal write there.',
    )
  }
  return all()
}

async function examineBackups({ config, client, now }: Patient): Promise<Finding[]> {
  const [{ at = null, problem = '' } = {}] = await rowsOf(client, latestBackup)
  const latest = at === null ? null : new Date(at)
  const { fault, all } = findingsAbout(
    'backups',
    latest === null ? 'None is expected.' : `The latest good backup began at ${latest.toISOString()}.`,
  )
  if (config.BACKUP_TO === undefined) return all()
  const because = problem === '' ? '' : ` The one after it failed: ${problem}`
  if (latest === null)
    fault(
      'backups.none',
      `There is no good backup yet.${because}`,
      'Look again after the night, or take one: npm run backup -- FILE',
    )
  else if (isLate(latest, now()))
    fault(
      'backups.late',
      `The latest good backup began at ${latest.toISOString()}.${because}`,
      'Take one: npm run backup -- FILE',
    )
  return all()
}

async function examineTimeZones({ client }: Patient): Promise<Finding[]> {
  const { fault, all } = findingsAbout(
    'time zones',
    `Those of all sites are known. Backups begin after two o'clock in ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`,
  )
  for (const { code, zone, inDatabase } of await rowsOf(client, sql.timeZones)) {
    if (!inDatabase)
      fault(
        'zones.database',
        `The database does not know the time zone ${zone} of site ${code}.`,
        'Install the time zones of PostgreSQL (tzdata), or choose another in the settings of the site.',
      )
    else if (!isZoneOfNode(zone))
      fault(
        'zones.node',
        `Node does not know the time zone ${zone} of site ${code}.`,
        'Choose another in the settings of the site.',
      )
  }
  return all()
}

function isZoneOfNode(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** A statement that takes longer in the mean is worth a look, in ms. */
const slowMs = 1000

async function examineStatements({ client }: Patient): Promise<Finding[]> {
  const { warn, note, all } = findingsAbout('statements', 'None was counted yet.')
  const [{ counted = false } = {}] = await rowsOf(client, sql.countsStatements)
  if (!counted) {
    note(
      'statements.uncounted',
      'They are not counted. To see the slowest ten, load pg_stat_statements (shared_preload_libraries) and run: create extension pg_stat_statements',
    )
    return all()
  }
  // no statement of statement(): the table is there with the extension only
  const { rows } = await client.query<{ query: string; calls: number; mean: number }>(
    `select left(regexp_replace(query, '\\s+', ' ', 'g'), 160) as query, calls::float8 as calls, mean_exec_time as mean
     from pg_stat_statements where calls > 1 order by mean_exec_time desc limit 10`,
  )
  for (const { query, calls, mean } of rows) {
    const says = `${mean.toFixed(1)} ms in the mean of ${calls} calls: ${query}`
    if (mean > slowMs) warn('statements.slow', says, 'Set SLOW_STATEMENTS, and look for its name in the log.')
    else note('statements.slowest', says)
  }
  return all()
}

async function examineBloat({ client }: Patient): Promise<Finding[]> {
  const { warn, fault, all } = findingsAbout('bloat', 'Tables are vacuumed.')
  for (const { name, dead, rows } of await rowsOf(client, sql.bloat))
    warn(
      'bloat.rows',
      `The table ${name} has ${dead} dead rows beside ${rows}.`,
      `See what keeps autovacuum away, or run: npm run manage -- sql --write "vacuum ${name}"`,
    )
  const [{ autovacuum = true, age = 0 } = {}] = await rowsOf(client, sql.vacuuming)
  if (!autovacuum)
    fault('bloat.autovacuum', 'autovacuum is off: tables grow until the database stops.', 'Switch it on.')
  if (age > 1_000_000_000)
    fault(
      'bloat.wraparound',
      `The oldest row is ${age} transactions old; the database stops at 2,100,000,000.`,
      'See what keeps autovacuum away: an old transaction or replication slot.',
    )
  return all()
}

const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

async function examineJobs({ client }: Patient): Promise<Finding[]> {
  const { warn, fault, all } = findingsAbout('jobs', 'None failed, and none waits for long.')
  const [jobs] = await rowsOf(client, sql.jobs)
  if (!jobs) return all()
  if (jobs.mail_given_up > 0)
    warn(
      'jobs.mail_given_up',
      `${many(jobs.mail_given_up, 'message')} of the last day could not be sent.`,
      'See the page E-mail of the superuser.',
    )
  if (jobs.mail_late > 0)
    fault(
      'jobs.mail_late',
      `${many(jobs.mail_late, 'message')} should have been sent an hour ago.`,
      'See whether a portal runs, and its log.',
    )
  if (jobs.invoices_refused > 0)
    warn(
      'jobs.invoices_refused',
      `The access point refused ${many(jobs.invoices_refused, 'e-invoice')} of the last day.`,
      'Its answer stands beside the invoice.',
    )
  if (jobs.invoices_late > 0)
    fault(
      'jobs.invoices_late',
      `${many(jobs.invoices_late, 'e-invoice')} should have been sent an hour ago.`,
      'See whether a portal runs, and its log.',
    )
  if (jobs.runs_stuck > 0)
    fault(
      'jobs.runs_stuck',
      `${many(jobs.runs_stuck, 'billing run')} made no step for an hour.`,
      'See whether a portal runs, and its log.',
    )
  if (jobs.webhooks_off > 0)
    warn(
      'jobs.webhooks_off',
      `${many(jobs.webhooks_off, 'webhook')} failed for three days and were switched off.`,
      'Whoever set them up switches them on again.',
    )
  if (jobs.webhooks_failing > 0)
    warn('jobs.webhooks_failing', `${many(jobs.webhooks_failing, 'webhook')} fail since an hour or longer.`)
  if (jobs.notices_late > 0)
    fault(
      'jobs.notices_late',
      `${many(jobs.notices_late, 'event')} of an hour ago became no notice yet.`,
      'See whether a portal runs, and its log.',
    )
  return all()
}
