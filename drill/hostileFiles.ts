/**
 * Files that are made to hurt, or were hurt (docs/promises.md "Imports"): each is read or refused with what to do, in bounded memory; and
 * an import that is undone leaves every row as it was. A whole warehouse goes in at once: largeImport.ts.
 */
import { createHash } from 'node:crypto'
import { strToU8, unzipSync, Zip, ZipDeflate, ZipPassThrough, zipSync } from 'fflate'
import writeWorkbook from 'write-excel-file/node'
import { imports } from '../src/contract/imports.ts'
import type { Refusal } from '../src/domain/failure.ts'
import { usualLimits } from '../src/server/http/rateLimits.ts'
import { sendForm } from '../src/server/testing/config.ts'
import { openTestServer } from '../src/server/testing/setup.ts'
import { world, type Reply, type World } from '../src/server/testing/world.ts'
import { tally, type DrillOptions, type Result } from './drill.ts'
import { type Random, seededRandom, texts } from './hostileInput.ts'
import { measureLargeImport } from './largeImport.ts'

export const promise = 39
export const summary = 'hostile files are read or refused, undone imports leave nothing, and 50,000 tyres go in at once'

const seed = 39
/** By how much the process may grow while it reads any of the files, in MB. */
const mostMemory = 300
const firstSheet = 'xl/worksheets/sheet1.xml'

type File = { readonly name: string; readonly content: Uint8Array }
type Parts = Record<string, Uint8Array>

const sheet = (cells: string): string =>
  `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${cells}</sheetData></worksheet>`
const cell = (ref: string, text: string): string => `<c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c>`
const heading = `<row r="1">${cell('A1', 'plate')}${cell('B1', 'brand')}${cell('C1', 'kind')}</row>`

const archive = (parts: Parts, changed: Record<string, string | Uint8Array>): Uint8Array =>
  zipSync({
    ...parts,
    ...Object.fromEntries(
      Object.entries(changed).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part]),
    ),
  })

/** A workbook with an entry that unpacks to so many MB, made without holding them. */
function bomb(parts: Parts, name: string, megabytes: number): Uint8Array {
  const chunks: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    chunks.push(chunk)
  })
  for (const [other, part] of Object.entries(parts)) {
    if (other === name) continue
    const entry = new ZipPassThrough(other)
    zip.add(entry)
    entry.push(part, true)
  }
  const large = new ZipDeflate(name)
  zip.add(large)
  const zeros = new Uint8Array(1024 * 1024)
  for (let pushed = 1; pushed <= megabytes; pushed++) large.push(zeros, pushed === megabytes)
  zip.end()
  return Buffer.concat(chunks)
}

