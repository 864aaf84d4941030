/** The vehicle configurations of a site, kept by its administrator (SPEC §3 "Vehicle configuration", §4). */
import { sameWheels, type Axle } from '#domain/axle.ts'
import { Failure } from '#domain/failure.ts'
import { configurationAnswers } from '#contract/vehicleConfigs.ts'
import type { Tx } from '../../db/database.ts'
import type { Handlers, Site, Who } from '../handler.ts'
import { lockSite } from '../config/hotelconfig.sql.ts'
import * as sql from './vehicleConfigs.sql.ts'

type Config = { description: string; axle_height: number; axle_width: number; axles: readonly Axle[] }
type Kept = Config & { source: 'local' | 'other' }

const fields = ['description', 'axle_height', 'axle_width', 'axles'] as const
/** What a new one is that says nothing of its drawing (domain/axle.ts). */
const fresh: Config = { description: '', axle_height: 100, axle_width: 140, axles: [] }

export const vehicleConfigs: Handlers['vehicleConfigs'] = {
  all: ({ tx, site }) => tx.json(sql.everyConfig, [site.id]),

  async save({ input, tx, who, site, now, request }) {
    // one after the other, for the descriptions
    await tx.one(lockSite, [site.id])
    const kept = input._id === undefined ? null : await lock(tx, site, input._id)
    const wanted: Config = { ...fresh, ...kept }
    for (const field of fields) if (input[field] !== undefined) Object.assign(wanted, { [field]: input[field] })

    if (await tx.maybe(sql.namesake, [site.id, wanted.description, input._id ?? null]))
      throw new Failure('configuration.name_taken')
    if (kept && !sameWheels(kept.axles, wanted.axles)) {
      const vehicles = await vehiclesWith(tx, site, input._id)
      if (vehicles > 0) throw new Failure('configuration.wheels_fixed', { vehicles })
    }
    const changed = fields.filter(field => !kept || JSON.stringify(kept[field]) !== JSON.stringify(wanted[field]))
    const values = [wanted.description, wanted.axle_height, wanted.axle_width, JSON.stringify(wanted.axles)]
    const id = input._id ?? (await tx.one<{ id: number }>(sql.addConfig, [site.id, ...values])).id
    if (kept && changed.length > 0) await tx.rows(sql.changeConfig, [site.id, id, ...values])
    if (changed.length > 0) {
      const facts = changed.map(field => [field, kept ? [kept[field], wanted[field]] : wanted[field]])
      await note({ tx, who, site, now }, kept ? 'edit' : 'add', id, Object.fromEntries(facts))
      // vehicles name theirs by the description
      const renamed = kept !== null && changed.includes('description')
      request.notify('everyone', renamed ? {} : { answers: configurationAnswers })
    }
    return tx.json(sql.configById, [site.id, id])
  },

  async remove({ input: { _id }, tx, who, site, now, request }) {
    const { description } = await lock(tx, site, _id)
    const vehicles = await vehiclesWith(tx, site, _id)
    if (vehicles > 0) throw new Failure('configuration.in_use', { vehicles })
    await tx.rows(sql.removeConfig, [site.id, _id])
    await note({ tx, who, site, now }, 'remove', _id, { description })
    request.notify('everyone')
    return { _id }
  },
}

/** Locks a configuration that is made here: one of another system is changed there. */
async function lock(tx: Tx, site: Site, id: number): Promise<Kept> {
  const kept = await tx.one<Kept>(sql.lockConfig, [site.id, id])
  if (kept.source !== 'local') throw new Failure('configuration.foreign')
  // jsonb has an order of its own
  const axles = kept.axles.map(({ type, lift, drive, steering, left, right }): Axle => ({
    type,
    lift,
    drive,
    steering,
    left,
    right,
  }))
  return { ...kept, axles }
}

const vehiclesWith = async (tx: Tx, site: Site, id: number | undefined): Promise<number> =>
  (await tx.one<{ vehicles: number }>(sql.vehiclesWith, [site.id, id])).vehicles

const note = (
  { tx, who, site, now }: { tx: Tx; who: Who; site: Site; now: Date },
  step: 'add' | 'edit' | 'remove',
  id: number,
  facts: Record<string, unknown>,
) =>
  tx.rows(sql.audit, [
    site.id,
    who.account,
    now,
    `vehicleConfig.${step}`,
    `vehicle configuration ${id}`,
    JSON.stringify(facts),
  ])
