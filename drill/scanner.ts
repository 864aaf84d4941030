/**
 * Thousands of scans in real browsers over an unreliable network: each scan is applied once, none is lost, and a
 * conflict between two devices is reported (docs/promises.md "Scanner").
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openPortal, type Portal } from '../e2e/portal.ts'
import { openDevice, openNetwork, type Device, type Network } from './device.ts'
import { tally, type DrillOptions, type Result, type Tally } from './drill.ts'
import { violations, isDetected } from './ledger.ts'

export const promise = 12
export const summary = 'scans over a network that fails: applied once, none lost'
export const long = true

/** Percentage of the tyres for each fault; those of two devices are scanned twice. */
const percentages = {
  'answers lost': 20,
  'hours offline': 30,
  'killed with scans waiting': 20,
  'session ended': 10,
  'two devices': 20,
} as const
type Fault = keyof typeof percentages
const hours = 5

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const scans = short ? 200 : 5000
  const checks = tally(log)
  const place = mkdtempSync(join(tmpdir(), 'wheelhouse-drill-'))
  const portal = await openPortal()
  const open: { close(): Promise<void> }[] = []
  const network = async (): Promise<Network> => opened(open, await openNetwork(portal.url))
  const device = async (disk: string, on: Network, hoursBehind = 0): Promise<Device> => {
    const device = opened(
      open,
      await openDevice({ disk: join(place, disk), network: on, username: 'admin', type: 'to_stock', hoursBehind }),
    )
    await device.open()
    return device
  }
  try {
    const { tyres, since } = await submitStorages(
      portal,
      Math.ceil((scans * 100) / (100 + percentages['two devices'])) + 4,
    )
    const spare = tyres.splice(-4)
    const parts = splitTyres(tyres)
    const firstNetwork = await network()
    let rescans = 0

    let firstDevice = await device('one', firstNetwork, hours)
    firstNetwork.loseEvery = 2
    rescans += await firstDevice.scan(parts['answers lost'])
    await firstDevice.sendAll()
    firstNetwork.loseEvery = 0
    checks.control('answers were lost', firstNetwork.lost > 0)

    firstNetwork.down = true
    const firstHalf = Math.floor(parts['hours offline'].length / 2)
    rescans += await firstDevice.scan(parts['hours offline'].slice(0, firstHalf))
    await firstDevice.page.clock.fastForward(hours * 3_600_000)
    rescans += await firstDevice.scan(parts['hours offline'].slice(firstHalf))
    firstNetwork.down = false
    await firstDevice.sendAll()
    await checkScanTimes(portal, parts['hours offline'], checks)

    firstNetwork.down = true
    rescans += await firstDevice.scan(parts['killed with scans waiting'])
    await firstDevice.kill()
    firstNetwork.down = false
    firstDevice = await device('one', firstNetwork)
    await firstDevice.sendAll()

    firstNetwork.down = true
    rescans += await firstDevice.scan(parts['session ended'])
    endSessions(portal, { network: firstNetwork, log })
    firstNetwork.down = false
    await firstDevice.waitForText('Your session has ended')
    firstNetwork.before = null
    await firstDevice.page.getByRole('button', { name: 'Sign in again' }).click()
    await firstDevice.page.getByLabel('Password of admin').fill('wheelhouse')
    await firstDevice.page.keyboard.press('Enter')
    await firstDevice.sendAll()

    const secondNetwork = await network()
    const secondDevice = await device('two', secondNetwork)
    // at most as many as the device keeps sent scans
    for (let from = 0; from < parts['two devices'].length; from += 80) {
      const both = parts['two devices'].slice(from, from + 80)
      firstNetwork.down = true
      secondNetwork.down = true
      for (const here of [firstDevice, secondDevice]) rescans += await here.scan(both)
      firstNetwork.down = false
      secondNetwork.down = false
      await Promise.all([firstDevice.sendAll(), secondDevice.sendAll()])
      await conflicts([firstDevice, secondDevice], both, checks)
    }

    const expected = new Map<number, number>()
    for (const [fault, tyres] of Object.entries(parts))
      for (const tyre of tyres) expected.set(tyre, fault === 'two devices' ? 2 : 1)
    const wrong = await miscounted(portal, expected)
    const total = [...expected.values()].reduce((sum, count) => sum + count, 0)
    checks.add(total, wrong)
    await portal.asOwner(async client => {
      const broken = await violations(client, since)
      checks.check('the records', broken.length > 0 ? broken.slice(0, 20).join('; ') : null)
      const [first] = expected.keys()
      const lost = { sql: `delete from scan where site_id = 1 and tyre_id = ${first}`, values: [] }
      checks.control(
        'a scan taken away by hand',
        await isDetected(client, lost, async () => (await violations(client, since)).length > 0),
      )
    })
    await withoutIds(portal, { device: firstDevice, network: firstNetwork, tyres: spare }, checks)
    const faults = (Object.keys(parts) as Fault[]).map(fault => `${fault} ${parts[fault].length}`)
    return checks.result(
      `${total} scans: ${faults.join(', ')} (each on both)`,
      `${firstNetwork.lost} answers lost`,
      `${rescans} labels read at the second try`,
    )
  } finally {
    await Promise.allSettled(open.map(firstDevice => firstDevice.close()))
    await portal.close()
    rmSync(place, { recursive: true, force: true, maxRetries: 5 })
  }
}

function opened<T extends { close(): Promise<void> }>(open: { close(): Promise<void> }[], firstDevice: T): T {
  open.unshift(firstDevice)
  return firstDevice
}