/** Every way in which a file is made to hurt, from a good workbook. */
const ways: readonly ((random: Random, parts: Parts, good: Uint8Array) => File)[] = [
  // what is calculated, or fetched, where somebody opens it
  random => {
    const formula = random.of(['=WEBSERVICE("http://127.0.0.1/")', "=cmd|' /C calc'!A0", '@SUM(1+9)', '+1+1', '-2+3'])
    return {
      name: 'formula in a text',
      content: strToU8(`plate;brand;kind\n${formula};${formula};car\n1ABC234;Volvo;car\n`),
    }
  },
  (random, parts) => ({
    name: 'formula in a workbook',
    content: archive(parts, {
      [firstSheet]: sheet(
        `${heading}<row r="2"><c r="A2" t="str"><f>${random.of(['WEBSERVICE("http://127.0.0.1/")', 'HYPERLINK("file:///etc/passwd")', 'A2'])}</f><v>1ABC234</v></c>${cell('B2', 'Volvo')}${cell('C2', 'car')}</row>`,
      ),
    }),
  }),
  // more than fits
  (random, parts) => {
    const [row, column] = [random.of([1_048_576, 99_999_999, 60_001]), random.of(['XFD', 'ZZZ', 'A'])]
    const far = `<row r="${row}"><c r="${column}${row}"><v>1</v></c></row>`
    return { name: '10^9 cells', content: archive(parts, { [firstSheet]: sheet(`${heading}${far}`) }) }
  },
  (random, parts) => ({
    name: 'a zip bomb',
    content: bomb(
      parts,
      random.of([firstSheet, 'xl/sharedStrings.xml', 'xl/media/image1.png']),
      100 + random.below(200),
    ),
  }),
  (random, parts) => {
    const content = Buffer.from(archive(parts, { [firstSheet]: sheet('<row/>'.repeat(10_000 + random.below(90_000))) }))
    const entry = content.lastIndexOf(firstSheet) - 46
    content.writeUInt32LE(random.of([0, 10, 0xff_ff_ff_ff]), entry + 24)
    return { name: 'a lie about its size', content }
  },
  random => ({ name: 'too many rows', content: strToU8('a;b\n'.repeat(60_001 + random.below(100_000))) }),
  random => ({ name: 'too many columns', content: strToU8(`${'a;'.repeat(201 + random.below(500_000))}\n1;2\n`) }),
  random => ({
    name: 'a cell without end',
    content: strToU8(`plate;brand\n"${'x'.repeat(1_000_000 + random.below(2_000_000))}"\n`),
  }),
  // entities, and depth
  (random, parts) => {
    const levels = Array.from({ length: 9 }, (_, nth) => `<!ENTITY e${nth + 1} "${`&e${nth};`.repeat(10)}">`).join('')
    const entities = random.of([
      `<!DOCTYPE x [<!ENTITY e0 "lol">${levels}]>`,
      '<!DOCTYPE x [<!ENTITY e9 SYSTEM "file:///etc/passwd">]>',
      '<!DOCTYPE x SYSTEM "http://127.0.0.1/x.dtd">',
    ])
    const rows = sheet(`${heading}<row r="2">${cell('A2', '&e9;')}</row>`)
    return { name: 'entities', content: archive(parts, { [firstSheet]: rows.replace('?>', `?>${entities}`) }) }
  },
  (random, parts) => ({
    name: 'depth without end',
    content: archive(parts, { [firstSheet]: `<?xml version="1.0"?>${'<a>'.repeat(1000 + random.below(200_000))}` }),
  }),
  // what a spreadsheet program would never write
  (random, parts) => ({
    name: 'merged cells',
    content: archive(parts, {
      [firstSheet]: sheet(`${heading}<row r="2">${cell('A2', '1ABC234')}</row>`).replace(
        '</sheetData>',
        `</sheetData><mergeCells count="1"><mergeCell ref="${random.of(['A1:C2', 'A1:XFD1048576', 'C2:A1', ''])}"/></mergeCells>`,
      ),
    }),
  }),
  (random, parts) => ({
    name: 'macros',
    content: archive(parts, { 'xl/vbaProject.bin': Uint8Array.from({ length: 2000 }, () => random.below(256)) }),
  }),
  (random, parts) => {
    const value = random.of(['-1', '999999999', '1e999', 'NaN', 'x', '', '-1e308'])
    const type = random.of(['s', 'n', 'b', 'd', 'e', 'zz'])
    return {
      name: 'a value out of range',
      content: archive(parts, {
        [firstSheet]: sheet(`${heading}<row r="2"><c r="A2" t="${type}" s="99"><v>${value}</v></c></row>`),
      }),
    }
  },
  (random, parts) => ({
    name: 'a way out of the archive',
    content: archive(parts, { [random.of(['../../etc/passwd', '/etc/passwd', String.raw`..\..\boot.ini`])]: 'x' }),
  }),
  (random, parts) => {
    const { [random.of(Object.keys(parts))]: _, ...others } = parts
    return { name: 'a part that is missing', content: zipSync(others) }
  },
  // texts that are none
  random => {
    const text = `plate;brand;kind\n1ABC234;${random.of(texts)};car\n${random.of(texts)};Städte;car\n`
    const content = random.of([
      Buffer.from(text, 'latin1'),
      Buffer.from(`\uFEFF${text}`, 'utf16le'),
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text)]),
      Buffer.concat([Buffer.from([0xfe, 0xff, 0x00]), Buffer.from(text, 'utf16le')]),
      Buffer.concat([Buffer.from(text), Buffer.from([0xc3, 0x28, 0xed, 0xa0, 0x80])]),
    ])
    return { name: 'a wrong encoding', content }
  },
  random => ({ name: 'noise', content: Uint8Array.from({ length: random.below(20_000) }, () => random.below(256)) }),
  random => ({
    name: 'a quotation mark that stays open',
    content: strToU8(
      `plate;brand;kind\n1ABC234;"Vol${random.of(['vo', '""', '"x"'])};car\n${'a;b;c\n'.repeat(random.below(5000))}`,
    ),
  }),
  // a good one that was cut, or hit
  (random, _, good) => ({ name: 'half of one', content: good.slice(0, random.below(good.length)) }),
  (random, _, good) => {
    const content = good.slice()
    for (let hits = 1 + random.below(30); hits > 0; hits--) content[random.below(content.length)] = random.below(256)
    return { name: 'a damaged one', content }
  },
]

