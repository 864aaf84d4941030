/** Tyres as a fleet keeps them (SPEC §2 "Vehicle detail", "Add-tyres flow", "Tyre list"; §5). */
import { positionsOf, type Axle } from '#domain/axle.ts'
import { today } from '#domain/date.ts'
import { Failure } from '#domain/failure.ts'
import { clampDepth, may, type TyreStatus } from '#domain/tyre.ts'
import { setNameRequired, takenPositions } from '#domain/tyreSet.ts'
import { actorOf } from '../audit/audit.ts'
import type { Tx } from '../../db/database.ts'
import type { Context, Handlers, Site, Who } from '../handler.ts'
import {
  articlesByIds,
  busyTyres,
  eventsOfTyres,
  eventsOfVehicle,
  grownTyres,
  insertTyres,
  lockTyres,
  lockVehicle,
  positionsOfSet,
  recentLocations,
  recordReadings,
  removeTyres,
  renameSet,
  setlessOfVehicle,
  tyresByIds,
  tyresThere,
  unknownArticles,
  vehicleThere,
} from './tyres.sql.ts'

type Season = 'winter' | 'summer' | 'all_season' | 'snow'
type Locked = {
  id: number
  vehicle: number
  customer: number
  position: string
  status: TyreStatus
}
/** `season` is said for what the catalogue does not have; the others get their article's. */
type Wish = { position: string; article: number; description: string; season?: Season; unknown: boolean }

/** Locks the tyres asked for; one that is not there, or not the caller's, is missing. */
async function locked(tx: Tx, who: Who, site: Site, asked: readonly number[]): Promise<Locked[]> {
  const ids = [...new Set(asked)]
  const tyres = await tx.rows<Locked>(lockTyres, [site.id, ids, who.customer])
  if (tyres.length !== ids.length) throw new Failure('record.missing')
  return tyres
}

/** What an administrator does to tyres shows on the open screens of whose they are. */
function tellOwners(request: Pick<Context<unknown, 'anyone'>['request'], 'notify'>, tyres: readonly Locked[]): void {
  for (const customer of new Set(tyres.map(tyre => tyre.customer))) request.notify(customer)
}

async function refuseUnknown(tx: Tx, who: Who, site: Site, asked: readonly number[]): Promise<void> {
  const ids = [...new Set(asked)]
  const { found } = await tx.one<{ found: number }>(tyresThere, [site.id, ids, who.customer])
  if (found !== ids.length) throw new Failure('record.missing')
}

type Asked =
  | { position: string; art_id: number }
  | { position: string; unknown: { type?: Season | null | undefined; description?: string | null | undefined } }

/** What each position gets: an article of the catalogue, or the site's article for the unknown ones of a season. */
async function wished(tx: Tx, site: Site, asked: readonly Asked[]): Promise<Wish[]> {
  const ids = [...new Set(asked.flatMap(tyre => ('art_id' in tyre ? [tyre.art_id] : [])))]
  const known = ids.length > 0 ? await tx.rows<{ id: number; description: string }>(articlesByIds, [site.id, ids]) : []
  const standIns = asked.some(tyre => 'unknown' in tyre)
    ? await tx.one<Record<Season, number | null>>(unknownArticles, [site.id])
    : null
  return asked.map(tyre => {
    if ('art_id' in tyre) {
      const article = known.find(candidate => candidate.id === tyre.art_id)
      if (!article) throw new Failure('record.missing')
      return { position: tyre.position, article: article.id, description: article.description, unknown: false }
    }
    if (!site.allowUnknownArticle) throw new Failure('article.unknown_refused')
    const { type, description } = tyre.unknown
    if (!type || !description) throw new Failure('article.unknown_incomplete')
    const article = standIns?.[type]
    if (article == null) throw new Failure('article.unknown_refused')
    return { position: tyre.position, article, description, season: type, unknown: true }
  })
}

async function refuseTaken(
  tx: Tx,
  site: Site,
  vehicle: number,
  set: string,
  wanted: readonly string[],
  except: readonly number[],
): Promise<void> {
  const held = await tx.rows<{ position: string }>(positionsOfSet, [site.id, vehicle, set, except])
  const taken = takenPositions(
    wanted.map(position => ({ position })),
    held,
  )
  if (taken.length > 0) throw new Failure('set.positions_taken', { positions: taken })
}

const shown = (tx: Tx, site: Site, ids: readonly number[]) =>
  tx.json(tyresByIds, [site.id, ids, site.allowProfileDepth])

