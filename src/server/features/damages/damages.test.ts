/** Damage of wheels, and photos of them (docs/product/warehouse.md "Damage"). */
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { damageCodes, maxPhotos, photoSidePx, smallPhotoSidePx } from '#domain/warehouse/damage.ts'
import { sendForm } from '../../testing/config.ts'
import { addOperation } from '../../testing/operations.ts'
import { type Principal, world, type World } from '../../testing/world.ts'

const { damages, cards, tyres, wheels, fleet } = contract
let w: World
beforeAll(async () => {
  w = await world({ now: new Date('2026-11-18T10:00:00Z') })
})
afterAll(() => w.close())

/** A tyre of A, in stock. */
async function stored(): Promise<number> {
  const vehicle = await w.addVehicle({})
  const [place] = await w.addLocations({ places: 1, capacity: 4, zone: `D${vehicle}` })
  return w.addTyre({ vehicle, status: 'in_stock', location: place ?? null })
}
const report = async (db_id: number, code: (typeof damageCodes)[number] = 'nail', note = '') =>
  (await w.ask(damages.report, w.who.admin, { db_id, code, note })).answer
const list = async (who: Principal, ...tyres: number[]) => (await w.ask(damages.list, who, { tyres })).answer
const card = async (tyre: number) => (await w.ask(cards.read, w.who.admin, { tyre })).answer.wheels[0]