/** What is wrong with the answer to a file; `null`: it was read, or refused by a declared failure that says what to do. */
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
    // oxlint-disable-next-line no-await-in-loop -- over one connection
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
    served: () => ({ limits: { ...usualLimits, costly: 1_000_000 } }),
  })
  try {
    const good = new Uint8Array(
      await writeWorkbook([
        [{ value: 'plate' }, { value: 'brand' }, { value: 'kind' }],
        ...Array.from({ length: 40 }, (_, nth) => [
          { value: `1HOS${nth + 100}` },
          { value: 'Volvo' },
          { value: 'car' },
        ]),
      ]).toBuffer(),
    )
    const parts = unzipSync(good)
    checks.check(
      'a good workbook',
      wrongWith((await send(w, '/imports/check', 'vehicles', { name: 'good', content: good })) as never),
    )
    checks.control(
      'a broken answer',
      wrongWith({ status: 500, text: '{}', refusal: { code: 'server.failed' } as never }) !== null,
    )

    global.gc?.()
    const began = process.memoryUsage().rss
    let most = began
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20)
    let read = 0
    for (let nth = 0; nth < files; nth++) {
      const file = (ways[nth % ways.length] as (typeof ways)[number])(random, parts, good)
      if (file.content.length > 5 * 1024 * 1024) continue
      // oxlint-disable-next-line no-await-in-loop -- a site reads one file after the other
      const reply = await send(w, '/imports/check', kinds[nth % kinds.length] as string, file)
      checks.check(`${file.name} (${nth})`, wrongWith(reply as never))
      if (reply.status === 200) read++
    }
    clearInterval(watch)
    const grown = Math.round((most - began) / 1024 / 1024)
    checks.check('memory', grown < mostMemory ? null : `grew by ${grown} MB`)

    const plates = await fleet(w)
    let effective = 0
    for (let nth = 0; nth < undone; nth++) {
      const kind = kinds[nth % kinds.length] as (typeof kinds)[number]
      // oxlint-disable no-await-in-loop -- one import after the other
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
      // oxlint-enable no-await-in-loop
    }
    checks.check('imports', effective > undone / 2 ? null : `only ${effective} of ${undone} changed anything`)
    const large = await measureLargeImport({ short, log })
    for (const [what, fault] of Object.entries(large.faults)) checks.check(what, fault)
    return checks.result(
      `${files} files, ${read} of them read; memory + ${grown} MB; ${undone} imports undone, ${effective} of which had changed something; ${large.figures}`,
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
    // oxlint-disable no-await-in-loop -- a few
    const vehicle = await w.addVehicle({ customer: w.customers.a, plate })
    await w.addSet({ vehicle, set: 'Winter', status: 'at_customer', depth: 8 })
    // oxlint-enable no-await-in-loop
  }
  return plates
}
