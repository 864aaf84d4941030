/**
 * Files that are made to hurt, or were hurt (docs/promises.md "Imports"): each is read or refused with what to do, in bounded memory; and
 * an import that is undone leaves every row as it was. A whole warehouse goes in at once: largeImport.ts.
 */
import { createHash } from 'node:crypto'
import { strToU8 } from 'fflate'
import { imports, maxImportBytes } from '../src/contract/imports.ts'
import type { Refusal } from '../src/domain/failure.ts'
import { defaultLimits } from '../src/server/http/rateLimits.ts'
import { sendForm } from '../src/server/testing/config.ts'
import { openTestServer } from '../src/server/testing/setup.ts'
import { world, type Reply, type World } from '../src/server/testing/world.ts'
import { tally, type DrillOptions, type Result } from './drill.ts'
import { type File, goodWorkbook, makeFiles, ways } from './hostileFileMaker.ts'
import { type Random, seededRandom } from './hostileInput.ts'
import { measureLargeImport } from './largeImport.ts'
import { watchMemory } from './memory.ts'

export const promise = 39
export const summary = 'hostile files are read or refused, undone imports leave nothing, and 50,000 tyres go in at once'

const seed = 39
/** By how much the portal and what reads for it may grow while it reads any of the files, in MB. */
const mostMemory = 300
/** The fault of the answer to a file; `null`: it was read, or refused by a declared failure that says what to do. */
function wrongWith({
  status,
  text,
  refusal,
}: Pick<Reply<unknown>, 'status' | 'text'> & { refusal: Refusal }): string | null {
  if (/file:\/\/|node_modules|at \w+ \(|root:x:/.test(text)) return `it tells of the server: ${text.slice(0, 300)}`
  if (status === 200) return null
  const declared: readonly string[] = [...imports.check.failures, 'request.too_large', 'request.invalid']
  if (status >= 500 || !declared.includes(refusal.code)) return `${status} ${text.slice(0, 300)}`
  return refusal.message.length > 10 ? null : 'the refusal does not say what to do'
}

const kinds = ['vehicles', 'tyres', 'articles', 'customers'] as const

const send = async (w: World, path: string, kind: string, { name, content }: File): Promise<Reply<unknown>> =>
  sendForm(w, path, w.who.admin, [
    ['kind', kind],
    ...(kind === 'vehicles' ? [['seq_id', String(w.customers.a)] as [string, string]] : []),
    ...(path === '/imports/take' ? [['rows', 'good'] as [string, string]] : []),
    ['file', Buffer.from(content), `${name}.xlsx`],
  ])

/** All that imports may write, as it is in the database, but for when a row was changed last. */
async function rowsOf(w: World): Promise<string> {
  const tables = ['vehicle', 'tyre', 'article', 'customer', 'location', 'stay', 'storage_ledger']
  const living: Record<string, string> = { storage_ledger: 'released_at is null', article: 'retired_at is null' }
  const hash = createHash('sha256')
  for (const table of tables) {
    const rows = await w.query(
      `select to_jsonb(r) - 'changed_at' as row from ${table} r
       where ${living[table] ?? (['vehicle', 'tyre'].includes(table) ? 'removed_at is null' : 'true')} order by site_id, id`,
    )
    hash.update(JSON.stringify(rows))
  }
  return hash.digest('hex')
}

/** A file of rows that are new, differ or are the same as what the site has. */
function goodFile(random: Random, kind: (typeof kinds)[number], plates: readonly string[]): File {
  const rows = Array.from({ length: 1 + random.below(12) }, (_, nth) => {
    const plate = random.of([...plates, `2NEW${String(random.below(999)).padStart(3, '0')}`])
    const size = random.of(['205/55 R16 91V', '195/65R15 91T', '225/45 R17 94W'])
    return {
      vehicles: `${plate};car;${random.of(['Volvo', 'Saab', 'Audi'])};${random.of(['V60', 'X', ''])};${nth}`,
      tyres: `${random.of(plates)};${size};Michelin;winter;${random.of(['1A', '1B', '2A', '2B'])};${random.of(['8', '6.5', ''])};note ${nth}`,
      articles: `Brand${random.below(40)};${size};Pattern ${nth}`,
      customers: `Customer ${random.below(20)};C${random.below(20)};${random.of(['Gent', 'Luik'])}`,
    }[kind]
  })
  const heads = {
    vehicles: 'plate;kind;brand;description;number',
    tyres: 'plate;size;brand;season;position;depth;note',
    articles: 'brand;size;pattern',
    customers: 'name;code;city',
  }
  return { name: `good ${kind}`, content: strToU8(`${heads[kind]}\n${rows.join('\n')}\n`) }
}

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const checks = tally(log)
  const random = seededRandom(seed)
  const files = short ? ways.length * 2 : 1000
  const undone = short ? 12 : 200
  const server = await openTestServer()
  const w = await world({
    server,
    served: () => ({ limits: { ...defaultLimits, costly: 1_000_000 } }),
  })
  try {
    checks.check(
      'a good workbook',
      wrongWith(
        (await send(w, '/imports/check', 'vehicles', { name: 'good', content: await goodWorkbook() })) as never,
      ),
    )
    checks.control(
      'a broken answer',
      wrongWith({ status: 500, text: '{}', refusal: { code: 'server.failed' } as never }) !== null,
    )

    const memory = watchMemory(process.pid)
    let [read, nth] = [0, -1]
    // a site reads one file after the other
    for await (const file of makeFiles(files)) {
      nth++
      if (file.content.length > maxImportBytes) continue
      const before = memory.grown()
      const reply = await send(w, '/imports/check', kinds[nth % kinds.length] as string, file)
      checks.check(`${file.name} (${nth})`, wrongWith(reply as never))
      if (reply.status === 200) read++
      if (memory.grown() > before + 20) log(`${file.name} (${nth}): + ${memory.grown()} MB`)
    }
    memory.stop()
    checks.check('memory', memory.grown() < mostMemory ? null : `grew by ${memory.grown()} MB`)

    const plates = await fleet(w)
    let effective = 0
    for (let nth = 0; nth < undone; nth++) {
      const kind = kinds[nth % kinds.length] as (typeof kinds)[number]
      const before = await rowsOf(w)
      const taken = await send(w, '/imports/take', kind, goodFile(random, kind, plates))
      const { _id, added, changed } = taken.answer as { _id: number; added: number; changed: number }
      if (taken.status !== 200) {
        checks.check(`import ${nth}`, `${taken.status} ${taken.text.slice(0, 300)}`)
        continue
      }
      if (added + changed > 0 && effective++ === 0)
        checks.control('an import that is not undone', (await rowsOf(w)) !== before)
      const back = await w.ask(imports.undo, w.who.admin, { _id })
      checks.check(`undo ${nth} of ${kind}`, back.status === 200 ? null : back.text.slice(0, 300))
      checks.check(`rows after undo ${nth} of ${kind}`, (await rowsOf(w)) === before ? null : 'they differ')
    }
    checks.check('imports', effective > undone / 2 ? null : `only ${effective} of ${undone} changed anything`)
    const large = await measureLargeImport({ short, log })
    for (const [what, fault] of Object.entries(large.faults)) checks.check(what, fault)
    return checks.result(
      `${files} files, ${read} of them read; memory + ${memory.grown()} MB; ${undone} imports undone, ${effective} of which had changed something; ${large.figures}`,
    )
  } finally {
    await w.close()
    await server.end()
  }
}

/** Vehicles with tyres that imports change. */
async function fleet(w: World): Promise<string[]> {
  const plates = Array.from({ length: 8 }, (_, nth) => `1OLD${nth + 100}`)
  for (const plate of plates) {
    const vehicle = await w.addVehicle({ customer: w.customers.a, plate })
    await w.addSet({ vehicle, set: 'Winter', status: 'at_customer', depth: 8 })
  }
  return plates
}
