/** The labels of a day's storages in one print (docs/product/warehouse.md "Labels"). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { encodeBarcode } from '#domain/warehouse/barcode.ts'
import type { LabelPrinters } from '../../outbound/labelPrinters.ts'
import { openPrintPool, type PrintPool } from '../../printing/pool.ts'
import { addOperation, clear, type Made } from '../../testing/operations.ts'
import { textOf } from '../../testing/pdf.ts'
import { warehouseOf } from '../../testing/warehouse.ts'
import { world, type Principal, type World } from '../../testing/world.ts'

const { labels: calls, fleet } = contract
const day = '2026-11-20'
let w: World
let pool: PrintPool
let report: number
/** The jobs sent to the printers of the site; `off`: they accept none. */
const sent: { printer: string; zpl: string }[] = []
let off = false

const labelPrinters: LabelPrinters = {
  of: site => (site === 'home' ? [{ site, name: 'Dock', host: 'dock.lan', port: 9100, dpi: 203 }] : []),
  async send({ name }, zpl) {
    if (off) throw new Error('the printer does not answer')
    sent.push({ printer: name, zpl })
  },
}

beforeAll(async () => {
  pool = openPrintPool({ threads: 1 })
  w = await world({ now: new Date('2026-11-20T10:00:00Z'), served: () => ({ printPool: pool, labelPrinters }) })
  const [first] = await w.query<{ number: number }>(
    'select min(number) as number from label_report where site_id = $1',
    [w.sites.home],
  )
  report = first?.number ?? 0
})
afterAll(async () => {
  await w.close()
  await pool.close()
})
beforeEach(async () => {
  w.clock.now = new Date('2026-11-20T10:00:00Z')
  await clear(w)
  await w.query('delete from label_print')
  sent.length = 0
  off = false
})

async function storage(plate: string, wish: Partial<Parameters<typeof addOperation>[1]> = {}): Promise<Made> {
  const vehicle = await w.addVehicle({ plate })
  return addOperation(w, { vehicle, tyres: await w.addSet({ vehicle }), status: 'submitted', ...wish })
}
const count = async (date = day, who: Principal = w.who.admin) => (await w.ask(calls.day, who, { day: date })).answer
const print = (more: { again?: boolean; report_id?: number } = {}) =>
  w.ask(calls.print, w.who.admin, { day, report_id: report, ...more })
/** The plates on a print, each once. */
const platesOn = async (base64: string) => [...new Set((await textOf(base64)).match(/1-DAY-\d{3}/g))]

test('a storage belongs to the day on which it arrives, else on which it was submitted, and to that of its confirmation', async () => {
  await storage('1DAY001', { deliveryDate: day })
  await storage('1DAY002', { deliveryDate: '2026-11-23' })
  await storage('1DAY003')
  w.clock.now = new Date('2026-11-18T10:00:00Z')
  await storage('1DAY004')
  w.clock.now = new Date('2026-11-20T10:00:00Z')
  await storage('1DAY005', { status: 'confirmed', handledAt: new Date('2026-11-19T23:30:00Z') })
  await storage('1DAY006', { status: 'confirmed', handledAt: new Date('2026-11-19T22:30:00Z') })
  await storage('1DAY007', { type: 'to_customer' })
  await storage('1DAY008', { status: 'pending' })
  expect(await count()).toEqual({ waiting: 12, printed: 0 })
  expect(await platesOn((await print()).answer)).toEqual(['1-DAY-001', '1-DAY-003', '1-DAY-005'])
  expect(await count('2026-11-23')).toEqual({ waiting: 4, printed: 0 })
  expect(await count('2026-11-18')).toEqual({ waiting: 4, printed: 0 })
})

