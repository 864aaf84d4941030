/** The vehicle configurations of a site, managed by its administrator (docs/product/vehicles.md "Vehicle configurations"). */
import { sameWheels, type Axle } from '#domain/vehicles/axle.ts'
import { Failure } from '#domain/failure.ts'
import { configurationAnswers } from '#contract/vehicleConfigs.ts'
import type { Tx } from '../../db/database.ts'
import { recordAudit } from '../audit/record.ts'
import { lockSite } from '../config/config.sql.ts'
import type { Handlers, Site, Who } from '../handler.ts'
import * as sql from './vehicleConfigs.sql.ts'

type Config = { description: string; axle_height: number; axle_width: number; axles: readonly Axle[] }

const fields = ['description', 'axle_height', 'axle_width', 'axles'] as const
/** The defaults of a new configuration (domain/vehicles/axle.ts). */
const defaults: Config = { description: '', axle_height: 100, axle_width: 140, axles: [] }

export const vehicleConfigs: Handlers['vehicleConfigs'] = {
  all: ({ tx, site }) => tx.json(sql.everyConfig, { site: site.id }),

  async save({ input, tx, who, site, now, request }) {
    // one after the other: descriptions are unique
    await tx.one(lockSite, { site: site.id })
    const current = input._id === undefined ? null : await lock(tx, site, input._id)
    const wanted: Config = { ...defaults, ...current }
    for (const field of fields) if (input[field] !== undefined) Object.assign(wanted, { [field]: input[field] })

    const { description } = wanted
    if (await tx.maybe(sql.namesake, { site: site.id, description, config: input._id ?? null }))
      throw new Failure('configuration.name_taken')
    if (current && !sameWheels(current.axles, wanted.axles))
      await refuseInUse(tx, site, current.id, 'configuration.wheels_fixed')

    const changed = fields.filter(field => !current || JSON.stringify(current[field]) !== JSON.stringify(wanted[field]))
    const values = {
      description,
      axle_height: wanted.axle_height,
      axle_width: wanted.axle_width,
      axles: JSON.stringify(wanted.axles),
    }
    const id = current?.id ?? (await tx.one(sql.addConfig, { site: site.id, ...values })).id
    if (current && changed.length > 0) await tx.run(sql.changeConfig, { site: site.id, config: id, ...values })
    if (changed.length > 0) {
      const facts = changed.map(field => [field, current ? [current[field], wanted[field]] : wanted[field]])
      await record({ tx, who, site, now }, current ? 'edit' : 'add', id, Object.fromEntries(facts))
      // vehicles show their configuration by its description
      const renamed = current !== null && changed.includes('description')
      request.notify('everyone', renamed ? {} : { answers: configurationAnswers })
    }
    return tx.json(sql.configById, { site: site.id, config: id })
  },

  async remove({ input: { _id }, tx, who, site, now, request }) {
    const { description } = await lock(tx, site, _id)
    await refuseInUse(tx, site, _id, 'configuration.in_use')
    await tx.run(sql.removeConfig, { site: site.id, config: _id })
    await record({ tx, who, site, now }, 'remove', _id, { description })
    request.notify('everyone')
    return { _id }
  },
}

/**
 * Locks a configuration.
 * @throws Failure `configuration.foreign` for one that another system made, which is changed there
 */
async function lock(tx: Tx, site: Site, id: number): Promise<Config & { id: number }> {
  const { source, ...current } = await tx.one(sql.lockConfig, { site: site.id, config: id })
  if (source !== 'local') throw new Failure('configuration.foreign')
  // jsonb has its own order of keys
  const axles = current.axles.map(({ type, lift, drive, steering, left, right }): Axle => ({
    type,
    lift,
    drive,
    steering,
    left,
    right,
  }))
  return { ...current, axles, id }
}

/** @throws Failure with the number of vehicles that have or had the configuration */
async function refuseInUse(
  tx: Tx,
  site: Site,
  id: number,
  refusal: 'configuration.wheels_fixed' | 'configuration.in_use',
): Promise<void> {
  const { vehicles } = await tx.one(sql.countVehicles, { site: site.id, config: id })
  if (vehicles > 0) throw new Failure(refusal, { vehicles })
}

const record = (
  { tx, who, site, now }: { tx: Tx; who: Who; site: Site; now: Date },
  step: 'add' | 'edit' | 'remove',
  id: number,
  facts: Record<string, unknown>,
): Promise<void> => recordAudit({ tx, site, who, now }, `vehicleConfig.${step}`, `vehicle configuration ${id}`, facts)
