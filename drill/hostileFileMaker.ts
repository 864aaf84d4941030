/** The files of hostileFiles.ts, made in a process of their own: making them takes more memory than reading them may. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { strToU8, unzipSync, Zip, ZipDeflate, ZipPassThrough, zipSync } from 'fflate'
import writeWorkbook from 'write-excel-file/node'
import { type Random, seededRandom, texts } from './hostileInput.ts'

const seed = 39
const firstSheet = 'xl/worksheets/sheet1.xml'

export type File = { readonly name: string; readonly content: Uint8Array }
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

/** A workbook with an entry that unpacks to so many MB of something, made without holding them. */
function bomb(parts: Parts, name: string, megabytes: number, filler = '\0'): Uint8Array {
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
  const text = strToU8(filler.repeat(Math.ceil(2 ** 20 / filler.length)))
  for (let pushed = 1; pushed <= megabytes; pushed++) large.push(text, pushed === megabytes)
  zip.end()
  return Buffer.concat(chunks)
}

/** Every way in which a file is made to hurt, from a good workbook. */
export const ways: readonly ((random: Random, parts: Parts, good: Uint8Array) => File)[] = [
  // formulas, and content that is fetched where somebody opens the file
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
  (random, parts) => ({
    name: 'a part that fills the limit',
    content: bomb(
      parts,
      random.of([firstSheet, 'xl/sharedStrings.xml', 'xl/styles.xml']),
      20 + random.below(12),
      random.of(['<row/>', '<a>', '<si><t>x</t></si>', '<row><c t="n"><v>1</v></c></row>', '<!---->', 'x', ' ']),
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

/** A workbook of vehicles that nothing is wrong with. */
export const goodWorkbook = async (): Promise<Uint8Array> =>
  new Uint8Array(
    await writeWorkbook([
      [{ value: 'plate' }, { value: 'brand' }, { value: 'kind' }],
      ...Array.from({ length: 40 }, (_, nth) => [{ value: `1HOS${nth + 100}` }, { value: 'Volvo' }, { value: 'car' }]),
    ]).toBuffer(),
  )

/** So many files, each way in turn, the same each time. */
export async function* makeFiles(count: number): AsyncGenerator<File> {
  const maker = fork(import.meta.filename, ['make'], { serialization: 'advanced' })
  try {
    for (let nth = 0; nth < count; nth++) {
      maker.send('next')
      const [file] = (await once(maker, 'message')) as [File]
      yield file
    }
  } finally {
    maker.kill()
  }
}

if (process.argv[2] === 'make' && process.send) {
  const random = seededRandom(seed)
  const good = await goodWorkbook()
  const parts = unzipSync(good)
  let nth = 0
  process.on('message', () => {
    const way = ways[nth++ % ways.length] as (typeof ways)[number]
    process.send?.(way(random, parts, good))
  })
}
