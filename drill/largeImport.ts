/**
 * A whole warehouse in one file (docs/promises.md "Imports"): 50,000 tyres with sets, depths, places and days, of 12,500 vehicles, looked
 * at and taken in by a portal in production mode. How long each takes, by how much the portal grows, and how its neighbours fare.
 */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import writeWorkbook from 'write-excel-file/node'
import { openPortalInProduction, type Portal } from '../e2e/portal.ts'
import type { DrillOptions } from './drill.ts'
import { createClients, measure, mostBeside, type ClientHeaders } from './isolation.ts'
import { watchMemory } from './memory.ts'

/**
 * The most that an import of 50,000 tyres may take, in seconds, and by how much the portal may grow, in MB. The time is that of the
 * processors, of portal and database: the clock shows the same where nothing else runs, and more where something does.
 */
const most = { seconds: 30, megabytes: 300 }

type Cell = string | number | Date
const plateOf = (nth: number): string => `2BIG${String(nth).padStart(5, '0')}`
const placeOf = (nth: number): [rack: string, place: number] => [`B${Math.floor(nth / 250) + 1}`, (nth % 250) + 1]

const workbook = async (rows: readonly (readonly Cell[])[]): Promise<Buffer> =>
  writeWorkbook(
    rows.map(row => row.map(value => (value instanceof Date ? { value, format: 'dd/mm/yyyy' } : value))),
  ).toBuffer()

/** The files of a warehouse with so many vehicles, each with four tyres in stock on a place of its own. */
async function files(vehicles: number) {
  const each = Array.from({ length: vehicles }, (_, nth) => nth)
  const [sizes, brands] = [
    ['205/55 R16 91V', '195/65R15 91T', '225/45 R17 94W', '315/80R22.5 156L'],
    ['Michelin', 'Continental', 'Goodyear'],
  ]
  return {
    vehicles: Buffer.from(`plate;kind;brand;model\n${each.map(nth => `${plateOf(nth)};car;Volvo;V60`).join('\n')}\n`),
    locations: Buffer.from(
      `warehouse;zone;rack;place;capacity\n${each.map(nth => `Big hall;Z;${placeOf(nth).join(';')};4`).join('\n')}\n`,
    ),
    tyres: await workbook([
      [
        'plate',
        'size',
        'brand',
        'season',
        'position',
        'depth',
        'measured on',
        'place',
        'stored since',
        'paid until',
        'note',
      ],
      ...each.flatMap(nth =>
        ['1A', '1B', '2A', '2B'].map((position, wheel): Cell[] => [
          plateOf(nth),
          sizes[nth % sizes.length] ?? '',
          brands[nth % brands.length] ?? '',
          'winter',
          position,
          4 + ((nth + wheel) % 40) / 10,
          new Date(Date.UTC(2026, 3, 1 + (nth % 28))),
          `Z-${placeOf(nth).join('-')}`,
          new Date(Date.UTC(2026, 3, 1 + (nth % 28))),
          new Date(Date.UTC(2026, 8, 30)),
          nth % 10 === 0 ? `seen ${nth}` : '',
        ]),
      ),
    ]),
  }
}

type Sent = { readonly seconds: number; readonly text: string; readonly answer: Record<string, number> }

/** Sends a form, or JSON, and waits for the answer however long it takes. */
async function send(url: string, headers: ClientHeaders, content: FormData | object): Promise<Sent> {
  const encoded = content instanceof FormData ? new Response(content) : Response.json(content)
  const body = Buffer.from(await encoded.arrayBuffer())
  const begun = performance.now()
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': encoded.headers.get('content-type') ?? '',
          'content-length': String(body.length),
        },
      },
      reply => {
        const parts: Buffer[] = []
        reply.on('data', (part: Buffer) => parts.push(part))
        reply.once('end', () => resolve({ status: reply.statusCode ?? 0, text: Buffer.concat(parts).toString() }))
        reply.once('error', reject)
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })
  const seconds = (performance.now() - begun) / 1000
  if (status !== 200) throw new Error(`${url}: ${status} ${text.slice(0, 500)}`)
  return { seconds, text, answer: JSON.parse(text) as Record<string, number> }
}

/** The processor time of processes so far, in seconds, with their children that have ended. */
function processorTime(pids: readonly string[]): number {
  let ticks = 0
  for (const pid of pids) {
    try {
      const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
      for (const field of fields.split(' ').slice(11, 15)) ticks += Number(field)
    } catch {
      // it has ended meanwhile, and counts with its parent
    }
  }
  return ticks / 100
}