/** A picture as a camera writes it: noise, with where and how it was taken. */
const taken = (width = 400, height = 300, seed = 128) =>
  sharp({
    create: { width, height, channels: 3, noise: { type: 'gaussian', mean: seed, sigma: 30 }, background: '#123' },
  })
    .withExif({ IFD0: { Make: 'Camera of somebody' }, IFD3: { GPSLatitude: '51/1 3/1 0/1', GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
const send = (target: { damage: number } | { db_id: number }, file: Buffer, who = w.who.admin) =>
  sendForm(w, damages.addphoto.path, who, [
    ...Object.entries(target).map(([name, id]) => [name, String(id)] as const),
    ['photo', file],
  ] as never)
const photosOf = (reply: { answer: unknown }) => (reply.answer as { photos: number[] }).photos

test('damage is reported with who, when and a note, shows on the card and in the history, and ends once', async () => {
  const tyre = await stored()
  const { _id: damage, ...details } = await report(tyre, 'sidewall', 'Scraped along a kerb')
  expect(details).toEqual({
    tyre,
    code: 'sidewall',
    note: 'Scraped along a kerb',
    at: '2026-11-18T10:00:00+00:00',
    by: expect.any(String),
    ended: null,
    photos: [],
  })
  await report(tyre, 'age')
  expect(await card(tyre)).toMatchObject({ damages: ['age', 'sidewall'], photo: null })
  const { answer: ended } = await w.ask(damages.end, w.who.admin, { damage, how: 'repaired', note: 'New tyre wall' })
  expect(ended).toMatchObject({ ended: { how: 'repaired', note: 'New tyre wall', by: expect.any(String) } })
  expect(await card(tyre)).toMatchObject({ damages: ['age'] })
  expect((await w.ask(damages.end, w.who.admin, { damage, how: 'repaired' })).refusal.code).toBe('damage.ended')
  const { answer: events } = await w.ask(tyres.events, w.who.a, { tyres: [tyre] })
  expect(events.map(({ kind, note }) => [kind, note])).toEqual(
    expect.arrayContaining([
      ['repaired', 'sidewall'],
      ['damaged', 'age'],
      ['damaged', 'sidewall'],
    ]),
  )
})

test('a kind of damage is open once on a wheel, whoever reports it at the same time', async () => {
  const tyre = await stored()
  const sent = await Promise.all(
    [1, 2, 3].map(() => w.ask(damages.report, w.who.admin, { db_id: tyre, code: 'cut', note: '' })),
  )
  expect(sent.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect(sent.filter(({ status }) => status === 409).map(({ refusal: { code } }) => code)).toEqual([
    'damage.known',
    'damage.known',
  ])
  const [{ _id: damage } = { _id: 0 }] = await list(w.who.admin, tyre)
  await report(tyre, 'nail')
  await w.ask(damages.end, w.who.admin, { damage, how: 'repaired' })
  expect(await report(tyre, 'cut')).toMatchObject({ code: 'cut', ended: null })
})

test('a report of what is no damage ends with a reason, which is asked for', async () => {
  const { _id: damage } = await report(await stored(), 'cut')
  const refused = await w.ask(damages.end, w.who.admin, { damage, how: 'closed' })
  expect([refused.status, refused.refusal.code]).toEqual([400, 'request.invalid'])
  const { answer } = await w.ask(damages.end, w.who.admin, { damage, how: 'closed', note: 'It is dirt' })
  expect(answer.ended).toMatchObject({ how: 'closed', note: 'It is dirt' })
})

test('the database keeps a report as it was written, and its end as it was said', async () => {
  const { _id: damage } = await report(await stored())
  await w.ask(damages.end, w.who.admin, { damage, how: 'repaired' })
  await expect(w.query(`update damage_report set ended = 'closed' where id = $1`, [damage])).rejects.toThrow(
    'ends once',
  )
})

test('a photo is upright, small enough, without a word of the camera, and the same one is added once', async () => {
  const tyre = await stored()
  const { _id: damage } = await report(tyre)
  const file = await taken(2000, 1500)
  const [photo = 0] = photosOf(await send({ damage }, file))
  expect(photosOf(await send({ damage }, file))).toEqual([photo])
  const { answer } = await w.ask(damages.photo, w.who.admin, { photo })
  const kept = Buffer.from(answer.content, 'base64')
  const { format, width, height, exif, orientation } = await sharp(kept).metadata()
  expect({ format, width, height, exif, orientation }).toEqual({
    format: 'webp',
    width: photoSidePx * 0.75,
    height: photoSidePx,
    exif: undefined,
    orientation: undefined,
  })
  expect([answer.width, answer.height]).toEqual([width, height])
  expect(file.includes('Camera of somebody')).toBe(true)
  expect(kept.includes('Camera of somebody')).toBe(false)
  const { answer: small } = await w.ask(damages.small, w.who.admin, { photos: [photo] })
  expect(await sharp(Buffer.from(small[0]?.content ?? '', 'base64')).metadata()).toMatchObject({
    format: 'webp',
    height: smallPhotoSidePx,
  })
  expect(await card(tyre)).toMatchObject({ photo })
})

test('calls answer photos that nobody may keep, guess the type of, or get from elsewhere', async () => {
  const { _id: damage } = await report(await stored())
  const [photo] = photosOf(await send({ damage }, await taken()))
  const { headers } = await w.app.inject({
    method: 'POST',
    url: damages.photo.path,
    headers: { host: w.who.admin.host, cookie: w.who.admin.cookie ?? '' },
    payload: { photo },
  })
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  })
})

test('what is no picture, too large, too much or missing is refused, and a report has six photos', async () => {
  const { _id: damage } = await report(await stored())
  const refusal = async (file: Buffer) => (await send({ damage }, file)).refusal.code
  expect(await refusal(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBe('image.unreadable')
  expect(await refusal(await taken(4100, 40))).toBe('image.too_large')
  expect(await refusal(Buffer.alloc(5 * 1024 * 1024 + 1, 1))).toBe('image.too_large')
  expect((await sendForm(w, damages.addphoto.path, w.who.admin, [['damage', String(damage)]])).refusal.code).toBe(
    'image.missing',
  )
  const sent = await Promise.all(
    Array.from({ length: maxPhotos + 2 }, async (_, nth) => send({ damage }, await taken(40, 30, 20 + nth * 20))),
  )
  expect(sent.filter(({ status }) => status === 200)).toHaveLength(maxPhotos)
  expect(sent.filter(({ status }) => status !== 200).map(({ refusal: { code } }) => code)).toEqual([
    'damage.photos_full',
    'damage.photos_full',
  ])
})

test('photos of a wheel without damage are one report a day, which is no damage', async () => {
  const tyre = await stored()
  await send({ db_id: tyre }, await taken(40, 30, 30))
  const photos = photosOf(await send({ db_id: tyre }, await taken(40, 30, 90)))
  expect(photos).toHaveLength(2)
  expect(await list(w.who.admin, tyre)).toMatchObject([{ code: null, photos }])
  expect(await card(tyre)).toMatchObject({ damages: [], photo: photos[1] })
  const { answer: events } = await w.ask(tyres.events, w.who.admin, { tyres: [tyre] })
  expect(events.filter(({ kind }) => kind === 'photographed')).toHaveLength(1)
  const [{ _id: damage } = { _id: 0 }] = await list(w.who.admin, tyre)
  expect((await w.ask(damages.end, w.who.admin, { damage, how: 'repaired' })).refusal.code).toBe('damage.ended')
})

test('customers see damage and photos of their own tyres, and of no others', async () => {
  const tyre = await stored()
  const { _id: damage } = await report(tyre)
  const [photo = 0] = photosOf(await send({ damage }, await taken()))
  expect(await list(w.who.a, tyre)).toMatchObject([{ _id: damage, photos: [photo] }])
  expect((await w.ask(damages.photo, w.who.a, { photo })).status).toBe(200)
  for (const who of [w.who.b, w.who.otherUser])
    expect([
      (await w.ask(damages.list, who, { tyres: [tyre] })).refusal.code,
      (await w.ask(damages.photo, who, { photo })).refusal.code,
      (await w.ask(damages.small, who, { photos: [photo] })).refusal.code,
    ]).toEqual(['record.missing', 'record.missing', 'record.missing'])
  expect((await w.ask(damages.report, w.who.a, { db_id: tyre, code: 'cut' })).status).toBe(403)
})

test('a scrapped wheel has no damage to report', async () => {
  const tyre = await w.addTyre({ vehicle: await w.addVehicle({}), status: 'waste' })
  expect((await w.ask(damages.report, w.who.admin, { db_id: tyre, code: 'nail' })).refusal.code).toBe(
    'tyre.status_refused',
  )
  expect((await send({ db_id: tyre }, await taken(40, 30))).refusal.code).toBe('tyre.status_refused')
})

test('a damaged wheel in the warehouse is to be cleared up until it is repaired or found right, and again with new damage', async () => {
  const tyre = await stored()
  const jobs = async () =>
    (await w.ask(wheels.clearup, w.who.admin, {})).answer.jobs.filter(
      ({ kind, tyres: [first] }) => kind === 'damaged' && first === tyre,
    )
  const { _id: damage } = await report(tyre, 'bulge')
  const [job] = await jobs()
  expect(job).toMatchObject({ damages: ['bulge'], tyres: [tyre] })
  await w.ask(wheels.settle, w.who.admin, { kind: 'damaged', key: job?.key ?? '', reason: 'The customer knows' })
  expect(await jobs()).toEqual([])
  await report(tyre, 'cut')
  expect(await jobs()).toMatchObject([{ damages: ['bulge', 'cut'] }])
  for (const { _id } of await list(w.who.admin, tyre))
    await w.ask(damages.end, w.who.admin, { damage: _id, how: 'repaired' })
  expect(await jobs()).toEqual([])
  expect(damage).toBeGreaterThan(0)
})

test('after a change of customer the former one keeps reports and photos, and the new one knows what the matter is', async () => {
  const vehicle = await w.addVehicle({})
  const tyre = await w.addTyre({ vehicle, status: 'at_customer' })
  const { _id: damage } = await report(tyre, 'rim_bent', 'Said by the driver')
  const [photo = 0] = photosOf(await send({ damage }, await taken(40, 30)))
  const moved = await w.ask(fleet.transfer, w.who.admin, { flt_id: vehicle, seq_id: w.customers.b, date: '2026-11-18' })
  expect(moved.status).toBe(200)
  expect(await list(w.who.b, tyre)).toMatchObject([{ code: 'rim_bent', note: '', by: null, photos: [], ended: null }])
  expect((await w.ask(damages.photo, w.who.b, { photo })).refusal.code).toBe('record.missing')
  expect((await w.ask(damages.photo, w.who.a, { photo })).status).toBe(200)
  expect((await list(w.who.admin, tyre)).map(({ _id }) => _id)).not.toContain(damage)
})

test('the gate says with what damage a wheel leaves', async () => {
  const { gate } = contract
  const [transport] = await w.query<{ id: number }>(
    `insert into transport_method (site_id, name, code, description_nl, description_fr, description_en, description_de)
     values ($1, 'Van', 'VAN', 'v', 'v', 'v', 'v') returning id`,
    [w.sites.home],
  )
  const recall = await addOperation(w, { type: 'to_customer', status: 'submitted' })
  await w.query(`update operation set transport_id = $1, delivery_date = '2026-11-20' where id = $2`, [
    transport?.id,
    recall.id,
  ])
  const [tyre = 0] = recall.tyres
  await report(tyre, 'flat_spot')
  const { answer } = await w.ask(gate.load, w.who.admin, {
    transport: transport?.id ?? 0,
    day: '2026-11-20',
    db_id: tyre,
  })
  expect(answer).toMatchObject({ outcome: 'loaded', damages: ['flat_spot'] })
  expect(await w.query('select damages from loading_tyre where tyre_id = $1', [tyre])).toEqual([
    { damages: ['flat_spot'] },
  ])
})