export const tyres: Handlers['tyres'] = {
  async add({ input, tx, who, site, now, request }) {
    const vehicle = await tx.one<{ customer: number; axles: Axle[] | null }>(lockVehicle, [
      site.id,
      input.flt_id,
      who.customer,
    ])
    request.notify(vehicle.customer)
    const { setless } = await tx.one<{ setless: number }>(setlessOfVehicle, [site.id, input.flt_id])
    const positions: readonly string[] = vehicle.axles ? positionsOf(vehicle.axles) : []
    const missing = input.tyres.map(tyre => tyre.position).filter(position => !positions.includes(position))
    if (missing.length > 0) throw new Failure('tyre.position_missing', { positions: missing })
    const set = input.tyre_set || null
    if (set === null && setNameRequired({ setless, positions: positions.length })) throw new Failure('set.name_missing')
    const wishes = await wished(tx, site, input.tyres)
    if (set !== null)
      await refuseTaken(
        tx,
        site,
        input.flt_id,
        set,
        wishes.map(tyre => tyre.position),
        [],
      )
    const made = await tx.rows<{ id: number }>(insertTyres, [
      site.id,
      vehicle.customer,
      input.flt_id,
      JSON.stringify(wishes),
      set,
      today({ now, timeZone: site.timeZone }),
      now,
      who.account,
      actorOf(who),
    ])
    return shown(
      tx,
      site,
      made.map(tyre => tyre.id),
    )
  },

  async changeset({ input, tx, who, site, now, request }) {
    const chosen = await locked(tx, who, site, input.tyres)
    const [first] = chosen
    if (!first || chosen.some(tyre => tyre.vehicle !== first.vehicle)) throw new Failure('operation.tyres_mixed')
    request.notify(first.customer)
    await tx.one(lockVehicle, [site.id, first.vehicle, who.customer])
    const ids = chosen.map(tyre => tyre.id)
    await refuseTaken(
      tx,
      site,
      first.vehicle,
      input.tyre_set,
      chosen.map(tyre => tyre.position),
      ids,
    )
    await tx.rows(renameSet, [site.id, ids, input.tyre_set, now, who.account, actorOf(who)])
    return shown(tx, site, ids)
  },

  async remove({ input, tx, who, site, now, request }) {
    const chosen = await locked(tx, who, site, input.tyres)
    tellOwners(request, chosen)
    const busy = await tx.rows<{ id: number }>(busyTyres, [site.id, chosen.map(tyre => tyre.id)])
    if (busy.length > 0) throw new Failure('operation.tyres_busy', { tyres: busy.map(tyre => tyre.id) })
    const refused = chosen.filter(tyre => !may('delete', { tyre_status: tyre.status }))
    if (refused.length > 0) throw new Failure('tyre.status_refused', { tyres: refused.map(tyre => tyre.id) })
    const ids = chosen.map(tyre => tyre.id)
    await tx.rows(removeTyres, [site.id, ids, now, who.account, actorOf(who)])
    return { removed: ids }
  },

  async measure({ input, tx, who, site, now, request }) {
    if (!site.allowProfileDepth) throw new Failure('tyre.depth_hidden')
    const day = today({ now, timeZone: site.timeZone })
    if (input.readings.some(reading => reading.profile_date > day)) throw new Failure('tyre.reading_date')
    const ids = input.readings.map(reading => reading.db_id)
    if (new Set(ids).size !== ids.length) throw new Failure('request.invalid', { fields: ['readings'] })
    tellOwners(request, await locked(tx, who, site, ids))
    const readings = input.readings.map(reading => ({
      id: reading.db_id,
      depth: clampDepth(reading.profile_depth),
      day: reading.profile_date,
      // a site that does not ask for odometers keeps none, whoever sends one
      odometer: site.allowTachometer ? (reading.profile_tacho ?? null) : null,
    }))
    if (input.deeper !== true) {
      const grown = await tx.rows<{ id: number }>(grownTyres, [site.id, JSON.stringify(readings), site.timeZone])
      if (grown.length > 0) throw new Failure('tyre.deeper', { tyres: grown.map(tyre => tyre.id) })
    }
    await tx.rows(recordReadings, [
      site.id,
      JSON.stringify(readings),
      now,
      who.account,
      day,
      actorOf(who),
      site.timeZone,
    ])
    return shown(
      tx,
      site,
      readings.map(reading => reading.id),
    )
  },

  async events({ input, tx, who, site }) {
    if (input.tyres) {
      await refuseUnknown(tx, who, site, input.tyres)
      return tx.json(eventsOfTyres, [site.id, input.tyres, site.allowProfileDepth])
    }
    await tx.one(vehicleThere, [site.id, input.flt_id, who.customer])
    return tx.json(eventsOfVehicle, [site.id, input.flt_id, site.allowProfileDepth])
  },

  async recentstocklocations({ input, tx, who, site }) {
    await refuseUnknown(tx, who, site, input.tyreIds)
    return tx.json(recentLocations, [site.id, [...new Set(input.tyreIds)]])
  },
}
