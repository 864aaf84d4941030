/** Receipts of storages, the overview of stored wheels, and the texts that a site prints on them (docs/product/money.md "Papers"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import sharp from 'sharp'
import { contract } from '#contract/index.ts'
import { openPrintPool, type PrintPool } from '../../printing/pool.ts'
import { printed, scanned } from '../../testing/labelReader.ts'
import { openPdf, textOf } from '../../testing/pdf.ts'
import { startMailServer, type MailServer } from '../../testing/mailServer.ts'
import { addOperation, clear, type Made } from '../../testing/operations.ts'
import { world, type Principal, type World } from '../../testing/world.ts'
import { sendNextMail } from '../mail/outbox.ts'
import { smtpTransport } from '../mail/transport.ts'
import { attachPapers } from '../attachments/attachments.ts'

const { papers: calls, operations, fleet } = contract
let w: World
let server: MailServer
let pool: PrintPool

beforeAll(async () => {
  server = await startMailServer()
  pool = openPrintPool({ threads: 1 })
  w = await world({ now: new Date('2026-11-20T07:30:00Z'), served: () => ({ sendsMail: true, printPool: pool }) })
})
afterAll(async () => {
  await w.close()
  await pool.close()
  await server.close()
})
beforeEach(async () => {
  w.clock.now = new Date('2026-11-20T07:30:00Z')
  await clear(w)
  await w.query('delete from mail')
  await w.query('delete from site_paper')
  await w.query(`update account set email = '' where type = 'user'`)
  await w.setSite(w.sites.home, { allow_profile_depth: true, do_doc_insert: false, time_zone: 'Europe/Brussels' })
  server.taken.length = 0
})

/** A storage of a set with steel rims and bolts, confirmed without its last wheel where that is missing. */
async function stored({ missing = false } = {}): Promise<Made> {
  const vehicle = await w.addVehicle({})
  const tyres = await w.addSet({ vehicle, depth: 6.5 })
  const operation = await addOperation(w, { vehicle, tyres, status: 'submitted' })
  await w.query(`update operation set with_rims = 'steel', with_bolts = true where id = $1`, [operation.id])
  const scans = (missing ? tyres.slice(0, 3) : tyres).map(tyreId => ({ tyreId }))
  await w.ask(operations.markscan, w.who.admin, { tyres: scans })
  const reply = await w.ask(operations.confirm, w.who.admin, { operation: { _id: operation.id }, anyway: missing })
  expect(reply.status, reply.text).toBe(200)
  return operation
}
const receipt = (operation: number, who: Principal = w.who.admin) => w.ask(calls.receipt, who, { operation })
const drawn = async () =>
  (
    await sharp({ create: { width: 600, height: 200, channels: 3, background: 'black' } })
      .png()
      .toBuffer()
  ).toString('base64')
const inAll = (text: string) => ({ nl: `${text} nl`, fr: `${text} fr`, en: `${text} en`, de: `${text} de` })

/** Reports damage of a tyre, or that nothing is the matter, with photos taken now. */
async function photographed(
  tyre: number,
  code: 'cut' | 'nail' | null,
  { note = '', photos = 1 } = {},
): Promise<number> {
  const [report] = await w.query<{ id: number }>(
    `insert into damage_report (site_id, tyre_id, customer_id, code, note, at)
     select site_id, id, customer_id, $2, $3, $4 from tyre where id = $1 returning id`,
    [tyre, code, note, w.clock.now],
  )
  const small = await sharp({ create: { width: 240, height: 180, channels: 3, background: 'red' } })
    .webp()
    .toBuffer()
  await w.query(
    `insert into photo (site_id, report_id, customer_id, digest, width, height, content, small, at)
     select r.site_id, r.id, r.customer_id, lpad(to_hex(nth), 64, '0'), 240, 180, '', $2, $3
     from damage_report r, generate_series(1, $4) nth where r.id = $1`,
    [report?.id, small, w.clock.now, photos],
  )
  return report?.id ?? 0
}
/** How many pictures a print has. */
async function picturesOf(base64: string): Promise<number> {
  const pdf = await openPdf(Buffer.from(base64, 'base64'))
  let pictures = 0
  for (let nth = 1; nth <= pdf.numPages; nth++) {
    const { fnArray } = await (await pdf.getPage(nth)).getOperatorList()
    pictures += fnArray.filter(operator => operator === OPS.paintImageXObject).length
  }
  return pictures
}
const at = (time: string) => void (w.clock.now = new Date(time))

