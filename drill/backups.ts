/**
 * docs/promises.md "Backups": a backup is taken beside a portal that is written to, and restored by one command each; every row comes back; a
 * damaged file, a killed restore and a full one leave alone what runs; and neither command holds a large database in memory. What the
 * portal writes by itself at night (BACKUP_TO) is restored from that very file, into another data folder.
 */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { openPortal, type Portal } from '../e2e/portal.ts'
import { tally, type DrillOptions, type Result, type Tally } from './drill.ts'
import { answerOf, addVehicle, selectBasics, signIn, type Client, type Basics } from './portalClient.ts'

export const promise = 25
export const summary = 'backup and restore: rows equal, damage refused, what runs left alone'

type Ended = { code: number | null; output: string; megabytes: number }

/** Runs a command beside a portal; `killAfter` ends it by force after so many milliseconds. */
async function command(
  dataDir: string,
  name: 'backup' | 'restore',
  words: string[],
  { killAfter, env = {} }: { killAfter?: number; env?: Record<string, string> } = {},
): Promise<Ended> {
  // its own at most: the usage of resources would count what this process had when it began that one
  const tell = `import fs from 'node:fs'; process.on('exit', () =>
    console.error('memory ' + Math.round(/VmHWM:\\s+(\\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1] / 1024)))`
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(tell)}`, `src/server/cli/${name}.ts`, ...words],
    { env: { ...process.env, DATA_DIR: dataDir, ...env } },
  )
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter)
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  clearTimeout(timer)
  return { code: code as number | null, output: out + err, megabytes: Number(/memory (\d+)/.exec(err)?.[1] ?? 0) }
}

/** The rows of every table as a fingerprint; not of what a restore is to change. */
async function prints(portal: Portal): Promise<Map<string, string>> {
  const tables = await portal.sql<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relname not in ('session', 'dictionary') order by 1`,
  )
  const prints = new Map<string, string>()
  for (const { name } of tables) {
    const [row] = await portal.sql<{ print: string }>(
      `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as print from ${name} t`,
    )
    prints.set(name, row?.print ?? '')
  }
  return prints
}

const differing = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(name => before.get(name) !== after.get(name))

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const checks = tally(log)
  const { check, result } = checks
  const place = mkdtempSync(join(tmpdir(), 'wheelhouse-backups-'))
  const notes: string[] = []
  const portal = await openPortal()
  try {
    const beside = join(place, 'beside.tar.gz')
    const before = await backUpBesideWriters(portal, beside, short, checks)
    const last = join(place, 'last.tar.gz')
    await allForecast(portal)
    check('a backup at rest', (await command(portal.dataDir, 'backup', [last])).code === 0 ? null : 'failed')
    const whole = await prints(portal)

    const other = await openPortal({ DATA_DIR: join(place, 'beside'), NODE_ENV: 'production' })
    try {
      await restoreIntoEmpty(other, beside, before, checks)
      await restoreOver(other, last, whole, checks)
      // the portal was not stopped, and continues with the restored data
      const customer = await signIn(other.url, 'customer')
      check(
        'the portal goes on with it',
        (await customer.call('/fleet/fetch', {})).kind === 'answer' ? null : 'it does not answer',
      )
      await other.sql(`update vehicle set brand = brand || 'x' where id = (select min(id) from vehicle)`)
      checks.control('a changed row', differing(whole, await prints(other)).includes('vehicle'))
      const mine = await prints(other)
      await refuseDamaged(other, last, { mine, bad: join(place, 'bad.tar.gz'), rounds: short ? 2 : 60 }, checks)
      await killRestores(other, last, { customer, mine, whole, kills: short ? 1 : 20 }, checks)
    } finally {
      await other.close()
    }

    await restoreNightly(place, checks)
    if (!short) notes.push(...(await large(portal, place, check)))
    return result(`${before.length} acknowledged vehicles looked for`, ...notes)
  } finally {
    await portal.close()
    rmSync(place, { recursive: true, force: true })
  }
}

/** Takes a backup beside four writers. Answers the plates acknowledged before it began: all of them have to be in it. */
async function backUpBesideWriters(portal: Portal, file: string, short: boolean, { check }: Tally): Promise<string[]> {
  const [basics] = await portal.sql<Basics>(selectBasics)
  if (!basics) throw new Error('the demo lacks the basic rows')
  const admin = await signIn(portal.url, 'admin')
  const plates: string[] = []
  const ending = new AbortController()
  const writers = [0, 1, 2, 3].map(async nth => {
    for (let count = 0; !ending.signal.aborted; count++) {
      const plate = `BAK${nth}${count}`
      const { vehicle, tyres } = await addVehicle(admin, { plate, ...basics })
      answerOf(
        await admin.callUntilReply('/operations/new', {
          operation: { flt_id: vehicle, tyres, operationType: 'to_stock' },
        }),
        'an operation',
      )
      plates.push(plate)
    }
  })
  await pause(short ? 600 : 5000)
  const before = [...plates]
  const taken = await command(portal.dataDir, 'backup', [file])
  check('a backup beside writers', taken.code === 0 ? null : taken.output)
  ending.abort()
  await Promise.all(writers)
  return before
}

