/**
 * Prints (docs/promises.md "Prints"): hostile texts appear in PDFs literally and inactive, qpdf reports no errors, and
 * labels rendered at 203 dpi are read by two decoders and from keystrokes of four layouts. qpdf, pdftotext and zbarimg are programs of the system (Debian: qpdf, poppler-utils, zbar-tools).
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { configurationTemplates } from '#domain/vehicles/axle.ts'
import { encodeBarcode, readScan, typeScan, type Layout } from '#domain/warehouse/barcode.ts'
import { labelPapers, type LabelLayout } from '#domain/warehouse/label.ts'
import { paperColumns } from '#domain/texts/paper.ts'
import { printDocument, type PrintedDocument } from '../src/server/printing/documents.ts'
import { documentTexts } from '../src/server/printing/documentTexts.ts'
import { printLabels, type LabelledTyre } from '../src/server/printing/labels.ts'
import { printed, scanned, scannedByZbar } from '../src/server/testing/labelReader.ts'
import { tally, type DrillOptions, type Result, type Tally } from './drill.ts'
import { seededRandom, type Random } from './hostileInput.ts'

export const promise = 21
export const summary = 'PDFs are literal, inactive and readable'
export const long = true

const site = 7
const now = new Date('2026-11-20T10:00:00Z')

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const checks = tally(log)
  const notes: string[] = []
  const directory = mkdtempSync(join(tmpdir(), 'wheelhouse-prints-'))
  const draw = seededRandom(21)
  try {
    const texts = Array.from({ length: short ? 200 : 1000 }, () => hostileText(draw))
    await checkLiteral(texts, directory, checks, notes)
    await checkInactive(directory, checks, notes)
    const read = await readBack(short ? 200 : 10_000, draw, checks)
    notes.push(read)
    typed(short ? 200 : 10_000, draw, checks)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
  return checks.result(...notes)
}

const words = [
  '(',
  ')',
  '((',
  '))',
  '\\',
  '\\\\',
  '\\n',
  '\\053',
  '\\)',
  '<<',
  '>>',
  '<',
  '>',
  '[',
  ']',
  '{',
  '}',
  '%',
  '%%EOF',
  '%PDF-1.7',
  'endstream',
  'endobj',
  'stream',
  'xref',
  'trailer',
  'startxref',
  '1 0 obj',
  '/JS',
  '/JavaScript',
  '/OpenAction',
  '/Launch',
  '/AA',
  '/EmbeddedFile',
  '(app.alert(1))',
  'BT',
  'ET',
  'Tj',
  "'",
  '"',
  'Q q',
  '<script>',
  '=cmd|calc',
  '{{most}}',
  '$t(fleet)',
  '${x}',
  '&amp;',
  'Ł',
  'ß',
  'é',
  'Ж',
  'Ω',
  '€',
  '½',
  '№',
  '“',
  '—',
  '…',
  'ÿþ',
  'Ċ',
  '#41',
  '1e308',
  '-0',
]

/** A line of at most 99 characters, the limit of a description. */
function hostileText(draw: Random): string {
  const parts = Array.from({ length: 2 + draw.below(12) }, () => draw.of(words))
  return parts
    .join(draw.of(['', ' ']))
    .slice(0, 99)
    .trim()
}

type Run = { readonly code: number | 'absent'; readonly output: string }
const execute = (program: string, given: string[]): Promise<Run> =>
  new Promise(resolve => {
    execFile(program, given, { encoding: 'latin1', maxBuffer: 256 * 1024 * 1024 }, (error, out, err) =>
      resolve({
        code: error?.code === 'ENOENT' ? 'absent' : error ? Number(error.code) : 0,
        output: out + err,
      }),
    )
  })

const withoutSpaces = (text: string): string => text.normalize('NFKC').replaceAll(/\s/g, '')

const document = (lines: readonly string[]): PrintedDocument => ({
  type: 'worknote',
  year: 2026,
  number: 1,
  date: '2026-11-20',
  amount: 0,
  site: lines[0] ?? '',
  email: lines[1] ?? '',
  customer: {
    name: lines[2] ?? '',
    company: lines[3] ?? '',
    street: lines[4] ?? '',
    zipcode: '',
    city: lines[5] ?? '',
  },
  plate: '1ABC234',
  vehicle: lines[6] ?? '',
  paper: { header: '', footer: '', terms: '', columns: paperColumns },
  wheels: [],
  lines: lines.map(description => ({ article: null, description, quantity: null, price: null })),
  tyres: [],
  delivery: null,
  photos: [],
  payment: null,
})

const tyre = (id: number, text: string): LabelledTyre => ({
  id,
  plate: '1ABC234',
  position: '2A',
  size: '',
  description: text,
  set: 'Winter',
  customer: 'Garage',
  depth: 6.5,
  axles: configurationTemplates[0].axles,
})

/** Each text is literally in a document and on a label. */
async function checkLiteral(texts: readonly string[], directory: string, { check, control }: Tally, notes: string[]) {
  const files: [name: string, texts: readonly string[], pdf: Buffer][] = []
  for (let from = 0; from < texts.length; from += 50) {
    const some = texts.slice(from, from + 50)
    const paper = document(some)
    files.push([`document-${from}`, some, await buffer(printDocument(paper, documentTexts(paper, 'eng'), 'eng'))])
    const labels = some.map((text, nth) => tyre(nth + 1, text))
    const print = { layout: 'roll_62x100', site, lang: 'eng', now } as const
    files.push([`labels-${from}`, some, await buffer(printLabels(labels, print))])
  }
  for (const [name, some, pdf] of files) {
    const file = join(directory, `${name}.pdf`)
    writeFileSync(file, pdf)
    const { code, output } = await execute('pdftotext', ['-raw', '-enc', 'UTF-8', file, '-'])
    if (code === 'absent') {
      notes.push('pdftotext is not installed: the text of PDFs was not checked')
      return
    }
    const read = withoutSpaces(Buffer.from(output, 'latin1').toString('utf8'))
    for (const text of some)
      check(`${name}: ${text}`, read.includes(withoutSpaces(text)) ? null : 'is not in it literally')
    if (name === 'document-0') control('a text that is not there', !read.includes('thisisnotthere'))
  }
}