describe('photos', () => {
  /** A set, as `prepare` has left it, stored by an operation that is confirmed at 8:30. */
  async function storedAfter(prepare: (tyres: number[]) => Promise<unknown>): Promise<Made> {
    const vehicle = await w.addVehicle({})
    const tyres = await w.addSet({ vehicle })
    const operation = await addOperation(w, { vehicle, tyres, status: 'submitted' })
    await prepare(tyres)
    at('2026-11-20T07:30:00Z')
    await w.ask(operations.markscan, w.who.admin, { tyres: tyres.map(tyreId => ({ tyreId })) })
    await w.ask(operations.confirm, w.who.admin, { operation: { _id: operation.id } })
    return operation
  }
  const printOf = async (operation: number) => (await w.ask(calls.receiptpdf, w.who.admin, { operation })).answer

  test('of damage stand on the receipt with their captions', async () => {
    const { id } = await storedAfter(async ([first = 0, second = 0, third = 0]) => {
      at('2026-11-17T10:00:00Z')
      await photographed(first, 'cut', { note: 'Along the kerb', photos: 2 })
      // mended, and of another day
      const mended = await photographed(second, 'nail')
      await w.query(`update damage_report set ended = 'repaired', ended_at = $2 where id = $1`, [mended, w.clock.now])
      await photographed(second, null)
      at('2026-11-20T07:00:00Z')
      await photographed(third, null)
    })
    at('2026-11-20T08:00:00Z')
    const [tyre] = await w.query<{ id: number }>(`select id from tyre where position = '2B' order by id desc limit 1`)
    await photographed(tyre?.id ?? 0, 'nail')
    const pdf = await printOf(id)
    expect(await picturesOf(pdf)).toBe(3)
    const words = await textOf(pdf)
    expect(words).toContain('Photos')
    expect(words.match(/1A · Cut · 17\/11\/2026 Along the kerb/g)).toHaveLength(2)
    expect(words).toContain('2A · 20/11/2026')
    expect(words).not.toContain('Nail')
    expect(words).not.toContain('more photo')
    // damage repaired later still counts for the earlier receipt
    await w.query(
      `update damage_report set ended = 'repaired', ended_at = $1 where ended is null and code is not null`,
      [w.clock.now],
    )
    expect(await picturesOf(await printOf(id))).toBe(3)
  })

  test('are no more than 24, and the receipt says how many others there are', async () => {
    const { id } = await storedAfter(async tyres => {
      at('2026-11-20T07:00:00Z')
      for (const tyre of tyres) await photographed(tyre, 'cut', { photos: 7, note: 'A long note. '.repeat(30) })
    })
    const pdf = await printOf(id)
    expect(await picturesOf(pdf)).toBe(24)
    expect(await textOf(pdf)).toContain('4 more photos are in the portal.')
  })

  test('stand on a delivery note, also for its customer, and on no work note', async () => {
    for (const type of ['deliverynote', 'worknote']) {
      await w.setSite(w.sites.home, { do_doc_insert: true, doc_insert_type: type })
      const { id } = await storedAfter(async ([first = 0]) => {
        at('2026-11-20T07:00:00Z')
        await photographed(first, 'cut')
      })
      const [document] = await w.query<{ id: number }>('select id from document where operation_id = $1', [id])
      const input = { db_id: document?.id ?? 0 }
      const { answer } = await w.ask(fleet.historydocument, w.who.a, input)
      expect(await picturesOf(answer)).toBe(type === 'deliverynote' ? 1 : 0)
    }
  })

  test('go out with the receipt by mail', async () => {
    await w.query(`update account set email = 'a@example.org' where id = $1`, [w.who.a.account])
    const { id } = await storedAfter(async ([first = 0]) => {
      at('2026-11-20T07:00:00Z')
      await photographed(first, 'cut')
    })
    await w.ask(calls.mail, w.who.admin, { operation: id })
    const transport = smtpTransport({ url: server.url, from: 'w@example.org' })
    const sending = { transport, publicUrl: 'https://w.example' }
    const attach = attachPapers(w.database, pool)
    await sendNextMail(w.database, { ...sending, attach, clock: () => w.clock.now })
    transport.close()
    const content = server.taken[0]?.attachments[0]?.content
    expect(await picturesOf(content?.toString('base64') ?? '')).toBe(1)
  })
})