async function restoreIntoEmpty(
  other: Portal,
  beside: string,
  before: readonly string[],
  { check, add }: Tally,
): Promise<void> {
  const put = await command(other.dataDir, 'restore', [beside])
  check('a restore into an empty portal that runs', put.code === 0 ? null : put.output)
  const kept = new Set(
    (await other.sql<{ plate: string }>(`select license_plate as plate from vehicle`)).map(row => row.plate),
  )
  add(
    before.length,
    before.filter(plate => !kept.has(plate)).map(plate => `vehicle ${plate} is not in the backup`),
  )
  const torn = await other.sql<{ id: number }>(
    `select o.id from operation o where tyre_count <> (select count(*) from operation_tyre t where t.site_id = o.site_id and t.operation_id = o.id)`,
  )
  check('a backup is of one moment', torn.length === 0 ? null : `${torn.length} operations are torn`)
  check('whoever was signed in', (await other.sql('select from session')).length === 0 ? null : 'still is')
}

async function restoreOver(
  other: Portal,
  last: string,
  whole: Map<string, string>,
  { check, add }: Tally,
): Promise<void> {
  const again = await command(other.dataDir, 'restore', [last])
  check(
    'a database with data is not replaced unasked',
    again.code === 1 && again.output.includes('--replace') ? null : again.output,
  )
  check('it is when asked', (await command(other.dataDir, 'restore', [last, '--replace'])).code === 0 ? null : 'failed')
  const restored = await prints(other)
  const wrong = differing(whole, restored)
  add(
    whole.size,
    wrong.map(name => `${name} is not as it was`),
  )
}

/** Restores damaged copies of a backup: each is refused and touches no row. */
async function refuseDamaged(
  other: Portal,
  last: string,
  { mine, bad, rounds }: { mine: Map<string, string>; bad: string; rounds: number },
  { check, add }: Tally,
): Promise<void> {
  const good = readFileSync(last)
  const size = statSync(last).size
  for (let round = 0; round < rounds; round++) {
    const bytes = Buffer.from(good)
    const at = randomInt(10, size)
    if (round % 3 === 0) writeFileSync(bad, bytes.subarray(0, at))
    else {
      bytes[at] = (bytes[at] ?? 0) ^ (1 << randomInt(8))
      writeFileSync(bad, bytes)
    }
    const { code, output } = await command(other.dataDir, 'restore', [bad, '--replace'])
    check(`damage at byte ${at} of ${size}`, code === 1 && output.includes('damaged') ? null : `not refused: ${output}`)
  }
  add(
    mine.size,
    differing(mine, await prints(other)).map(name => `${name} was touched by a damaged backup`),
  )
}

/** Kills restores under way; the data is the old or the new, whole, and the next restore succeeds. */
async function killRestores(
  other: Portal,
  last: string,
  {
    customer,
    mine,
    whole,
    kills,
  }: { customer: Client; mine: Map<string, string>; whole: Map<string, string>; kills: number },
  { check }: Tally,
): Promise<void> {
  for (let round = 0; round < kills; round++) {
    await command(other.dataDir, 'restore', [last, '--replace'], { killAfter: randomInt(300, 3500) })
    check(
      'after a killed restore',
      (await customer.call('/users/loginstate', {})).kind === 'no reply' ? 'no answer' : null,
    )
  }
  const after = differing(mine, await prints(other))
  // killed after the exchange it is the whole backup; before, the whole of the old data
  const either = after.length === 0 || differing(whole, await prints(other)).length === 0
  check('after killed restores the data is the old or the new, whole', either ? null : `${after.join(', ')} differ`)
  let next = await command(other.dataDir, 'restore', [last, '--replace'])
  // what the killed one asked last may still be under way in the database
  for (let tries = 0; tries < 5 && next.output.includes('Another restore'); tries++) {
    await pause(2000)
    next = await command(other.dataDir, 'restore', [last, '--replace'])
  }
  check('and the next one succeeds', next.code === 0 ? null : next.output)
  check(
    'what was replaced can be removed',
    (await command(other.dataDir, 'restore', ['--drop-replaced'])).code === 0 ? null : 'failed',
  )
}

/** Waits until a portal has forecast all that it was to: the backup was made on the way there. */
async function allForecast(portal: Portal): Promise<void> {
  while ((await portal.sql('select 1 from forecast_due limit 1')).length > 0) await pause(200)
}