test('what was printed on the day, by whatever print, is left out until it is asked for', async () => {
  const first = await storage('1DAY011')
  const single = { tyres: first.tyres.slice(0, 3), report_id: report }
  expect((await w.ask(fleet.getTyreLabels, w.who.a, single)).status).toBe(200)
  await storage('1DAY012')
  expect(await count()).toEqual({ waiting: 5, printed: 3 })
  expect((await print()).status).toBe(200)
  expect(await count()).toEqual({ waiting: 0, printed: 8 })
  expect((await print()).refusal.code).toBe('label.none')
  expect(await platesOn((await print({ again: true })).answer)).toEqual(['1-DAY-011', '1-DAY-012'])
  // a label of the day before may be on no wheel yet
  w.clock.now = new Date('2026-11-20T23:30:00Z')
  await w.query('update session set seen_at = $1', [w.clock.now])
  await w.query('update operation set submitted_at = $1', [w.clock.now])
  expect(await count('2026-11-21')).toEqual({ waiting: 8, printed: 0 })
})

test('an account of the warehouse prints them, a customer does not, and another site has its own', async () => {
  await storage('1DAY021')
  expect(await count(day, await warehouseOf(w))).toEqual({ waiting: 4, printed: 0 })
  expect((await w.ask(calls.day, w.who.a, { day })).refusal.code).toBe('session.forbidden')
  expect(await count(day, w.who.otherAdmin)).toEqual({ waiting: 0, printed: 0 })
  expect((await print({ report_id: 999 })).refusal.code).toBe('label.report_missing')
  expect(await count()).toEqual({ waiting: 4, printed: 0 })
})

const send = (more: object, who: Principal = w.who.admin) =>
  w.send(calls.send.path, who, { printer: 'Dock', report_id: report, ...more })

test('labels of tyres, or of the day, go to a printer of the site as ZPL, each with the code of its tyre', async () => {
  const { tyres } = await storage('1DAY031')
  expect((await w.ask(calls.printers, w.who.admin, {})).answer).toEqual([{ name: 'Dock' }])
  expect((await send({ tyres: tyres.slice(0, 1) })).answer).toEqual({ labels: 1 })
  expect(await count()).toEqual({ waiting: 3, printed: 1 })
  expect((await send({ day })).answer).toEqual({ labels: 3 })
  expect((await send({ day })).refusal.code).toBe('label.none')
  expect((await send({ day, again: true })).answer).toEqual({ labels: 4 })
  expect(sent.map(({ zpl }) => zpl.match(/\^XA/g)?.length)).toEqual([1, 3, 4])
  for (const tyre of tyres) expect(sent[2]?.zpl).toContain(encodeBarcode({ tyre, site: w.sites.home }))
  expect(sent[2]?.zpl).toContain('1-DAY-031')
})

test('a printer is one that the operator named for the site, and has no sheets', async () => {
  const { tyres } = await storage('1DAY041')
  expect((await send({ tyres, printer: '10.0.0.1:9100' })).refusal.code).toBe('label.printer_missing')
  expect((await w.ask(calls.printers, w.who.otherAdmin, {})).answer).toEqual([])
  expect((await send({ day }, w.who.otherAdmin)).refusal.code).toBe('label.printer_missing')
  expect((await send({ tyres }, w.who.a)).refusal.code).toBe('session.forbidden')
  expect((await send({ tyres, day })).refusal.code).toBe('request.invalid')
  expect((await send({})).refusal.code).toBe('request.invalid')
  await w.query(`update label_report set layout = 'sheet_a4_2x7' where site_id = $1 and number = $2`, [
    w.sites.home,
    report,
  ])
  expect((await send({ tyres })).refusal.code).toBe('label.sheet')
  await w.query(`update label_report set layout = 'roll_62x100' where site_id = $1 and number = $2`, [
    w.sites.home,
    report,
  ])
  expect(sent).toEqual([])
})

test('a printer that is off is said by its name, and the labels can be sent again', async () => {
  const { tyres } = await storage('1DAY051')
  off = true
  const refused = await send({ tyres })
  expect(refused.refusal).toMatchObject({ code: 'label.printer_failed', params: { printer: 'Dock' } })
  expect(refused.refusal.message).toContain('Dock')
  expect(await count()).toEqual({ waiting: 4, printed: 0 })
  off = false
  expect((await send({ day })).answer).toEqual({ labels: 4 })
  expect(await count()).toEqual({ waiting: 0, printed: 4 })
})
