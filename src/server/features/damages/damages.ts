/** Damage of wheels, and photos of them (docs/product/warehouse.md "Damage"). */
import { Failure } from '#domain/failure.ts'
import { type DamageCode, maxPhotos } from '#domain/warehouse/damage.ts'
import type { Context, Handlers } from '../handler.ts'
import { reencodePhoto } from '../sites/images.ts'
import { countTyres } from '../tyres/tyres.sql.ts'
import * as sql from './damages.sql.ts'

type At = Pick<Context<unknown, readonly ['admin']>, 'tx' | 'site' | 'who' | 'now' | 'request'>

export const damages: Handlers['damages'] = {
  async list({ input, tx, who, site }) {
    const tyres = [...new Set(input.tyres)]
    const { found: count } = await tx.one(countTyres, { site: site.id, tyres, customer: who.customer })
    if (count !== tyres.length) throw new Failure('record.missing')
    return tx.json(sql.reportsOf, { site: site.id, tyres })
  },

  async report(at) {
    const { db_id: tyre, code, note } = at.input
    await lockTyre(at, tyre)
    const { known: alreadyOpen } = await at.tx.one(sql.isOpen, { site: at.site.id, tyre, code })
    if (alreadyOpen) throw new Failure('damage.known')
    const report = await add(at, { tyre, code, note })
    return at.tx.json(sql.reportOf, { site: at.site.id, report })
  },

  async end({ input: { damage: report, how, note }, tx, site, who, now, request }) {
    const { customer, code, ended } = await tx.one(sql.lockReport, { site: site.id, report })
    if (code === null || ended !== null) throw new Failure('damage.ended')
    await tx.run(sql.endReport, { site: site.id, report, how, note, actor: who.account, now })
    request.notify(customer)
    return tx.json(sql.reportOf, { site: site.id, report })
  },

  async addphoto(at) {
    const { input, tx, site, who, now, request } = at
    // before anything is locked
    const picture =
      input.photo instanceof Uint8Array
        ? await reencodePhoto(input.photo, { site: site.id, account: who.account })
        : null
    const report = input.damage ?? (await reportOfToday(at, input.db_id ?? 0))
    const { customer, ended } = await tx.one(sql.lockReport, { site: site.id, report })
    if (picture === null) throw new Failure('image.missing')
    if (ended !== null) throw new Failure('damage.ended')
    const { photos, known: alreadyKept } = await tx.one(sql.photosOf, { site: site.id, report, digest: picture.digest })
    if (alreadyKept === 0) {
      if (photos >= maxPhotos) throw new Failure('damage.photos_full', { most: maxPhotos })
      await tx.run(sql.addPhoto, { site: site.id, report, ...picture, actor: who.account, now })
      request.notify(customer)
    }
    return tx.json(sql.reportOf, { site: site.id, report })
  },

  async photo({ input: { photo }, tx, site }) {
    const { content, ...size } = await tx.single.one(sql.photoOf, { site: site.id, photo })
    return { photo, ...size, content: Buffer.from(content).toString('base64') }
  },

  small: ({ input, tx, site }) => tx.single.json(sql.smallOf, { site: site.id, photos: [...new Set(input.photos)] }),
}

/** Locks a tyre that something can be reported of, and notifies its customer. @throws Failure `tyre.status_refused` of a scrapped one */
async function lockTyre({ tx, site, request }: At, tyre: number): Promise<void> {
  const { customer, status } = await tx.one(sql.lockTyre, { site: site.id, tyre })
  if (status === 'waste') throw new Failure('tyre.status_refused', { tyres: [tyre] })
  request.notify(customer)
}

async function add(
  { tx, site, who, now }: At,
  report: { tyre: number; code: DamageCode | null; note: string },
): Promise<number> {
  return (await tx.one(sql.addReport, { site: site.id, ...report, actor: who.account, now })).report
}

/** The report of a wheel without damage to which the photos of today go. */
async function reportOfToday(at: At, tyre: number): Promise<number> {
  const { tx, site, who, now } = at
  await lockTyre(at, tyre)
  const parameters = { site: site.id, tyre, actor: who.account, now, timeZone: site.timeZone }
  const begun = await tx.maybe(sql.reportOfDay, parameters)
  return begun?.report ?? add(at, { tyre, code: null, note: '' })
}