/** Restores a portal's own nightly backup, encrypted, in another folder, before that portal's first start. */
async function restoreNightly(place: string, { check, add, control }: Tally): Promise<void> {
  const [folder, elsewhere] = [join(place, 'nightly'), join(place, 'elsewhere')]
  mkdirSync(folder)
  const env = { BACKUP_TO: folder, BACKUP_KEY: 'four words that nobody guesses' }
  const nightly = await openPortal({ DATA_DIR: join(place, 'backed up'), ...env })
  try {
    const good = `select file from backup_run where ended_at is not null and problem = ''`
    let taken = await nightly.sql<{ file: string }>(good)
    for (let tries = 0; tries < 120 && taken.length === 0; tries++) {
      await pause(500)
      taken = await nightly.sql<{ file: string }>(good)
    }
    const file = taken[0]?.file ?? ''
    check('a portal backs itself up', file.startsWith(folder) && file.endsWith('.age') ? null : `file ${file}`)
    await allForecast(nightly)
    const there = await prints(nightly)
    const locked = await command(elsewhere, 'restore', [file])
    check(
      'without its passphrase it is refused',
      locked.code === 1 && /BACKUP_KEY/.test(locked.output) ? null : locked.output,
    )
    const put = await command(elsewhere, 'restore', [file], { env })
    check('what it wrote is restored elsewhere', put.code === 0 ? null : put.output)
    const restored = await openPortal({ DATA_DIR: elsewhere, NODE_ENV: 'production', ALLOW_DEMO: 'yes' })
    try {
      await allForecast(restored)
      // the night's own row says in the backup that it is not over
      const wrong = differing(there, await prints(restored)).filter(name => name !== 'backup_run')
      add(
        there.size,
        wrong.map(name => `${name} is not as it was that night`),
      )
      const customer = await signIn(restored.url, 'customer')
      const answer = await customer.call('/fleet/fetch', {})
      check('a portal starts with it', answer.kind === 'answer' ? null : 'it does not answer')
      await restored.sql(`update vehicle set brand = brand || 'x' where id = (select min(id) from vehicle)`)
      control('a changed row of that night', differing(there, await prints(restored)).includes('vehicle'))
    } finally {
      await restored.close()
    }
  } finally {
    await nightly.close()
  }
}

const seconds = (from: number, to: number): string => ((to - from) / 1000).toFixed(0)

/** As many tyres as a chain has: neither command may need memory for more than a few pieces of them. */
async function large(portal: Portal, place: string, check: ReturnType<typeof tally>['check']): Promise<string[]> {
  const tyres = 250_000
  const file = join(place, 'large.tar.gz')
  const small = join(place, 'small.tar.gz')
  const few = await command(portal.dataDir, 'backup', [small])
  await portal.sql(`
    insert into vehicle (site_id, customer_id, license_plate, brand, description, type)
    select 1, (select min(id) from customer where site_id = 1), 'LRG' || n, 'Volvo', 'V60', 'car' from generate_series(1, ${tyres / 5}) n`)
  await portal.sql(`
    insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, tyre_set, status, status_date, memo)
    select 1, v.customer_id, v.id, (select min(id) from article where site_id = 1), '1A', 'Michelin Alpin 6 205/55R16 91H', 'set ' || n,
      'at_customer', current_date, md5(v.id::text || n)
    from vehicle v, generate_series(1, 5) n where v.license_plate like 'LRG%'`)
  await portal.sql(`
    insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, note)
    select site_id, id, customer_id, vehicle_id, 'added', md5(id::text || n) from tyre, generate_series(1, 3) n where memo <> ''`)
  const before = await prints(portal)
  const begun = performance.now()
  const taken = await command(portal.dataDir, 'backup', [file])
  const half = performance.now()
  const put = await command(portal.dataDir, 'restore', [file, '--replace'])
  check('a large backup', taken.code === 0 ? null : taken.output)
  check('a large restore', put.code === 0 ? null : put.output)
  const [taking, putting] = [half - begun, performance.now() - half]
  check('it ends in good time', putting < 20 * taking ? null : `${seconds(0, putting)} s`)
  for (const name of differing(before, await prints(portal))) check(`${name} of a large restore`, 'not as it was')
  check('memory of a large backup', taken.megabytes < few.megabytes + 100 ? null : `${taken.megabytes} MB`)
  check('memory of a large restore', put.megabytes < few.megabytes + 150 ? null : `${put.megabytes} MB`)
  return [
    `${tyres} tyres, ${Math.round(statSync(file).size / 1e6)} MB: backup ${seconds(begun, half)} s, ${taken.megabytes} MB of memory (${few.megabytes} MB for the demo)`,
    `restore ${seconds(0, putting)} s, ${put.megabytes} MB`,
  ]
}