const active =
  /\/(?:JS|JavaScript|OpenAction|AA|Launch|EmbeddedFiles?|URI|SubmitForm|ImportData|RichMedia|XFA|AcroForm|GoToR)\b/g

/** No PDF in the folder is invalid or active. */
async function checkInactive(directory: string, { check, control }: Tally, notes: string[]) {
  const names = (await execute('ls', [directory])).output.split('\n').filter(name => name.endsWith('.pdf'))
  for (const name of names) {
    const file = join(directory, name)
    const { code, output } = await execute('qpdf', ['--check', file])
    if (code === 'absent') {
      notes.push('qpdf is not here: PDFs were not checked')
      return
    }
    check(`qpdf --check ${name}`, code === 0 && !/WARNING/.test(output) ? null : output.slice(0, 300))
    const plain = await execute('qpdf', ['--qdf', '--object-streams=disable', file, '-'])
    const names = activeNames(plain.output)
    check(`what ${name} can do`, names.length > 0 ? names.join(' ') : null)
  }
  control('an active PDF', activeNames('1 0 obj << /OpenAction << /S /JavaScript /JS (x) >> >> endobj').length === 3)
  const broken = join(directory, 'broken')
  writeFileSync(broken, '%PDF-1.7\n1 0 obj <<')
  control('an invalid PDF', (await execute('qpdf', ['--check', broken])).code !== 0)
  notes.push(`${names.length} PDFs checked`)
}

/** Names of active PDF objects, outside of streams. */
const activeNames = (pdf: string): string[] => pdf.replaceAll(/\bstream\r?\n[^]*?endstream/g, '').match(active) ?? []

/** Prints and reads labels of `count` tyres: all with both decoders, more on sheets. */
async function readBack(count: number, draw: Random, { check, control }: Tally): Promise<string> {
  const unique = new Set<number>()
  while (unique.size < count) unique.add(1 + draw.below(draw() < 0.5 ? 300_000 : 2_147_483_647))
  const ids = [...unique]
  const onRolls = Math.round(count / 40)
  const papers: [LabelLayout, number[]][] = [
    ['roll_62x100', ids.slice(0, onRolls)],
    ['roll_57x32', ids.slice(onRolls, 2 * onRolls)],
    ['sheet_a4_2x7', ids.slice(2 * onRolls)],
  ]
  let zbar = 0
  for (const [layout, some] of papers) {
    const onPage = labelPapers[layout].across * labelPapers[layout].down
    for (let from = 0; from < some.length; from += onPage * 10) {
      const ids = some.slice(from, from + onPage * 10)
      const labels = ids.map(id => tyre(id, hostileText(draw)))
      const pages = await printed(await buffer(printLabels(labels, { layout, site, lang: 'dut', now })))
      for (const [nth, page] of pages.entries()) {
        const wanted = ids.slice(nth * onPage, (nth + 1) * onPage).map(id => encodeBarcode({ tyre: id, site }))
        const byZxing = await scanned(page)
        for (const [at, code] of wanted.entries())
          check(`${layout} ${code} by zxing`, byZxing[at] === code ? null : `reads ${byZxing[at]}`)
        const byZbar = await scannedByZbar(page)
        if (byZbar === null) continue
        const read = new Set(byZbar)
        zbar += wanted.length
        for (const code of wanted) check(`${layout} ${code} by zbar`, read.has(code) ? null : 'is not read')
      }
    }
  }
  const [blank] = await printed(
    await buffer(printLabels([tyre(1, '')], { layout: 'roll_57x32', site, lang: 'dut', now })),
  )
  if (blank) {
    blank.data.fill(255)
    control('a blank label', (await scanned(blank)).length === 0)
  }
  return zbar > 0 ? `${count} labels by zxing and ${zbar} by zbar` : `${count} labels by zxing; zbarimg is not here`
}

const keyboards = ['us', 'be', 'fr', 'de'] as const satisfies readonly Layout[]

/** The text that a scanner set to one keyboard layout types on a machine with another, caps lock on or off. */
function typed(count: number, draw: Random, { check, control }: Tally): void {
  for (let nth = 0; nth < count; nth++) {
    const label = { tyre: 1 + draw.below(2_147_483_647), site: 1 + draw.below(9999) }
    const text = encodeBarcode(label)
    for (const machine of keyboards)
      for (const scanner of nth % 10 === 0 ? keyboards : ([machine, 'us'] as const)) {
        const read = readScan(typeScan(text, { scanner, machine, capsLock: nth % 3 === 0 }))
        const right = read !== null && 'tyre' in read && read.tyre === label.tyre && read.site === label.site
        check(`${text} of a scanner for ${scanner} on ${machine}`, right ? null : `reads ${JSON.stringify(read)}`)
      }
  }
  const half = typeScan(encodeBarcode({ tyre: 1, site }), { scanner: 'us', machine: 'be' }).slice(0, -1)
  control('half a label', readScan(half) === null)
}
