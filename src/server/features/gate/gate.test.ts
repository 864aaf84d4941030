/** The loading gate and delivery notes (docs/product/warehouse.md "The loading gate", "Delivery notes"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import sharp from 'sharp'
import { contract } from '#contract/index.ts'
import { addOperation, addTransport, clear, type Made } from '../../testing/operations.ts'
import { world, type Principal, type World } from '../../testing/world.ts'
import { textOf } from '../../testing/pdf.ts'

const { operations, locations, wheels, fleet, gate: calls } = contract
const day = '2026-11-20'
let w: World
let transport: number
let lane: number

beforeAll(async () => {
  w = await world({ now: new Date('2026-11-20T07:30:00Z') })
})
afterAll(() => w.close())
beforeEach(async () => {
  await clear(w)
  await w.query(`delete from tyre`)
  await w.setSite(w.sites.home, {
    auto_process_intake_on_full_scan: false,
    do_doc_insert: false,
    allow_profile_depth: true,
  })
  transport = await addTransport(w)
  await w.ask(locations.make, w.who.admin, { parent: null, levels: [{ kind: 'site', pattern: 'Hall' }], capacity: 0 })
  const [hall] = (await w.ask(locations.all, w.who.admin, {})).answer
  await w.ask(locations.make, w.who.admin, {
    parent: hall?._id ?? 0,
    levels: [{ kind: 'lane', pattern: 'L1' }],
    capacity: 20,
  })
  lane = (await w.ask(locations.all, w.who.admin, {})).answer.find(({ kind }) => kind === 'lane')?._id ?? 0
})

type Wish = { transport?: number; deliveryDate?: string; depth?: number; staged?: boolean; customer?: number }
/** A submitted recall, whose set stands on the lane unless it is said otherwise. */
async function recall({ depth = 7.5, staged = true, customer = w.customers.a, ...wish }: Wish = {}): Promise<Made> {
  const vehicle = await w.addVehicle({ customer })
  const tyres = await w.addSet({ vehicle, status: 'in_stock', location: null, depth })
  const operation = await addOperation(w, {
    customer,
    vehicle,
    tyres,
    type: 'to_customer',
    status: 'submitted',
    transport,
    deliveryDate: day,
    ...wish,
  })
  if (staged) await w.ask(locations.move, w.who.admin, { tyres, location: lane })
  return operation
}
const load = async (db_id: number | undefined, rest: object = {}) =>
  (await w.ask(calls.load, w.who.admin, { day, transport, db_id: db_id ?? 0, ...rest })).answer
const loadAll = async ({ tyres }: Made) => {
  for (const tyre of tyres) expect((await load(tyre)).outcome).toBe('loaded')
}
const leave = async (reason?: string) =>
  (await w.ask(calls.leave, w.who.admin, { day, transport, ...(reason && { reason }) })).answer
const statusOf = async ({ id }: Made) =>
  (await w.query<{ status: string }>('select status from operation where id = $1', [id]))[0]?.status
const statesOf = async ({ tyres }: Made) =>
  (await w.query<{ state: string }>('select state from wheel where tyre_id = any ($1) order by tyre_id', [tyres])).map(
    ({ state }) => state,
  )
const noteText = async (document: number | undefined, who: Principal) => {
  const reply = await w.ask(fleet.historydocument, who, { db_id: document ?? 0 })
  if (reply.status !== 200) return reply.refusal.code
  return textOf(reply.answer)
}
const drawn = async () =>
  (
    await sharp({ create: { width: 600, height: 200, channels: 3, background: 'white' } })
      .withExif({ IFD0: { Artist: 'SECRET' } })
      .jpeg()
      .toBuffer()
  ).toString('base64')

