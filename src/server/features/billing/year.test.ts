/** A year at a tyre hotel, two seasons and three billing runs, compared with a sheet that knows only what happened (docs/money.md "A year"). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, type IsoDate } from '#domain/texts/date.ts'
import { contract } from '#contract/index.ts'
import { openHotel, paid, runs, type Hotel } from '../../testing/hotelYear.ts'
import { textOf } from '../../testing/pdf.ts'
import { world, type World } from '../../testing/world.ts'
import { workNext } from './work.ts'

const { billing, invoices, figures, papers } = contract
let w: World
let hotel: Hotel

beforeAll(async () => {
  w = await world()
  hotel = await openHotel(w)
})
afterAll(() => w.close())

const alfa = () => hotel.customers['Garage Alfa']
const admin = () => w.who.admin
async function work(): Promise<void> {
  while (await workNext(w.database, { clock: () => w.clock.now }));
}
const cents = (euros: number) => Math.round(euros * 100)

/** Charges everybody up to this day, and makes invoices of the documents. Returns the run as it is read then. */
async function run(until: string) {
  const { answer: begun } = await w.ask(billing.begin, admin(), { covers: 'all', until, days: 0, marks: true })
  await work()
  await w.ask(billing.make, admin(), { _id: begun._id, without: [] })
  await work()
  expect((await w.ask(invoices.makerun, admin(), begun)).answer.left).toBe(0)
  return (await w.ask(billing.read, admin(), begun)).answer
}

test('three runs, their invoices, a credit note, the overview and the figures say what the sheet says', async () => {
  const charged = new Map<string, number>()
  let from: IsoDate = paid
  for (const { until, on } of runs) {
    await hotel.passTo(on)
    const sheet = await hotel.sheet(from, until)
    const doubled = await hotel.sheet(addDays(from, -1), until)
    const result = await run(until)
    const listed = (await w.ask(invoices.list, admin(), {})).answer
    for (const [name, customer] of Object.entries(hotel.customers)) {
      const { parts, net, vat } = sheet.of(customer)
      const row = result.rows.find(candidate => candidate.seq_id === customer)
      const partCents = Object.fromEntries(
        Object.entries(row?.parts ?? {}).map(([kind, euros]) => [kind, cents(euros)]),
      )
      expect(partCents, `${name} ${until}`).toEqual(parts)
      if (!row) continue
      const invoice = listed.find(candidate => candidate.documents.includes(row.document!.number))!
      expect([cents(invoice.net), cents(invoice.vat)], `${name} ${until}`).toEqual([net, vat])
    }
    // a day that is counted twice is seen
    expect(doubled.of(alfa()).parts.storage).not.toBe(sheet.of(alfa()).parts.storage)
    for (const { kind, cents: amount } of sheet.lines) charged.set(kind, (charged.get(kind) ?? 0) + amount)
    from = until
  }

  const documents = (await w.ask(invoices.list, admin(), {})).answer
  const credited = documents.find(({ seq_id, issued_on }) => seq_id === alfa() && issued_on === runs[1].on)!
  const lines = (await w.ask(invoices.lines, admin(), credited)).answer
  const balancing = lines.filter(({ description }) => description.startsWith('Balancing')).map(({ line }) => line)
  await w.ask(invoices.credit, admin(), { _id: credited._id, reason: 'It was not done', lines: balancing })
  const [note] = (await w.ask(invoices.list, admin(), {})).answer
  expect(note).toMatchObject({ kind: 'credit_note', net: 18, vat: 1.08, credits: credited.number })

  const overview = await textOf((await w.ask(papers.overview, admin(), { seq_id: alfa() })).answer)
  const stored = (await hotel.sheet(paid, runs[2].until)).stored(alfa())
  expect(stored).toEqual(['1ALF001 Summer', '1ALF002 Summer', '1ALF003 Summer'])
  for (const plate of stored) expect(overview).toContain(`1-ALF-${plate.slice(4, 7)}`)
  expect(overview).not.toContain('Winter')

  const { answer: revenue } = await w.ask(figures.revenue, admin(), {})
  const year = revenue.rows.filter(({ month }) => month < '2027-01-01')
  const kinds = [...charged.keys()].toSorted()
  expect(kinds).toEqual(['disposal', 'no_show', 'overstay', 'service', 'storage'])
  for (const kind of kinds) {
    const shown = year.filter(row => row.kind === kind).reduce((sum, row) => sum + cents(row.charged), 0)
    expect([kind, shown]).toEqual([kind, charged.get(kind)])
  }
  expect(year.reduce((sum, row) => sum + row.owed, 0)).toBe(0)
  expect(year.filter(row => row.waived > 0)).toMatchObject([{ kind: 'no_show', waived: 25, month: '2026-09-01' }])
})
