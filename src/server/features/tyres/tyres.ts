/** Tyres as a fleet keeps them: added, put into sets, measured, removed (docs/product/tyres.md "Tyres"). */
import { positionsOf } from '#domain/vehicles/axle.ts'
import { today } from '#domain/texts/date.ts'
import { dotRefusal, normalizeDot } from '#domain/tyres/dot.ts'
import { Failure } from '#domain/failure.ts'
import { clampDepth, may } from '#domain/tyres/tyre.ts'
import { isSameSet, setNameRequired, takenPositions } from '#domain/tyres/tyreSet.ts'
import type { Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import { actorOf } from '../audit/audited.sql.ts'
import type { Context, Handlers, Site, Who } from '../handler.ts'
import { forecastsOf } from './forecast.ts'
import * as sql from './tyres.sql.ts'

type Locked = Row<typeof sql.lockTyres>
type Season = keyof Row<typeof sql.unknownArticles>
/** A tyre to add. `season`: of an article that the catalogue does not have; the others get their article's. */
type NewTyre = { position: string; article: number; description: string; season?: Season; unknown: boolean }

type Asking = { readonly tx: Tx; readonly who: Who; readonly site: Site }

/** Locks the tyres; one that does not exist, or is not the caller's, is missing. */
export async function lockTyresOf({ tx, who, site }: Asking, requested: readonly number[]): Promise<Locked[]> {
  const ids = [...new Set(requested)]
  const tyres = await tx.rows(sql.lockTyres, { site: site.id, tyres: ids, customer: who.customer })
  if (tyres.length !== ids.length) throw new Failure('record.missing')
  return tyres
}

type Reading = { db_id: number; profile_depth: number; profile_date: string }

const readingOf = ({ db_id, profile_depth, profile_date }: Reading) => ({
  id: db_id,
  depth: clampDepth(profile_depth),
  day: profile_date,
})

/** The tyres of readings, of which each has one. @throws Failure `request.invalid` */
function readTyres(readings: readonly Reading[]): number[] {
  const ids = readings.map(reading => reading.db_id)
  if (new Set(ids).size !== ids.length) throw new Failure('request.invalid', { fields: ['readings'] })
  return ids
}

/** Shows a change by an administrator on the open screens of the tyres' owners. */
function notifyOwners(request: Pick<Context<unknown, 'anyone'>['request'], 'notify'>, tyres: readonly Locked[]): void {
  for (const customer of new Set(tyres.map(tyre => tyre.customer))) request.notify(customer)
}

async function refuseMissing(tx: Tx, who: Who, site: Site, requested: readonly number[]): Promise<void> {
  const ids = [...new Set(requested)]
  const { found: count } = await tx.one(sql.countTyres, { site: site.id, tyres: ids, customer: who.customer })
  if (count !== ids.length) throw new Failure('record.missing')
}

type Requested =
  | { position: string; art_id: number }
  | { position: string; unknown: { type?: Season | null | undefined; description?: string | null | undefined } }

/** The article of each position: from the catalogue, or the site's article for unknown ones of a season. */
async function newTyres(tx: Tx, site: Site, requested: readonly Requested[]): Promise<NewTyre[]> {
  const ids = [...new Set(requested.flatMap(tyre => ('art_id' in tyre ? [tyre.art_id] : [])))]
  const articles = ids.length > 0 ? await tx.rows(sql.articlesByIds, { site: site.id, articles: ids }) : []
  const standIns = requested.some(tyre => 'unknown' in tyre)
    ? await tx.one(sql.unknownArticles, { site: site.id })
    : null
  return requested.map(tyre => {
    if ('art_id' in tyre) {
      const article = articles.find(candidate => candidate.id === tyre.art_id)
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

/**
 * The set that tyres on these positions join under this name, in its own spelling; `joining` are those that exist already.
 * @throws Failure `set.positions_taken` when another tyre of the set has one of the positions
 */
export async function setToJoin(
  tx: Tx,
  site: Site,
  vehicle: number,
  name: string,
  wanted: readonly string[],
  joining: readonly number[] = [],
): Promise<string> {
  const parameters = { site: site.id, vehicle, set: name, except: [...joining] }
  const positions = await tx.rows(sql.positionsOfSet, parameters)
  const taken = takenPositions(
    wanted.map(position => ({ position })),
    positions,
  )
  if (taken.length > 0) throw new Failure('set.positions_taken', { positions: taken })
  return (await tx.maybe(sql.spellingOfSet, parameters))?.set ?? name
}

export const answerOfTyres = ({ tx, site }: Omit<Asking, 'who'>, ids: readonly number[]) =>
  tx.json(sql.tyresByIds, { site: site.id, tyres: [...ids], withDepth: site.allowProfileDepth })

export const tyres: Handlers['tyres'] = {
  async add({ input, tx, who, site, now, request }) {
    const vehicle = await tx.one(sql.lockVehicle, { site: site.id, vehicle: input.flt_id, customer: who.customer })
    request.notify(vehicle.customer)
    const { setless } = await tx.one(sql.countSetless, { site: site.id, vehicle: input.flt_id })
    const positions: readonly string[] = vehicle.axles ? positionsOf(vehicle.axles) : []
    const missing = input.tyres.map(tyre => tyre.position).filter(position => !positions.includes(position))
    if (missing.length > 0) throw new Failure('tyre.position_missing', { positions: missing })
    const name = input.tyre_set || null
    if (name === null && setNameRequired({ setless, positions: positions.length }))
      throw new Failure('set.name_missing')
    const added = await newTyres(tx, site, input.tyres)
    const wanted = added.map(tyre => tyre.position)
    const set = name === null ? null : await setToJoin(tx, site, input.flt_id, name, wanted)
    const tyres = await tx.rows(sql.insertTyres, {
      site: site.id,
      customer: vehicle.customer,
      vehicle: input.flt_id,
      tyres: JSON.stringify(added),
      set,
      day: today({ now, timeZone: site.timeZone }),
      now,
      account: who.account,
      actor: actorOf(who),
    })
    return answerOfTyres(
      { tx, site },
      tyres.map(tyre => tyre.id),
    )
  },

  async changeset({ input, tx, who, site, now, request }) {
    const chosen = await lockTyresOf({ tx, who, site }, input.tyres)
    const [first] = chosen
    if (!first || chosen.some(tyre => tyre.vehicle !== first.vehicle)) throw new Failure('operation.tyres_mixed')
    request.notify(first.customer)
    await tx.one(sql.lockVehicle, { site: site.id, vehicle: first.vehicle, customer: who.customer })
    const ids = chosen.map(tyre => tyre.id)
    const wanted = chosen.map(tyre => tyre.position)
    const set = await setToJoin(tx, site, first.vehicle, input.tyre_set, wanted, ids)
    await tx.run(sql.renameSet, {
      site: site.id,
      tyres: ids,
      set,
      now,
      account: who.account,
      actor: actorOf(who),
    })
    return answerOfTyres({ tx, site }, ids)
  },

  async undoset({ input, tx, who, site, now, request }) {
    const former = new Map(input.tyres.map(({ db_id, tyre_set }) => [db_id, tyre_set]))
    const chosen = await lockTyresOf({ tx, who, site }, [...former.keys()])
    const [first] = chosen
    if (!first || chosen.some(tyre => tyre.vehicle !== first.vehicle)) throw new Failure('operation.tyres_mixed')
    request.notify(first.customer)
    await tx.one(sql.lockVehicle, { site: site.id, vehicle: first.vehicle, customer: who.customer })
    if (!chosen.every(tyre => isSameSet(tyre.set, input.expected))) throw new Failure('record.changed')
    const ids = chosen.map(tyre => tyre.id)
    const done = { site: site.id, now, account: who.account, actor: actorOf(who) }
    for (const [name, group] of Map.groupBy(chosen, tyre => former.get(tyre.id) ?? null)) {
      const wanted = group.map(tyre => tyre.position)
      const set = name === null ? null : await setToJoin(tx, site, first.vehicle, name, wanted, ids)
      await tx.run(sql.renameSet, { ...done, tyres: group.map(tyre => tyre.id), set })
    }
    return answerOfTyres({ tx, site }, ids)
  },

  async remove({ input, tx, who, site, now, request }) {
    const chosen = await lockTyresOf({ tx, who, site }, input.tyres)
    notifyOwners(request, chosen)
    const busy = await tx.rows(sql.busyTyres, { site: site.id, tyres: chosen.map(tyre => tyre.id) })
    if (busy.length > 0) throw new Failure('operation.tyres_busy', { tyres: busy.map(tyre => tyre.id) })
    const refused = chosen.filter(tyre => !may('delete', { tyre_status: tyre.status }))
    if (refused.length > 0) throw new Failure('tyre.status_refused', { tyres: refused.map(tyre => tyre.id) })
    const ids = chosen.map(tyre => tyre.id)
    await tx.run(sql.removeTyres, { site: site.id, tyres: ids, now, account: who.account, actor: actorOf(who) })
    return { removed: ids }
  },

  async measure({ input, tx, who, site, now, request }) {
    if (!site.allowProfileDepth) throw new Failure('tyre.depth_hidden')
    const day = today({ now, timeZone: site.timeZone })
    if (input.readings.some(reading => reading.profile_date > day)) throw new Failure('tyre.reading_date')
    notifyOwners(request, await lockTyresOf({ tx, who, site }, readTyres(input.readings)))
    const readings = input.readings.map(reading => ({
      ...readingOf(reading),
      // a site without odometers stores none, even if one is sent
      odometer: site.allowTachometer ? (reading.profile_tacho ?? null) : null,
    }))
    if (input.deeper !== true) {
      const deeper = await tx.rows(sql.deeperTyres, {
        site: site.id,
        readings: JSON.stringify(readings),
        timeZone: site.timeZone,
      })
      if (deeper.length > 0) throw new Failure('tyre.deeper', { tyres: deeper.map(tyre => tyre.id) })
    }
    await tx.run(sql.recordReadings, {
      site: site.id,
      readings: JSON.stringify(readings),
      now,
      account: who.account,
      day,
      actor: actorOf(who),
      timeZone: site.timeZone,
    })
    return answerOfTyres(
      { tx, site },
      readings.map(reading => reading.id),
    )
  },

  async unmeasure({ input, tx, who, site, now, request }) {
    if (!site.allowProfileDepth) throw new Failure('tyre.depth_hidden')
    const ids = readTyres(input.readings)
    notifyOwners(request, await lockTyresOf({ tx, who, site }, ids))
    const readings = input.readings.map(readingOf)
    const rows = await tx.rows(sql.readingsToTakeBack, {
      site: site.id,
      readings: JSON.stringify(readings),
      account: who.account,
      timeZone: site.timeZone,
    })
    if (rows.length < ids.length) throw new Failure('record.changed')
    await tx.run(sql.takeReadingsBack, {
      site: site.id,
      events: rows.map(({ event }) => event),
      now,
      account: who.account,
      actor: actorOf(who),
    })
    return answerOfTyres({ tx, site }, ids)
  },

  async notedot({ input, tx, who, site, now, request }) {
    const dots = { dot: normalizeDot(input.dot), retreaded: normalizeDot(input.retreaded) }
    const refusal = dotRefusal(dots, today({ now, timeZone: site.timeZone }))
    if (refusal) throw refusal
    const locked = await lockTyresOf({ tx, who, site }, [input.db_id])
    notifyOwners(request, locked)
    const { expected } = input
    const isExpected = ({ dot, retreaded }: Locked) =>
      !expected || (dot === normalizeDot(expected.dot) && retreaded === normalizeDot(expected.retreaded))
    if (!locked.every(isExpected)) throw new Failure('record.changed')
    const tyre = input.db_id
    await tx.run(sql.noteDot, { ...dots, site: site.id, tyre, now, account: who.account, actor: actorOf(who) })
    return { tyre, ...dots }
  },

  async dots({ input: { tyres }, tx, who, site }) {
    await refuseMissing(tx, who, site, tyres)
    return tx.rows(sql.dotsOfTyres, { site: site.id, tyres: [...tyres] })
  },

  async events({ input: { flt_id: vehicle, tyres: chosen }, tx, who, site }) {
    const withDepth = site.allowProfileDepth
    if (vehicle !== undefined && !chosen) {
      await tx.one(sql.vehicleExists, { site: site.id, vehicle, customer: who.customer })
      return tx.json(sql.eventsOfVehicle, { site: site.id, vehicle, withDepth })
    }
    await refuseMissing(tx, who, site, chosen ?? [])
    return tx.json(sql.eventsOfTyres, { site: site.id, tyres: chosen ?? [], withDepth })
  },

  async forecast({ input: { tyres }, tx, who, site, now }) {
    await refuseMissing(tx, who, site, tyres)
    return site.allowProfileDepth ? forecastsOf(tx, { site, tyres, now }) : []
  },

  find: ({ input, tx, site }) => tx.rows(sql.tyreById, { site: site.id, tyre: input.tyre }),

  async recentstocklocations({ input, tx, who, site }) {
    await refuseMissing(tx, who, site, input.tyreIds)
    return tx.json(sql.recentLocations, { site: site.id, tyres: [...new Set(input.tyreIds)] })
  },
}