/** At least this number of tyres, four to a submitted storage, in the order of the sheet. */
async function submitStorages(portal: Portal, count: number): Promise<{ tyres: number[]; since: number }> {
  const [before] = await portal.sql<{ since: number }>('select max(id) as since from operation')
  const rows = await portal.sql<{ id: number }>(
    `with vehicles as (
       insert into vehicle (site_id, customer_id, license_plate, brand, description, type, config_id)
       select 1, a.customer_id, '1SCN' || lpad(n::text, 5, '0'), 'Volvo', 'V60', 'car',
         (select id from vehicle_config where site_id = 1 and jsonb_array_length(axles) = 2 order by id limit 1)
       from account a, generate_series(1, $1::int) n where a.site_id = 1 and a.username = 'customer' returning id, customer_id),
     tyres as (
       insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, tyre_set, status, status_date)
       select 1, v.customer_id, v.id, (select id from article where site_id = 1 and not unknown order by id limit 1), p.position,
         'Michelin Alpin 6', 'Winter', 'at_customer', current_date
       from vehicles v, unnest(array['1A', '1B', '2A', '2B']) p(position) returning id, customer_id, vehicle_id),
     operations as (
       insert into operation (site_id, customer_id, vehicle_id, type, status, tyre_count, submitted_at)
       select 1, customer_id, id, 'to_stock', 'submitted', 4, now() from vehicles returning id, customer_id, vehicle_id),
     held as (
       insert into operation_tyre (site_id, operation_id, tyre_id, customer_id)
       select 1, o.id, t.id, t.customer_id from tyres t join operations o on o.vehicle_id = t.vehicle_id)
     select id from tyres order by vehicle_id, id`,
    [Math.ceil(count / 4)],
  )
  return { tyres: rows.map(({ id }) => id), since: before?.since ?? 0 }
}

function splitTyres(tyres: readonly number[]): Record<Fault, number[]> {
  let from = 0
  const part = (share: number): number[] => tyres.slice(from, (from += Math.round((tyres.length * share) / 100)))
  return Object.fromEntries(Object.entries(percentages).map(([fault, share]) => [fault, part(share)])) as Record<
    Fault,
    number[]
  >
}

/** The server stores the time of the scan, not of the sending. */
async function checkScanTimes(portal: Portal, tyres: readonly number[], checks: Tally): Promise<void> {
  const [row] = await portal.sql<{ hours: number }>(
    `select extract(epoch from max(scanned_at) - min(scanned_at))::float / 3600 as hours from scan where site_id = 1 and tyre_id = any ($1)`,
    [tyres],
  )
  const seen = row?.hours ?? 0
  checks.check(
    'hours offline',
    seen > hours - 0.5 ? null : `the scans of ${hours} hours are ${seen.toFixed(2)} hours apart`,
  )
}

/** Ends all sessions while scans are being sent, between the session check and the scans. */
function endSessions(portal: Portal, { network, log }: { network: Network; log: DrillOptions['log'] }): void {
  network.before = async () => {
    await portal.sql('delete from session').catch((error: Error) => {
      log(`sessions could not be ended: ${error.message}`)
      throw error
    })
    // the server caches a session for a second
    await pause(1200)
  }
}

/** Of two devices that scanned a tyre, one reports that the other did too. */
async function conflicts(devices: readonly Device[], tyres: readonly number[], checks: Tally): Promise<void> {
  const kept = (await Promise.all(devices.map(device => device.storedScans()))).flat()
  for (const tyre of tyres) {
    const reported = kept.filter(({ tyreId, reason }) => tyreId === tyre && reason?.kind === 'conflict').length
    checks.check(
      'two devices',
      reported === 1 ? null : `${reported} of two cards of tyre ${tyre} tell of the other scan`,
    )
  }
}

/** Descriptions of the tyres whose number of scans is wrong. */
async function miscounted(portal: Portal, expected: ReadonlyMap<number, number>): Promise<string[]> {
  const rows = await portal.sql<{ tyre: number; times: number; scans: number }>(
    `select h.tyre_id as tyre, h.scan_times as times, (select count(*)::int from scan s where s.site_id = 1 and s.tyre_id = h.tyre_id) as scans
     from operation_tyre h where h.site_id = 1 and h.tyre_id = any ($1)`,
    [[...expected.keys()]],
  )
  const there = new Map(rows.map(row => [row.tyre, row]))
  return [...expected].flatMap(([tyre, count]) => {
    const row = there.get(tyre)
    return row?.times === count && row.scans === count
      ? []
      : [
          `tyre ${tyre} was scanned ${count} times and counted ${row?.times ?? 'never'}, with ${row?.scans ?? 'no'} scans kept`,
        ]
  })
}

/** Negative control: without ids, scans whose answer was lost are applied again. */
async function withoutIds(
  portal: Portal,
  { device, network, tyres }: { device: Device; network: Network; tyres: readonly number[] },
  checks: Tally,
): Promise<void> {
  network.stripScanIds = true
  network.loseEvery = 1
  await device.scan(tyres)
  const before = network.lost
  for (let tries = 0; network.lost < before + 2 && tries < 100; tries++) {
    await device.page
      .getByRole('button', { name: 'Send now' })
      .click({ timeout: 1000 })
      .catch(() => {})
    await pause(100)
  }
  network.loseEvery = 0
  await device.sendAll()
  const wrong = await miscounted(portal, new Map(tyres.map(tyre => [tyre, 1])))
  checks.control('scans without ids', wrong.length > 0)
}
