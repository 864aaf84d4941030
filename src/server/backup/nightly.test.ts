/**
 * Backups by themselves: taken once a night by one node, read back, encrypted, restored, and missed aloud.
 * @module-tag whole
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { backups as calls } from '#contract/backups.ts'
import { world, type World } from '../testing/world.ts'
import { restoringAlone } from '../testing/restores.ts'
import { verifyArchive } from './archive.ts'
import { openFile } from './files.ts'
import { backUpIfDue, nightOf, type Backups } from './nightly.ts'
import { restoreBackup } from './restoreBackup.ts'
import type { BackupFile } from './storage.ts'
import { takeBackup } from './takeBackup.ts'

const passphrase = 'four words that nobody guesses'
const since = new Date(2026, 10, 23, 9)
let at: World
let folder = ''
let problems: string[] = []
beforeAll(async () => {
  at = await world({ served: () => ({ backupsSince: since }) })
})
afterAll(() => at.close())
beforeEach(async () => {
  if (folder) rmSync(folder, { recursive: true })
  folder = mkdtempSync(path.join(tmpdir(), 'wheelhouse-backups-'))
  problems = []
  await at.query('delete from backup_run')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { signal } = new AbortController()
const wish = (more: Partial<Backups> = {}): Backups => ({
  url: at.adminUrl,
  folder,
  access: null,
  passphrase: null,
  since,
  sendsMail: true,
  log: problem => problems.push(problem),
  ...more,
})
const look = (now: Date, more?: Partial<Backups>) => backUpIfDue(at.database, wish(more), { now, signal })
const latest = async (now: Date) => {
  at.clock.now = now
  const [admin, superuser] = [at.who.admin, at.who.superuser]
  // their sessions began long before
  await at.query('update session set created_at = $1, seen_at = $1, ends_at = null', [now])
  return [(await at.ask(calls.latest, admin, {})).answer, (await at.ask(calls.latest, superuser, {})).answer]
}

test('one is due from two o’clock at night, once, whichever node looks first', async () => {
  expect(nightOf(new Date(2026, 10, 24, 1, 59))).toBe('2026-11-23')
  const night = new Date(2026, 10, 24, 2, 0)
  expect(nightOf(night)).toBe('2026-11-24')
  await Promise.all([look(night), look(night), look(night)])
  await look(new Date(2026, 10, 24, 23))
  const [name = '', ...others] = readdirSync(folder)
  expect(others).toEqual([])
  const { tables } = await verifyArchive(openFile(path.join(folder, name)))
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  const [run] = await at.query('select night::text, rows::int, problem from backup_run')
  expect(run).toEqual({ night: '2026-11-24', rows, problem: '' })
  await look(new Date(2026, 10, 25, 2, 1))
  expect(readdirSync(folder)).toHaveLength(2)
  expect(problems).toEqual([])
})

test('an encrypted one says nothing without its passphrase, and restores with it into another database', async () => {
  await look(new Date(2026, 10, 24, 3), { passphrase })
  const [name = ''] = readdirSync(folder)
  expect(name).toMatch(/\.tar\.gz\.age$/)
  const file = path.join(folder, name)
  const url = new URL(at.adminUrl)
  url.pathname = `${url.pathname}_again`
  const options = { now: new Date(), log: () => {} }
  await expect(restoreBackup(url.href, openFile(file), options)).rejects.toThrow('is encrypted. Set BACKUP_KEY')
  await expect(
    restoreBackup(url.href, openFile(file), { ...options, passphrase: 'four other words entirely' }),
  ).rejects.toThrow(/^BACKUP_KEY does not open .*another passphrase/)
  const whole = readFileSync(file)
  const cut = path.join(folder, 'cut.age')
  writeFileSync(cut, whole.subarray(0, whole.length - 100))
  await expect(restoreBackup(url.href, openFile(cut), { ...options, passphrase })).rejects.toThrow('is damaged')
  await restoringAlone(url.href, () => restoreBackup(url.href, openFile(file), { ...options, passphrase }))
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(`select set_config('app.scope', 'system', false)`)
  const names = `select string_agg(username, ' ' order by id) as names from account`
  const { rows } = await client.query<{ names: string }>(names)
  await client.end()
  expect(rows).toEqual(await at.query(names))
})

test('one that fails is tried again after half an hour, and leaves nothing half-written', async () => {
  const gone = { folder: path.join(folder, 'not mounted') }
  const night = (minutes: number) => new Date(2026, 10, 24, 2, minutes)
  await look(night(0), gone)
  expect(problems).toEqual([expect.stringContaining('is it mounted?')])
  await look(night(10))
  expect(readdirSync(folder)).toEqual([])
  await look(night(31))
  expect(readdirSync(folder)).toHaveLength(1)
  expect(await at.query('select problem from backup_run')).toEqual([{ problem: '' }])
})

test('one that can’t be read back gets no good name', async () => {
  const file = openFile(path.join(folder, 'wheelhouse-2026-11-24T020500Z.tar.gz'))
  const damaging: BackupFile = {
    ...file,
    // what a failing disk, or a share, may make of it
    write: (source, check) =>
      file.write(source, written => {
        truncateSync(written.name, 1000)
        return check(written)
      }),
  }
  await expect(takeBackup(at.adminUrl, damaging, { now: new Date(), verify: true })).rejects.toThrow('is damaged')
  expect(readdirSync(folder)).toEqual([])
})

test('one whose node is gone is tried again after half an hour, and one that is heard of is not', async () => {
  const began = new Date(2026, 10, 24, 2, 0)
  const later = (minutes: number) => new Date(began.getTime() + minutes * 60_000)
  await at.query(`insert into backup_run (night, began_at) values ('2026-11-24', $1)`, [began])
  await look(later(29))
  expect(readdirSync(folder)).toEqual([])
  await at.query('update backup_run set alive_at = $1', [later(29)])
  await look(later(58))
  expect(readdirSync(folder)).toEqual([])
  await look(later(60))
  expect(readdirSync(folder)).toHaveLength(1)
})

test('a file that is not encrypted is not restored where they are, unless somebody says so', async () => {
  await look(new Date(2026, 10, 24, 3))
  const [name = ''] = readdirSync(folder)
  const url = new URL(at.adminUrl)
  url.pathname = `${url.pathname}_plain`
  const options = { now: new Date(), log: () => {}, passphrase }
  const file = openFile(path.join(folder, name))
  await expect(restoreBackup(url.href, file, options)).rejects.toThrow('is not encrypted, although BACKUP_KEY is set')
  await at.query(
    `insert into mail (account_id, kind, created_at, due_at) select id, 'reset', now(), now() from account where type = 'superuser'`,
  )
  await at.query(
    `insert into sign_in_step (hash, account_id, awaits, password, passed, expires_at)
     select 'step', id, 'factor', password, false, now() + interval '1 day' from account where type = 'superuser'`,
  )
  const waiting = openFile(path.join(folder, 'waiting.tar.gz'))
  await takeBackup(at.adminUrl, waiting, { now: new Date() })
  await restoringAlone(url.href, () => restoreBackup(url.href, waiting, { ...options, unencrypted: true }))
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(`select set_config('app.scope', 'system', false)`)
  const { rows } = await client.query(`select given_up_at is not null as over, problem from mail where kind = 'reset'`)
  const { rowCount: steps } = await client.query('select from sign_in_step')
  await client.end()
  await at.query(`delete from mail`)
  // what waited then was sent since, or is no longer wanted; and nobody goes on signing in
  expect(rows).toEqual([{ over: true, problem: 'It waited when the backup was made.' }])
  expect(steps).toBe(0)
})

test('a process that dies is a problem like others', async () => {
  await look(new Date(2026, 10, 24, 3), { url: 'postgres://nobody@127.0.0.1:1/nothing' })
  expect(problems).toHaveLength(1)
  expect(readdirSync(folder)).toEqual([])
})

test('after 26 hours without one, superusers get a message once a night, and the screens say so', async () => {
  await at.query(`update account set email = 'boss@example.org' where type = 'superuser'`)
  const mails = () => at.query(`select facts from mail where kind = 'backupLate' order by id`)
  await look(new Date(2026, 10, 24, 2, 5))
  const begun = new Date(2026, 10, 24, 2, 5).toISOString()
  expect(await latest(new Date(2026, 10, 25, 4))).toEqual(
    ['admin', 'superuser'].map(() => ({ on: true, latest: expect.any(String), late: false, problem: '' })),
  )
  const gone = { folder: path.join(folder, 'not mounted') }
  await look(new Date(2026, 10, 25, 2, 5), gone)
  expect(await mails()).toEqual([])
  const late = new Date(2026, 10, 25, 4, 6)
  await look(late, gone)
  await look(new Date(2026, 10, 25, 4, 7), gone)
  expect(await mails()).toEqual([
    {
      facts: {
        latest: expect.stringMatching(/^24\/11\/2026 .* UTC$/),
        problem: expect.stringContaining('is it mounted?'),
      },
    },
  ])
  const [admin, superuser] = await latest(late)
  expect(new Date(admin?.latest ?? '').toISOString()).toBe(begun)
  expect([admin?.late, admin?.problem, superuser?.problem]).toEqual([true, '', expect.stringContaining('mounted')])
  await look(new Date(2026, 10, 26, 2, 5), gone)
  expect(await mails()).toHaveLength(2)
})

test('without any, the first one is late a day and two hours after they were turned on', async () => {
  const [admin] = await latest(new Date(since.getTime() + 25 * 3_600_000))
  expect(admin).toEqual({ on: true, latest: null, late: false, problem: '' })
  const [later] = await latest(new Date(since.getTime() + 27 * 3_600_000))
  expect(later?.late).toBe(true)
})