/** The portal and the processes of its database. */
function processesOf({ pid, dataDir }: Portal): string[] {
  const [postmaster = ''] = readFileSync(join(dataDir, 'database/cluster/postmaster.pid'), 'utf8').split('\n')
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
  return [String(pid()), postmaster, ...children.trim().split(' ')]
}

type Measured = Sent & { readonly megabytes: number; readonly processor: number }

/** Does `work`, and by how many MB the portal grew while it ran, at its most, and how much of the processors it took. */
async function measured(portal: Portal, work: () => Promise<Sent>): Promise<Measured> {
  const memory = watchMemory(portal.pid())
  const processor = processorTime(processesOf(portal))
  const done = await work()
  memory.stop()
  return {
    ...done,
    megabytes: memory.grown(),
    processor: processorTime(processesOf(portal)) - processor,
  }
}

const summary = ({ seconds, processor, megabytes }: Measured): string =>
  `${seconds.toFixed(1)} s (${processor.toFixed(1)} s of the processors), + ${megabytes} MB`

/** The faults, by case; and the figures in one line. */
export async function measureLargeImport({
  short,
  log,
}: DrillOptions): Promise<{ faults: Readonly<Record<string, string | null>>; figures: string }> {
  const vehicles = short ? 500 : 12_500
  const rows = vehicles * 4
  const portal = await openPortalInProduction({ TRUST_PROXY: 'yes' })
  try {
    const clients = await createClients(portal)
    const admin = clients.busyAdmin
    const [customer] = await portal.sql<{ id: number }>(
      `select c.id from customer c join site_address a on a.site_id = c.site_id where a.host = $1 order by c.id limit 1`,
      [admin.host],
    )
    const all = await files(vehicles)
    const ask = (
      path: string,
      kind: keyof typeof all,
      fields: Readonly<Record<string, string>> = {},
    ): Promise<Sent> => {
      const form = new FormData()
      for (const [name, value] of Object.entries({ kind, ...fields })) form.append(name, value)
      form.append('file', new Blob([new Uint8Array(all[kind])]), 'warehouse.xlsx')
      return send(`${portal.url}${path}`, admin, form)
    }
    const take = (kind: keyof typeof all, fields = {}): Promise<Sent> =>
      ask('/imports/take', kind, { rows: 'all', ...fields })
    const ofVehicles = await take('vehicles', { seq_id: String(customer?.id) })
    const ofPlaces = await take('locations')
    log(`vehicles ${ofVehicles.seconds.toFixed(1)} s, places ${ofPlaces.seconds.toFixed(1)} s`)
    await pause(2000)
    const checked = await measured(portal, () => ask('/imports/check', 'tyres'))
    log(`looked at: ${summary(checked)}`)
    const taken = await measured(portal, () => take('tyres'))
    log(`taken in: ${summary(taken)}`)
    const undone = await measured(portal, () => send(`${portal.url}/imports/undo`, admin, { _id: taken.answer['_id'] }))
    log(`undone: ${summary(undone)}`)

    await measure(portal.url, clients, 2)
    const idle = await measure(portal.url, clients, short ? 3 : 10)
    const again = take('tyres')
    const beside = await measure(portal.url, clients, again)
    const { seconds: besideNeighbours } = await again
    const allowed = mostBeside(idle.p99)
    log(
      `neighbours: p99 ${idle.p99.toFixed(0)} ms idle, ${beside.p99.toFixed(0)} beside the import, which took ${besideNeighbours.toFixed(1)} s (at most ${allowed.toFixed(0)} ms); longest ${beside.max.toFixed(0)} ms`,
    )
    const inTime = ({ processor, seconds }: Measured): string | null =>
      processor < most.seconds ? null : `${processor.toFixed(1)} s of the processors, ${seconds.toFixed(1)} s`
    const small = ({ megabytes }: Measured): string | null => (megabytes < most.megabytes ? null : `+ ${megabytes} MB`)
    return {
      faults: {
        'all rows are new': taken.answer['added'] === rows ? null : taken.text.slice(0, 300),
        'looked at in time': inTime(checked),
        'taken in in time': inTime(taken),
        'memory of looking': small(checked),
        'memory of taking in': small(taken),
        'neighbours of the import':
          beside.p99 <= allowed && beside.faults === 0 && beside.lostScans === 0
            ? null
            : `p99 ${beside.p99.toFixed(0)} ms, ${beside.faults} faults, ${beside.lostScans} scans lost`,
      },
      figures: `${rows} tyres looked at: ${summary(checked)}; taken in: ${summary(taken)}; neighbours' p99 ${beside.p99.toFixed(0)} ms, ${idle.p99.toFixed(0)} idle`,
    }
  } finally {
    await portal.close()
  }
}