describe('a receipt', () => {
  test('says the wheels as they were handed over, whatever becomes of them', async () => {
    const { id, tyres, vehicle } = await stored()
    const before = (await receipt(id)).answer
    expect(before).toMatchObject({ operation: id, flt_id: vehicle, date: '2026-11-20', signed: null })
    expect(before.wheels).toHaveLength(4)
    expect(before.wheels[0]).toEqual({
      id: tyres[0],
      position: '1A',
      description: 'Michelin Alpin 6 205/55R16 91H',
      set: 'Winter',
      depth: 6.5,
      rims: 'steel',
      bolts: true,
      hubcaps: false,
      missing: false,
      damages: [],
    })
    await w.query(
      `update tyre set description = 'Another', tyre_set = 'Old', profile_depth = 2, rims = null where id = any ($1)`,
      [tyres],
    )
    expect((await receipt(id)).answer.wheels).toEqual(before.wheels)
    await w.ask(fleet.transfer, w.who.admin, { flt_id: vehicle, seq_id: w.customers.b, date: '2026-11-20' })
    expect((await receipt(id, w.who.a)).answer.wheels).toEqual(before.wheels)
    expect((await receipt(id, w.who.b)).refusal.code).toBe('record.missing')
  })

  test('names what was missing, and hides depth where the site does', async () => {
    const { id, tyres } = await stored({ missing: true })
    const missing = (await receipt(id)).answer.wheels.filter(wheel => wheel.missing)
    expect(missing.map(wheel => wheel.id)).toEqual([tyres[3]])
    await w.setSite(w.sites.home, { allow_profile_depth: false })
    expect((await receipt(id)).answer.wheels.every(({ depth }) => depth === null)).toBe(true)
    expect(await textOf((await w.ask(calls.receiptpdf, w.who.admin, { operation: id })).answer)).not.toMatch(/6[.,]5/)
  })

  test('of a storage from before wheels were kept says them from the history', async () => {
    const { id, tyres } = await stored()
    const before = (await receipt(id)).answer
    await w.query('delete from handed_wheel where operation_id = $1', [id])
    await w.query('update tyre set profile_depth = 1 where id = any ($1)', [tyres])
    expect((await receipt(id)).answer).toEqual(before)
  })

  test('is of confirmed storages alone, for the customer and the site: others get the answer of an unknown one', async () => {
    const { id } = await stored()
    const pending = await addOperation(w, {})
    const recall = await addOperation(w, { type: 'to_customer', status: 'confirmed' })
    expect((await receipt(id, w.who.a)).status).toBe(200)
    const unknown = (await receipt(2e9, w.who.a)).text.replace(/"requestId":"[^"]*"/, '')
    for (const [operation, who] of [
      [id, w.who.b],
      [pending.id, w.who.a],
      [recall.id, w.who.a],
    ] as const) {
      const reply = await receipt(operation, who)
      expect([reply.status, reply.text.replace(/"requestId":"[^"]*"/, '')]).toEqual([404, unknown])
    }
    expect((await receipt(id, w.who.otherUser)).refusal.code).toBe('record.missing')
    expect((await receipt(id, w.who.anonymous)).status).toBe(401)
  })

  test('is printed in the language of the customer with a code that opens its page, and no place', async () => {
    const { id, tyres } = await stored()
    await w.query(`update account set language = 'ger' where customer_id = $1`, [w.customers.a])
    const location = await w.query<{ path: string }>(
      'select path from location l join tyre t on t.location_id = l.id where t.id = $1',
      [tyres[0]],
    )
    const { answer } = await w.ask(calls.receiptpdf, w.who.admin, { operation: id })
    const text = await textOf(answer)
    for (const phrase of [
      'Einlagerungsschein',
      `Nr. ${id}`,
      '20/11/2026',
      '6,5 mm',
      'Stahlfelge',
      'Radschrauben',
      `#${tyres[0]}`,
    ])
      expect(text).toContain(phrase)
    for (const { path } of location) expect(text).not.toContain(path)
    const [page] = await printed(Buffer.from(answer, 'base64'))
    if (!page) throw new Error('no page')
    expect(await scanned(page)).toEqual([`http://${w.who.admin.host}/receipt?operation=${id}`])
    await w.query(`update account set language = null where customer_id = $1`, [w.customers.a])
  })

  test('is signed once, and shows who signed', async () => {
    const { id } = await stored()
    const signing = { operation: id, name: 'Jo Peeters', signature: await drawn() }
    expect((await w.ask(calls.sign, w.who.admin, { ...signing, signature: 'AAAA' })).refusal.code).toBe(
      'image.unreadable',
    )
    expect((await w.ask(calls.sign, w.who.admin, signing)).status).toBe(200)
    expect((await w.ask(calls.sign, w.who.admin, signing)).refusal.code).toBe('papers.signed')
    expect((await receipt(id, w.who.a)).answer.signed).toMatchObject({ name: 'Jo Peeters' })
    const text = await textOf((await w.ask(calls.receiptpdf, w.who.a, { operation: id })).answer)
    expect(text).toContain('Signed by Jo Peeters on 20/11/2026 08:30')
    expect(await w.query(`select subject from audit where action = 'papers.sign'`)).toEqual([
      { subject: `operation ${id}` },
    ])
  })

  test('goes by mail to the accounts of its customer that have an address, as a PDF in their language', async () => {
    const { id } = await stored()
    expect((await w.ask(calls.mail, w.who.admin, { operation: id })).refusal.code).toBe('papers.no_address')
    await w.query(`update account set email = 'jo@example.net', language = 'dut' where id = $1`, [w.who.a.account])
    expect((await w.ask(calls.mail, w.who.admin, { operation: id })).answer).toEqual({ messages: 1 })
    const transport = smtpTransport({ url: server.url, from: 'portal@example.org' })
    const problems: string[] = []
    const sending = {
      transport,
      publicUrl: 'https://portal.example.org/',
      clock: () => w.clock.now,
      attach: attachPapers(w.database, pool),
      failed: (_: number, problem: string) => void problems.push(problem),
    }
    while (await sendNextMail(w.database, sending));
    transport.close()
    expect(problems).toEqual([])
    const [message] = server.taken
    expect(message?.subject).toContain(`Bewijs van opslag Nr. ${id}`)
    const [file] = message?.attachments ?? []
    expect([file?.contentType, file?.filename]).toEqual(['application/pdf', `Bewijs-van-opslag-Nr-${id}.pdf`])
    const text = await textOf(file?.content.toString('base64') ?? '')
    expect(text).toContain('Bewijs van opslag')
    expect(text).toContain('6,5 mm')
    await w.query(`update account set email = '', language = null where id = $1`, [w.who.a.account])
  })
})

describe('an overview', () => {
  test('lists what a customer has in store, since when, and until when the ledger says it is paid', async () => {
    const vehicle = await w.addVehicle({ plate: '1OVE001' })
    const tyres = await w.addSet({ vehicle, status: 'in_stock', statusDate: '2026-10-01', depth: 5.25 })
    await w.addSet({ vehicle: await w.addVehicle({ plate: '1OVE002', customer: w.customers.b }), status: 'in_stock' })
    await w.query(
      `insert into storage_ledger (site_id, tyre_id, customer_id, since, until)
       select site_id, id, customer_id, '2026-10-01', '2026-10-31' from tyre where id = any ($1)`,
      [tyres],
    )
    for (const [who, input] of [
      [w.who.a, {}],
      [w.who.admin, { seq_id: w.customers.a }],
    ] as const) {
      const text = await textOf((await w.ask(calls.overview, who, input)).answer)
      expect(text).toContain('1-OVE-001 · Winter 4 × Michelin Alpin 6 205/55R16 91H 5.25 mm 01/10/2026 31/10/2026')
      expect(text).not.toContain('OVE-002')
    }
    expect((await w.ask(calls.overview, w.who.admin, {})).refusal.code).toBe('record.missing')
    expect((await w.ask(calls.overview, w.who.a, { seq_id: w.customers.b })).refusal.code).toBe('record.missing')
  })
})

describe('what a site prints', () => {
  const form = { header: inAll('Open on Saturdays'), footer: inAll('VAT BE0739484052'), terms: inAll('We are insured') }

  test('stands on every paper in its language, with the columns that were chosen', async () => {
    const { id } = await stored()
    const saved = await w.ask(calls.save, w.who.admin, { ...form, columns: ['set'], version: 0 })
    expect(saved.answer).toMatchObject({ ...form, columns: ['set'], version: 1 })
    expect((await w.ask(calls.layout, w.who.admin, {})).answer).toEqual(saved.answer)
    const text = await textOf((await w.ask(calls.receiptpdf, w.who.a, { operation: id })).answer)
    for (const phrase of ['Open on Saturdays en', 'VAT BE0739484052 en', 'We are insured en', 'Winter'])
      expect(text).toContain(phrase)
    for (const phrase of ['mm', '#', 'steel', ' nl']) expect(text).not.toContain(phrase)
    const preview = await w.ask(calls.preview, w.who.admin, {
      ...form,
      columns: ['depth'],
      shows: 'document',
      lang: 'fr',
    })
    const shown = await textOf(preview.answer)
    for (const phrase of ['Open on Saturdays fr', 'Bon de travail', '6,5 mm']) expect(shown).toContain(phrase)
  })

  test('is saved over the version that was edited alone, and has no more lines than fit', async () => {
    const save = (version: number, terms = form.terms) =>
      w.ask(calls.save, w.who.admin, { ...form, terms, columns: [], version })
    expect((await save(3)).refusal.code).toBe('config.changed')
    expect((await save(0)).answer.version).toBe(1)
    expect((await save(0)).refusal.code).toBe('config.changed')
    expect((await save(1)).answer.version).toBe(2)
    const lines = { ...form.header, en: 'x\n'.repeat(6) + 'x' }
    expect(
      (await w.ask(calls.save, w.who.admin, { ...form, header: lines, columns: [], version: 2 })).refusal.code,
    ).toBe('request.invalid')
  })
})
