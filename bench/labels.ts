/**
 * `npm run bench:labels`: labels through the whole server: the first hundred after a start, how many a second, how large they are,
 * and how long scans of others take while a thousand are drawn again and again, beside how long they take alone.
 */
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { availableParallelism } from 'node:os'
import { openPortal } from '../e2e/portal.ts'
import { hashPassword } from '../src/server/features/session/password.ts'

const tyres = 1000
const rounds = 5
const seconds = 4
const scanners = 4

const portal = await openPortal({ NODE_ENV: 'production' })
const axles = [1, 2].map(() => ({ type: 'axle', lift: false, drive: false, steering: false, left: 1, right: 1 }))
const all = await portal.asOwner(async client => {
  await client.query(
    `with site as (
       insert into site (code, name, admin_email, language) values ('bench', 'Bench', 'bench@example.org', 'eng') returning id),
     report as (insert into label_report (site_id, number, name, layout) select id, 1, 'Roll', 'roll_62x100' from site),
     owner as (insert into customer (site_id, name, company) select id, 'Large fleet', 'Large fleet' from site returning site_id, id),
     accounts as (
       insert into account (site_id, customer_id, username, fullname, type, language, password)
       select site_id, id, 'large', 'Large fleet', 'user', 'eng', $1 from owner
       union all select site_id, null, name, 'Desk', 'admin', 'eng', $1 from owner, (values ('desk'), ('printer')) as desk(name)),
     config as (insert into vehicle_config (site_id, description, axles) select id, 'Car', $2 from site returning id),
     article as (
       insert into article (site_id, brand, description, dimension)
       select id, 'Michelin', 'Michelin Alpin 6 205/55R16 91H', '205/55R16' from site returning id, description),
     made as (
       insert into vehicle (site_id, customer_id, license_plate, brand, description, type, config_id, driver_name)
       select o.site_id, o.id, '2L' || lpad(n::text, 6, '0'), 'Volvo', 'Fleet car ' || n, 'car', config.id, 'Driver ' || n
       from owner o, config, generate_series(1, ${tyres / 4}) n returning site_id, customer_id, id)
   insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, tyre_set, status, status_date, profile_depth)
   select m.site_id, m.customer_id, m.id, article.id, p.position, article.description, 'Winter', 'at_customer', current_date - 30, 6.5
   from made m, article, (values ('1A'), ('1B'), ('2A'), ('2B')) p (position)`,
    [await hashPassword('wheelhouse'), JSON.stringify(axles)],
  )
  const { rows } = await client.query<{ id: number; vehicle: number }>(
    'select id, vehicle_id as vehicle from tyre order by id',
  )
  await client.query('analyze')
  return rows
})

const agent = new Agent({ keepAlive: true })
const { port } = new URL(portal.url)

/** Makes a call and answers its text, and how long it took in ms. */
function call(path: string, body: unknown, cookie = ''): Promise<{ text: string; cookie: string; ms: number }> {
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: 'localhost', port, path, method: 'POST', agent, headers: { 'content-type': 'application/json', cookie } },
      reply => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.once('error', reject)
        reply.once('end', () => {
          const text = Buffer.concat(chunks).toString()
          if (reply.statusCode !== 200) return reject(new Error(`${path}: ${reply.statusCode} ${text.slice(0, 300)}`))
          resolve({
            text,
            cookie: reply.headers['set-cookie']?.[0]?.replace(/;.*/s, '') ?? '',
            ms: performance.now() - begun,
          })
        })
      },
    )
    outgoing.once('error', reject)
    outgoing.end(JSON.stringify(body))
  })
}
const signIn = async (username: string): Promise<string> =>
  (await call('/users/authenticate', { username, password: 'wheelhouse' })).cookie

const labels = (cookie: string, count: number) =>
  call('/fleet/getTyreLabels', { tyres: all.slice(0, count).map(({ id }) => id), report_id: 1 }, cookie)

/** Scans on every scanner, one after the other, until the time is over. How long each took, in ms. */
async function scan(cookie: string, submitted: readonly number[]): Promise<number[]> {
  const took: number[] = []
  const until = performance.now() + seconds * 1000
  const scanner = async (nth: number): Promise<void> => {
    for (let turn = nth; performance.now() < until; turn += scanners) {
      const tyreId = submitted[turn % submitted.length]
      const scanned = { tyres: [{ tyreId, ticsId: 1, scanId: randomUUID() }], type: 'to_stock' }
      took.push((await call('/operations/markscan', scanned, cookie)).ms)
    }
  }
  await Promise.all(Array.from({ length: scanners }, (_, nth) => scanner(nth)))
  return took
}

const at = (share: number, values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN
const ms = (value: number): string => `${value.toFixed(1)} ms`
const shown = (values: readonly number[], digits = 0): string =>
  `${at(0.5, values).toFixed(digits)}  (${values.map(value => value.toFixed(digits)).join(', ')})`

try {
  const [large, desk, printer] = [await signIn('large'), await signIn('desk'), await signIn('printer')]
  const first = await labels(printer, 100)
  const warm = await labels(printer, 100)
  const size = Buffer.from(JSON.parse(first.text) as string, 'base64').length
  const submitted: number[] = []
  for (const [vehicle, own] of [...Map.groupBy(all, tyre => tyre.vehicle)].slice(0, 50)) {
    const ids = own.map(({ id }) => id)
    const created = await call(
      '/operations/new',
      { operation: { flt_id: vehicle, tyres: ids, operationType: 'to_stock' } },
      large,
    )
    const { _id } = JSON.parse(created.text) as { _id: number }
    await call('/operations/update', { operation: { _id, status: 'submitted' } }, large)
    submitted.push(...ids)
  }
  await scan(desk, submitted)
  const alone: number[][] = []
  const beside: number[][] = []
  const drawn: number[] = []
  const drawnBeside: number[] = []
  for (let round = 0; round < rounds; round++) {
    drawn.push(tyres / ((await labels(printer, tyres)).ms / 1000))
    alone.push(await scan(desk, submitted))
    const over = new AbortController()
    const printing = (async () => {
      while (!over.signal.aborted) drawnBeside.push(tyres / ((await labels(printer, tyres)).ms / 1000))
    })()
    beside.push(await scan(desk, submitted))
    over.abort()
    await printing
  }
  console.log(`${availableParallelism()} cores, ${rounds} rounds in turn, ${scanners} scanners, median (each round)`)
  console.log(
    `100 labels, the first after a start   ${ms(first.ms)}, then ${ms(warm.ms)}, ${(size / 1000).toFixed(0)} kB`,
  )
  console.log(`1,000 labels                          ${shown(drawn)} labels/s`)
  console.log(`  beside the scans                    ${at(0.5, drawnBeside).toFixed(0)} labels/s`)
  for (const [name, runs] of [
    ['scans alone', alone],
    ['scans while 1,000 labels are drawn', beside],
  ] as const) {
    console.log(name)
    console.log(`  a second                            ${shown(runs.map(({ length }) => length / seconds))}`)
    for (const [name, share] of [
      ['p50', 0.5],
      ['p99', 0.99],
      ['longest', 1],
    ] as const)
      console.log(
        `  ${name.padEnd(8)} in ms                      ${shown(
          runs.map(took => at(share, took)),
          1,
        )}`,
      )
  }
} finally {
  agent.destroy()
  await portal.close()
}