describe('the gate', () => {
  test('passes wheels of its transport and day, and stops the others without a change', async () => {
    const right = await recall()
    const other = await addTransport(w)
    const [elsewhere, later, worn] = [
      await recall({ transport: other }),
      await recall({ deliveryDate: '2026-11-21' }),
      await recall({ depth: 2.9 }),
    ]
    const [unasked = 0] = await w.addSet({ vehicle: await w.addVehicle({}), status: 'in_stock' })
    await loadAll(right)
    expect(await load(right.tyres[0])).toMatchObject({ outcome: 'again' })
    expect(await load(elsewhere.tyres[0])).toMatchObject({
      outcome: 'other_transport',
      overridable: true,
      other: { transport: other },
    })
    expect(await load(later.tyres[0])).toMatchObject({
      outcome: 'other_day',
      overridable: true,
      other: { day: '2026-11-21' },
    })
    expect(await load(worn.tyres[0])).toMatchObject({ outcome: 'worn', overridable: true, profile_depth: 2.9 })
    expect(await load(unasked)).toMatchObject({ outcome: 'not_recalled', overridable: false })
    expect(await load(unasked, { reason: 'the driver insists' })).toMatchObject({ outcome: 'not_recalled' })
    expect(await load(right.tyres[0], { ticsId: w.sites.other })).toMatchObject({ outcome: 'other_site' })
    for (const stopped of [elsewhere, later, worn]) expect(await statesOf(stopped)).toEqual(Array(4).fill('staged'))
    expect(await statesOf(right)).toEqual(Array(4).fill('loaded'))
    await w.setSite(w.sites.home, { allow_profile_depth: false })
    expect(await load(worn.tyres[0])).toMatchObject({ outcome: 'loaded', profile_depth: null })
  })

  test('lets a stopped wheel pass with a reason, which the audit keeps, and its recall leaves with this load', async () => {
    const later = await recall({ deliveryDate: '2026-11-21' })
    for (const tyre of later.tyres)
      expect(await load(tyre, { reason: 'the customer called' })).toMatchObject({ outcome: 'loaded' })
    expect(
      await w.query(`select subject, facts ->> 'reason' as reason from audit where action = 'gate.pass' limit 1`),
    ).toEqual([{ subject: `operation ${later.id}`, reason: 'the customer called' }])
    expect((await leave()).outcome).toBe('left')
    expect(await statusOf(later)).toBe('confirmed')
    expect(
      await w.query(`select account_id as by from audit where action = 'gate.leave' and subject = $1`, [
        `operation ${later.id}`,
      ]),
    ).toEqual([{ by: w.who.admin.account }])
  })

  test('lets nothing leave that is incomplete; missing wheels and what is left behind need a reason', async () => {
    expect((await leave()).outcome).toBe('nothing_loaded')
    const [whole, part, behind] = [await recall(), await recall(), await recall()]
    await loadAll(whole)
    for (const tyre of part.tyres.slice(0, 3)) await load(tyre)
    expect(await leave('no time')).toMatchObject({ outcome: 'incomplete', overridable: false })
    await w.ask(wheels.step, w.who.admin, { tyres: part.tyres.slice(3), step: 'miss' })
    expect(await leave()).toMatchObject({ outcome: 'missing', overridable: true })
    expect(await statusOf(whole)).toBe('submitted')
    expect(await leave('the customer knows')).toMatchObject({ outcome: 'left' })
    expect([await statusOf(whole), await statusOf(part), await statusOf(behind)]).toEqual([
      'confirmed',
      'confirmed',
      'submitted',
    ])
    expect(await statesOf(part)).toEqual(['with_customer', 'with_customer', 'with_customer', 'missing'])
    const again = await recall()
    await loadAll(again)
    expect(await leave()).toMatchObject({ outcome: 'left_behind', overridable: true })
    expect(await leave('a second truck comes')).toMatchObject({ outcome: 'left' })
    expect(await statusOf(behind)).toBe('submitted')
  })

  test('confirms at the last wheel that is loaded where the site says so, and the note is made when it leaves', async () => {
    await w.setSite(w.sites.home, { auto_process_intake_on_full_scan: true })
    const operation = await recall()
    for (const tyre of operation.tyres.slice(0, 3)) await load(tyre)
    expect(await statusOf(operation)).toBe('submitted')
    expect((await load(operation.tyres[3])).notes).toEqual([])
    expect(await statusOf(operation)).toBe('confirmed')
    expect(await leave()).toMatchObject({
      outcome: 'left',
      notes: [{ document_number_text: 'D-2026-00001', signed: null }],
    })
    expect((await w.ask(operations.admin, w.who.admin, { status: 'submitted' })).answer).toEqual([])
  })

  test('knows the load of a lane', async () => {
    expect((await w.ask(calls.lane, w.who.admin, { location: lane })).answer.load).toBeNull()
    await recall()
    expect((await w.ask(calls.lane, w.who.admin, { location: lane })).answer.load).toEqual({ day, transport })
  })
})

