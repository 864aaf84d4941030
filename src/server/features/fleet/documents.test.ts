/** The tyres of a document, as they are printed (docs/product/money.md "Documents"). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { fleet } from '#contract/fleet.ts'
import { invoicing } from '#contract/invoicing.ts'
import { operations } from '#contract/operations.ts'
import { textOf } from '../../testing/pdf.ts'
import { addOperation, addService } from '../../testing/operations.ts'
import { world, type Principal, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-18T10:00:00Z') })
  await at.setSite(at.sites.home, {
    do_doc_insert: true,
    doc_insert_type: 'worknote',
    invoicing_article: at.articles.home,
    invoicing_price_excl: 27.5,
  })
})
afterAll(() => at.close())

/** The text of a document, on one line. */
async function saidBy(db_id: number, who: Principal = at.who.admin): Promise<string> {
  const reply = await at.ask(fleet.historydocument, who, { db_id })
  return textOf(reply.answer)
}

/** A recall of four tyres and a fifth of another description, confirmed with a document. */
async function recalled() {
  const vehicle = await at.addVehicle({})
  const set = await at.addSet({ vehicle, status: 'in_stock' })
  const spare = await at.addTyre({ vehicle, status: 'in_stock', position: '3A', set: 'Spare' })
  await at.query(`update tyre set description = 'Continental WinterContact' where id = $1`, [spare])
  const services = [await addService(at, { type: 'to_customer', name: 'Delivery' })]
  const { id } = await addOperation(at, {
    vehicle,
    tyres: [...set, spare],
    type: 'to_customer',
    status: 'submitted',
    scanned: true,
    services,
  })
  const { answer } = await at.ask(operations.confirm, at.who.admin, { operation: { _id: id } })
  if (answer.document === null) throw new Error('no document was made')
  return { vehicle, set, spare, document: answer.document }
}

test("a recall's work note lists its wheels as they left: position, tyre, number on the label, depth, rims and set parts", async () => {
  const { set, spare, document } = await recalled()
  const text = await saidBy(document, at.who.a)
  expect(text).toContain('Tyres Position Description Depth With Remarks')
  for (const [nth, position] of ['1A', '1B', '2A', '2B'].entries())
    expect(text).toContain(`${position} Michelin Alpin 6 205/55R16 91H #${set[nth]} `)
  expect(text).toContain(`3A Continental WinterContact #${spare} `)
})

test('a tyre that was missing is not on the document of its operation', async () => {
  const vehicle = await at.addVehicle({})
  const set = await at.addSet({ vehicle })
  const { id } = await addOperation(at, { vehicle, tyres: set, status: 'submitted' })
  await at.ask(operations.markscan, at.who.admin, { tyres: set.slice(1).map(tyreId => ({ tyreId })) })
  const { answer } = await at.ask(operations.confirm, at.who.admin, { operation: { _id: id }, anyway: true })
  const text = await saidBy(answer.document ?? 0)
  for (const [nth, position] of ['1B', '2A', '2B'].entries())
    expect(text).toContain(`${position} Michelin Alpin 6 205/55R16 91H #${set[nth + 1]} `)
  expect(text).not.toContain('1A')
})

test('it lists the same tyres once they are removed, or another customer has them', async () => {
  const { vehicle, set, document } = await recalled()
  const before = await saidBy(document)
  await at.ask(fleet.transfer, at.who.admin, { flt_id: vehicle, seq_id: at.customers.b, date: '2026-11-18' })
  expect(await saidBy(document, at.who.a)).toBe(before)
  for (const tyre of set) expect(before).toContain(`#${tyre} `)
  const other = await recalled()
  const whole = await saidBy(other.document)
  await at.ask(fleet.inactivate, at.who.admin, { flt_id: other.vehicle })
  expect(await saidBy(other.document)).toBe(whole)
})

test(
  'a document for storage lists the tyres of all its vehicles with their plates, also once it is withdrawn',
  { tags: 'whole' },
  async () => {
    const sets: { plate: string; tyres: number[] }[] = []
    for (const plate of ['1STO001', '1STO002']) {
      const vehicle = await at.addVehicle({ plate })
      sets.push({ plate, tyres: await at.addSet({ vehicle, status: 'in_stock', statusDate: '2026-01-05' }) })
    }
    const tyres = sets.flatMap(set => set.tyres)
    const { answer } = await at.ask(invoicing.inject, at.who.admin, { tyres, seq_id: at.customers.a })
    const lists = async () => {
      const text = await saidBy(answer.db_id)
      for (const set of sets)
        expect(text).toContain(
          `${formatPlate(set.plate)} 1A, 1B, 2A, 2B Michelin Alpin 6 205/55R16 91H ${set.tyres.join(', ')} `,
        )
    }
    await lists()
    await at.ask(invoicing.withdraw, at.who.admin, { db_id: answer.db_id, reason: 'wrong customer' })
    await lists()
  },
)

test(
  'of many tyres alike each is named, and a document without tyres has no list of them',
  { tags: 'whole' },
  async () => {
    const vehicle = await at.addVehicle({})
    const tyres: number[] = []
    for (let nth = 0; nth < 150; nth++)
      tyres.push(await at.addTyre({ vehicle, status: 'in_stock', position: '1A', set: `Set ${nth}` }))
    const { id } = await addOperation(at, { vehicle, tyres, type: 'to_waste', status: 'submitted', scanned: true })
    const { answer } = await at.ask(operations.confirm, at.who.admin, { operation: { _id: id } })
    const text = await saidBy(answer.document ?? 0)
    expect(tyres.filter(tyre => !new RegExp(`\\b${tyre}\\b`).test(text))).toEqual([])
    const [bare] = await at.query<{ id: number }>(
      `insert into document (site_id, customer_id, vehicle_id, type, reason, year, number, document_date)
     values ($1, $2, $3, 'worknote', 'storage', 2025, 1, '2025-05-01') returning id`,
      [at.sites.home, at.customers.a, vehicle],
    )
    expect(await saidBy(bare?.id ?? 0)).not.toContain('Tyre ID')
  },
)
