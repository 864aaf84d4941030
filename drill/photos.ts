/**
 * Photos of wheels that many take at once (docs/promises.md "Limits"): all are stored, and the portal stays small. A device that is told
 * that the portal is busy sends its photo again.
 */
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { openPortalInProduction, type Portal } from '../e2e/portal.ts'
import type { Refusal } from '../src/domain/failure.ts'
import { tally, type DrillOptions, type Result } from './drill.ts'
import { watchMemory } from './memory.ts'

export const promise = 55
export const summary = 'photos that are sent at once are all stored, in bounded memory'

/** The most memory that the portal takes, regardless of earlier use, in MB. */
const mostMemory = 400
/** The size of a phone's photo of twelve megapixels, in bytes. */
const photoBytes = 4_000_000
/** How many people photograph. */
const devices = 20

/** Nothing in it repeats, so that it is as large as the photo of a wheel at a higher quality. */
async function takePhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 12 } as const
  const drawn = sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#777', noise } })
  const raw = await drawn.png({ compressionLevel: 1 }).toBuffer()
  for (const quality of [40, 50, 60, 70, 80, 90]) {
    const photo = await sharp(raw).jpeg({ quality }).toBuffer()
    if (photo.length > 0.95 * photoBytes) return photo
  }
  throw new Error('no photo is large enough')
}

/** Sessions of administrators of the first site, each with an account of its own, and wheels. */
async function readyHall(portal: Portal, photos: number): Promise<{ cookies: string[]; tyres: number[] }> {
  await portal.sql(
    `insert into account (site_id, customer_id, username, fullname, type, language, password)
     select site_id, customer_id, username || '-' || nth, fullname, type, language, password
     from account cross join generate_series(1, $1) nth where username = 'admin' and site_id = 1`,
    [devices],
  )
  const tokens = Array.from({ length: devices }, () => randomBytes(32).toString('base64url'))
  await portal.sql(
    `insert into session (token_hash, account_id, site_id, created_at, seen_at)
     select hash, id, site_id, now(), now() from unnest($1::bytea[]) with ordinality token (hash, nth)
     join account on username = 'admin-' || nth and site_id = 1`,
    [tokens.map(token => createHash('sha256').update(token).digest())],
  )
  const tyres = await portal.sql<{ id: number }>(
    `select id from tyre where site_id = 1 and removed_at is null and status <> 'waste' order by id limit $1`,
    [photos],
  )
  return { cookies: tokens.map(token => `wheelhouse=${token}`), tyres: tyres.map(({ id }) => id) }
}

type Sent = { readonly busy: number; readonly wrong: string | null }

/** Sends a photo of a wheel until it is stored or refused for another reason than that others are served. */
async function send(url: string, cookie: string, tyre: number, photo: Buffer): Promise<Sent> {
  for (let busy = 0; busy < 600; busy++) {
    const form = new FormData()
    form.append('db_id', String(tyre))
    form.append('photo', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'photo.jpg')
    const refusal = await fetch(`${url}/damages/addphoto`, { method: 'POST', headers: { cookie }, body: form }).then(
      async reply => (reply.ok ? 'stored' : ((await reply.json()) as Refusal).code),
      // refused while it was still sending, which not every client reads
      () => 'server.busy',
    )
    if (refusal === 'stored') return { busy, wrong: null }
    if (refusal !== 'server.busy') return { busy, wrong: refusal }
    await pause(1000)
  }
  return { busy: 600, wrong: 'never stored' }
}

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const checks = tally(log)
  const photos = short ? 40 : 200
  const portal = await openPortalInProduction()
  try {
    const own = watchMemory(process.pid)
    const photo = await takePhoto()
    own.stop()
    checks.control('memory that was taken', own.grown() > 20)

    const { cookies, tyres } = await readyHall(portal, photos)
    checks.check('wheels', tyres.length === photos ? null : `the demo has ${tyres.length}`)
    const memory = watchMemory(portal.pid())
    const sent = await Promise.all(
      tyres.map((tyre, nth) => send(portal.url, cookies[nth % devices] as string, tyre, photo)),
    )
    memory.stop()
    for (const [nth, { wrong }] of sent.entries()) checks.check(`photo ${nth}`, wrong)
    const [stored] = await portal.sql<{ count: number }>('select count(*)::int as count from photo where site_id = 1')
    checks.check('photos', stored?.count === photos ? null : `${stored?.count} are stored`)
    checks.check('memory', memory.most() < mostMemory ? null : `${memory.most()} MB`)
    const busy = sent.filter(photo => photo.busy > 0).length
    return checks.result(
      `${photos} photos of ${(photo.length / 1e6).toFixed(1)} MB at once: at most ${memory.most()} MB, ${memory.grown()} more than before; ${busy} were sent again`,
    )
  } finally {
    await portal.close()
  }
}