describe('a delivery note', () => {
  test('lists the wheels as they left with rims and bolts, and those that were missing; its customer reads it, another one does not', async () => {
    const operation = await recall()
    await w.query(`update tyre set rims = 'steel', bolts = true where id = any ($1)`, [operation.tyres])
    for (const tyre of operation.tyres.slice(0, 3)) await load(tyre)
    await w.ask(wheels.step, w.who.admin, { tyres: operation.tyres.slice(3), step: 'miss' })
    const { notes } = await leave('it is searched for')
    const text = await noteText(notes[0]?.db_id, w.who.a)
    for (const expected of [
      'Delivery note',
      'D-2026-00001',
      'Van',
      '20/11/2026',
      '7.5 mm',
      'steel rim, bolts',
      'missing',
    ])
      expect(text).toContain(expected)
    for (const tyre of operation.tyres) expect(text).toContain(`#${tyre}`)
    expect(await noteText(notes[0]?.db_id, w.who.b)).toBe('record.missing')
    const [trail] = (await w.ask(operations.trail, w.who.a, {})).answer
    expect(trail).toMatchObject({
      operation: operation.id,
      delivered_count: 3,
      missing_count: 1,
      documents: [{ db_id: notes[0]?.db_id }],
    })
    expect((await w.ask(operations.trail, w.who.b, {})).answer).toEqual([])
  })

  test('is the document of the confirmation where the site makes delivery notes, else one of its own that is not booked', async () => {
    await w.setSite(w.sites.home, { do_doc_insert: true, doc_insert_type: 'deliverynote' })
    const first = await recall()
    await loadAll(first)
    await leave()
    await w.setSite(w.sites.home, { doc_insert_type: 'worknote' })
    const second = await recall()
    await loadAll(second)
    await leave()
    const kept = await w.query(
      `select d.operation_id as operation, d.type, d.reason, n.document_id is not null as note
       from document d left join delivery_note n on n.document_id = d.id order by d.id`,
    )
    expect(kept).toEqual([
      { operation: first.id, type: 'deliverynote', reason: 'operation', note: true },
      { operation: second.id, type: 'worknote', reason: 'operation', note: false },
      { operation: second.id, type: 'deliverynote', reason: 'delivery', note: true },
    ])
  })

  test('says what comes back in a season swap, as the gate does, and goes on saying it', async () => {
    const operation = await recall()
    const coming = await addOperation(w, {
      vehicle: operation.vehicle,
      tyres: await w.addSet({ vehicle: operation.vehicle, set: 'Summer' }),
      status: 'submitted',
    })
    await w.query('update operation set swap_id = case id when $1 then $2::int else $1 end where id in ($1, $2)', [
      operation.id,
      coming.id,
    ])
    await loadAll(operation)
    const { recalls } = (await w.ask(calls.read, w.who.admin, { day, transport })).answer
    expect(recalls[0]?.swap).toMatchObject({ _id: coming.id, type: 'to_stock', tyre_count: 4 })
    const { notes } = await leave()
    await w.ask(operations.cancel, w.who.admin, { operation: { _id: coming.id } })
    expect(await statusOf(coming)).toBe('cancelled')
    expect(await noteText(notes[0]?.db_id, w.who.a)).toContain('To take back for the season change: 4 tyres')
    const alone = await recall()
    await loadAll(alone)
    const next = (await leave()).notes.find(({ db_id }) => db_id !== notes[0]?.db_id)
    expect(await noteText(next?.db_id, w.who.a)).not.toMatch(/record|To take back/)
  })

  test('is printed by the warehouse in the language of its customer', async () => {
    await w.query(`update account set language = 'ger' where customer_id = $1`, [w.customers.b])
    await loadAll(await recall({ customer: w.customers.b }))
    const { notes } = await leave()
    expect(await noteText(notes[0]?.db_id, w.who.admin)).toContain('Lieferschein')
  })

  test('is signed once, by a picture that is encoded again', async () => {
    await loadAll(await recall())
    await loadAll(await recall({ customer: w.customers.b }))
    const { notes } = await leave()
    const documents = notes.map(({ db_id }) => db_id)
    const input = { documents, name: 'An Driver', signature: await drawn() }
    expect((await w.ask(calls.sign, w.who.admin, { ...input, signature: 'bm8gcGljdHVyZQ==' })).refusal.code).toBe(
      'image.unreadable',
    )
    expect((await w.ask(calls.sign, w.who.admin, input)).answer).toEqual({ signed: documents })
    expect((await w.ask(calls.sign, w.who.admin, input)).refusal.code).toBe('gate.signed')
    const kept = await w.query<{ signature: Buffer }>('select signature from delivery_note')
    expect(kept).toHaveLength(2)
    for (const { signature } of kept) {
      expect((await sharp(signature).metadata()).format).toBe('png')
      expect(signature.includes('SECRET')).toBe(false)
    }
    expect(await noteText(documents[0], w.who.admin)).toContain('An Driver')
    expect((await w.ask(calls.read, w.who.admin, { day, transport })).answer.notes.map(({ signed }) => signed)).toEqual(
      ['An Driver', 'An Driver'],
    )
  })
})
