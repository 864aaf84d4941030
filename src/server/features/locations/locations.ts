/** The warehouse: its tree, what lies where, and where the next tyres go (docs/product/warehouse.md "Stock locations"). */
import { Failure } from '#domain/failure.ts'
import {
  childPath,
  expandNames,
  isCarrier,
  isLocationName,
  kindsBelow,
  planLocations,
  type Level,
  type LocationKind,
} from '#domain/warehouse/location.ts'
import { scannedAt } from '#domain/warehouse/scan.ts'
import { stepsBack } from '#domain/tyres/wheel.ts'
import type { Input } from '#contract/call.ts'
import type { contract } from '#contract/index.ts'
import type { AuditVerb } from '#domain/people/audit.ts'
import type { Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import { Print } from '../../printing/pool.ts'
import { layoutOf } from '../fleet/labels.ts'
import { rowsAtDesks } from '../changedRows.ts'
import type { Handlers, Site, Who } from '../handler.ts'
import { recordLargePrint } from '../security/record.ts'
import * as sql from './locations.sql.ts'
import { sizedTyres } from './sizes.ts'
import { take } from './stepping.ts'
import * as putAway from './putAway.sql.ts'
import { recordAudit } from '../audit/record.ts'
import { lockPutAway } from '../tyres/putAwayLock.sql.ts'

type At = { tx: Tx; site: Site }
type Kept = Row<typeof sql.lockLocation>
type Classed = { readonly [K in keyof Row<typeof sql.classOf>]?: Row<typeof sql.classOf>[K] | undefined }

export const locations: Handlers['locations'] = {
  all: ({ tx, site }) => tx.json(sql.allLocations, { site: site.id }),

  tyres: ({ input, tx, site }) => tx.json(sql.tyresAt, { site: site.id, location: input._id }),

  async make({ input, tx, who, site, now }) {
    await tx.run(lockPutAway, { site: site.id })
    const parent =
      input.parent === null ? null : await tx.one(sql.lockLocation, { site: site.id, location: input.parent })
    const levels = input.levels.map(({ kind, pattern }): Level => ({ kind, names: expandNames(pattern, kind) ?? [] }))
    const [top] = levels
    if (!top || !kindsBelow(parent?.kind ?? null).includes(top.kind))
      throw new Failure('request.invalid', { fields: ['levels.0.kind'] })
    const end = await tx.one(sql.endOfWalk, { site: site.id, location: input.parent })
    const inRack = !levels.some(({ kind }) => kind === 'rack') && end.own !== null
    // a plan is ordered by depth, so that what holds others is there before what it holds
    const planned = planLocations(levels, { after: inRack ? (end.own ?? 0) : end.whole, aisles: end.racks })
    const rows = planned.map(({ kind, way, walk, leaf }) => {
      // a site name begins a tree of its own and is no part of the way below it
      const [first = '', ...rest] = way
      const siteName = parent?.siteName ?? first
      const names = parent ? way : rest
      const pathOf = (pieces: readonly string[]) => pieces.reduce(childPath, parent?.path ?? '')
      return {
        depth: way.length - 1,
        name: way.at(-1) ?? '',
        siteName,
        path: pathOf(names),
        parent: !parent && rest.length === 0 ? null : pathOf(names.slice(0, -1)),
        walk: isCarrier(kind) ? 0 : walk,
        capacity: leaf ? input.capacity : 0,
      }
    })
    const tops = rows.filter(({ depth }) => depth === 0)
    const taken = await tx.rows(sql.takenPaths, {
      site: site.id,
      siteNames: tops.map(row => row.siteName),
      paths: tops.map(row => row.path),
    })
    if (taken.length > 0) throw new Failure('location.name_taken', { names: taken.map(({ name }) => name).join(', ') })
    for (const [depth, { kind }] of levels.entries()) {
      const added = rows.filter(row => row.depth === depth)
      await tx.run(sql.addLocations, {
        site: site.id,
        kind,
        names: added.map(row => row.name),
        siteNames: added.map(row => row.siteName),
        paths: added.map(row => row.path),
        parents: added.map(row => row.parent),
        walks: added.map(row => row.walk),
        capacities: added.map(row => row.capacity),
      })
    }
    await audit({ tx, who, site, now }, 'make', input.parent, {
      made: rows.length,
      levels: input.levels.map(({ kind, pattern }) => `${kind} ${pattern}`),
      capacity: input.capacity,
    })
    return { made: rows.length }
  },

  async edit({ input: { _id, name, capacity, walk, ...given }, tx, who, site, now, request }) {
    await tx.run(lockPutAway, { site: site.id })
    const kept = await tx.one(sql.lockLocation, { site: site.id, location: _id })
    if (name !== undefined && name !== kept.name) {
      if (!isLocationName(name, kept.kind)) throw new Failure('request.invalid', { fields: ['name'] })
      const { siteName, path } = renamed(kept, name)
      const taken = await tx.rows(sql.takenPaths, { site: site.id, siteNames: [siteName], paths: [path] })
      // the same name in other capitals is no other location
      const itself =
        siteName.toLowerCase() === kept.siteName.toLowerCase() && path.toLowerCase() === kept.path.toLowerCase()
      if (taken.length > 0 && !itself) throw new Failure('location.name_taken', { names: name })
      await tx.run(sql.renameBranch, { site: site.id, location: _id, name, siteName, pathBefore: kept.path, path })
    }
    if (capacity !== undefined) {
      const fits = isCarrier(kept.kind)
        ? (await tx.count(sql.resizeCarrier, { site: site.id, location: _id, capacity })) > 0
        : (await tx.rows(sql.resizeBranch, { site: site.id, location: _id, capacity })).length === 0
      if (!fits) throw new Failure('location.too_small')
    }
    if (walk !== undefined) await tx.run(sql.moveWalk, { site: site.id, location: _id, walk })
    await classify({ tx, site }, _id, given)
    const changed = {
      ...given,
      ...(name !== undefined && name !== kept.name && { name, before: kept.name }),
      ...(capacity !== undefined && capacity !== kept.capacity && { capacity }),
      ...(walk !== undefined && walk !== kept.walk && { walk }),
    }
    if (Object.keys(changed).length > 0) await audit({ tx, who, site, now }, 'edit', _id, changed)
    // every customer sees the name of the place where their tyres lie
    if ('name' in changed) request.notify('everyone')
    return tx.json(sql.locationById, { site: site.id, location: _id })
  },

  async remove({ input: { _id }, tx, who, site, now }) {
    await tx.run(lockPutAway, { site: site.id })
    const kept = await tx.one(sql.lockLocation, { site: site.id, location: _id })
    if (await tx.maybe(sql.usedBranch, { site: site.id, location: _id })) throw new Failure('location.in_use')
    const removed = await tx.count(sql.removeBranch, { site: site.id, location: _id })
    await audit({ tx, who, site, now }, 'remove', _id, { site: kept.siteName, path: kept.path, removed })
    return { removed_count: removed }
  },

  async move({ input, tx, who, site, now, request }) {
    // the label of another site's rack is of no location at this site
    if (input.ticsId != null && input.ticsId !== site.id) throw new Failure('record.missing')
    const ids = [...new Set(input.tyres)]
    const open = await tx.rows(sql.lockOperationsOf, { site: site.id, tyres: ids })
    const tyres = await tx.rows(sql.lockTyresWithLocation, { site: site.id, tyres: ids })
    await tx.run(lockPutAway, { site: site.id })
    const { kind, room, ...there } = await tx.one(sql.roomAt, { site: site.id, location: input.location, tyres: ids })
    if (tyres.length < ids.length) throw new Failure('record.missing')
    const isNew =
      input.scanId === undefined ||
      (await tx.maybe(sql.recordScan, {
        site: site.id,
        scan: input.scanId,
        location: input.location,
        actor: who.account,
        scannedAt: scannedAt(input.timestamp, now),
      })) !== null
    const stored = tyres.filter(tyre => tyre.status === 'in_stock')
    const coming = tyres.filter(tyre => tyre.coming)
    const former = await tx.rows(sql.whereaboutsOf, { site: site.id, tyres: ids })
    const answer = { ...there, moved: stored.map(tyre => tyre.id), planned: coming.map(tyre => tyre.id), former }
    // a scan is applied once: what happened to the tyres since stays
    if (!isNew) return answer
    const refused = tyres.filter(tyre => !stored.includes(tyre) && !coming.includes(tyre))
    if (refused.length > 0) throw new Failure('tyre.status_refused', { tyres: refused.map(tyre => tyre.id) })
    const onCarrier = isCarrier(kind)
    const moving = onCarrier ? stored : stored.filter(tyre => tyre.location !== input.location)
    const needed = moving.length + coming.length
    if (needed > room) throw new Failure('location.full', { rack: there.stock_rack, free: Math.max(room, 0), needed })
    const { location } = input
    if (onCarrier) {
      await tx.run(sql.loadCarrier, { site: site.id, location, tyres: ids, actor: who.account, now })
    } else {
      await tx.run(sql.moveTo, {
        site: site.id,
        location,
        stored: moving.map(tyre => tyre.id),
        coming: answer.planned,
        actor: who.account,
        now,
      })
      await planRest({ tx, site }, location, answer.planned, room - needed)
    }
    await take(tx, { site: site.id, ...stepOnto(kind), location, tyres: ids })
    // what lies elsewhere now shows in its open operations
    const rows = rowsAtDesks(...open.map(operation => operation.id))
    for (const customer of new Set(tyres.map(tyre => tyre.customer))) request.notify(customer, rows)
    return answer
  },

  async unmove({ input: { location, wheels }, tx, who, site, now, request }) {
    const ids = wheels.map(wheel => wheel.db_id)
    if (new Set(ids).size < ids.length) throw new Failure('request.invalid', { fields: ['wheels'] })
    const open = await tx.rows(sql.lockOperationsOf, { site: site.id, tyres: ids })
    const tyres = await tx.rows(sql.lockTyresWithLocation, { site: site.id, tyres: ids })
    await tx.run(lockPutAway, { site: site.id })
    await tx.one(sql.lockLocation, { site: site.id, location })
    if (tyres.length < ids.length) throw new Failure('record.missing')
    const put = await tx.rows(sql.putThere, { site: site.id, location, tyres: ids, actor: who.account })
    if (put.length < ids.length) throw new Failure('record.changed')
    const stored = new Set(tyres.filter(tyre => tyre.status === 'in_stock').map(tyre => tyre.id))
    for (const alike of Map.groupBy(wheels, wheel => JSON.stringify({ ...wheel, db_id: 0 })).values())
      await putBack({ tx, site, who, now }, location, alike, stored)
    const rows = rowsAtDesks(...open.map(operation => operation.id))
    for (const customer of new Set(tyres.map(tyre => tyre.customer))) request.notify(customer, rows)
    return { returned: ids }
  },

  async plan({ input, tx, who, site, now }) {
    const operation = await tx.one(putAway.lockStorage, { site: site.id, operation: input.operation })
    if (operation.type !== 'to_stock' || operation.status !== 'submitted')
      throw new Failure('operation.step', { status: operation.status })
    await tx.run(lockPutAway, { site: site.id })
    const tyres = await tx.rows(putAway.unplannedTyres, { site: site.id, operation: input.operation })
    if (tyres.length > 0) {
      await tx.run(
        putAway.reserve,
        await sizedTyres(
          tx,
          site.id,
          tyres.map(tyre => tyre.id),
        ),
      )
      await recordAudit({ tx, site, who, now }, 'location.plan', `operation ${input.operation}`, {
        tyres: tyres.length,
      })
    }
    return tx.json(putAway.planOfOperation, { site: site.id, operation: input.operation })
  },

  async labels(context) {
    const { input, tx, site, now, lang } = context
    const layout = await layoutOf(tx, site, input.report_id)
    const ids = [...new Set(input.locations)]
    const rows = await tx.rows(sql.locationsOfLabels, { site: site.id, locations: ids })
    if (rows.length < ids.length) throw new Failure('record.missing')
    await recordLargePrint(context, rows.length)
    const print = { layout, site: site.id, lang, now }
    return new Print({ kind: 'locations', locations: rows, print })
  },
}

type Wheel = Input<(typeof contract)['locations']['unmove']>['wheels'][number]

/** Takes wheels that were in one place off a location again. @throws Failure `location.full`, `wheel.step`, `record.missing` */
async function putBack(
  { tx, site, who, now }: At & { who: Who; now: Date },
  location: number,
  wheels: readonly Wheel[],
  inStock: ReadonlySet<number>,
): Promise<void> {
  const [first] = wheels
  if (!first) return
  const { state, kept } = first
  const ids = wheels.map(wheel => wheel.db_id)
  const stored = ids.filter(id => inStock.has(id))
  const coming = ids.filter(id => !inStock.has(id))
  const onCarrier = state === 'on_cart' || state === 'staged'
  const there = onCarrier || state === 'at_place' ? first.location : null
  if ((onCarrier || state === 'at_place') && there === null) throw new Failure('record.missing')
  for (const place of new Set([kept, there])) {
    if (place === null || place === location) continue
    const { kind, room, stock_rack: rack } = await tx.one(sql.roomAt, { site: site.id, location: place, tyres: ids })
    if (isCarrier(kind) !== (onCarrier && place === there)) throw new Failure('wheel.step', { tyres: ids })
    if (room < ids.length) throw new Failure('location.full', { rack, free: Math.max(room, 0), needed: ids.length })
  }
  const placed = state === 'at_place'
  await tx.run(sql.bookBack, { site: site.id, location, kept, placed, stored, coming, actor: who.account, now })
  const back = there === null ? {} : { location: there }
  await take(tx, { site: site.id, step: stepsBack[state], to: state, ...back, tyres: ids })
}

/**
 * Plans the rest of the sets that these tyres belong to on their place, each set as far as there is `room` for all of its rest; the
 * others where put-away says.
 */
async function planRest({ tx, site }: At, location: number, placed: readonly number[], room: number): Promise<void> {
  if (placed.length === 0) return
  const here: number[] = []
  const elsewhere: number[] = []
  for (const { tyres } of await tx.rows(sql.restOfSets, { site: site.id, location, tyres: [...placed] })) {
    const rest = tyres ?? []
    ;(here.length + rest.length <= room ? here : elsewhere).push(...rest)
  }
  if (here.length > 0) await tx.run(sql.planAt, { site: site.id, location, tyres: here })
  if (elsewhere.length > 0) await tx.run(putAway.reserve, await sizedTyres(tx, site.id, elsewhere))
}

/** Gives a location the class that was `given`, in those parts that were, and puts it in force below it. */
async function classify({ tx, site }: At, location: number, given: Classed): Promise<void> {
  if (Object.keys(given).length === 0) return
  const own = await tx.one(sql.classOf, { site: site.id, location })
  await tx.run(sql.classify, {
    site: site.id,
    location,
    maxDiameter: given.maxDiameter === undefined ? own.maxDiameter : given.maxDiameter,
    maxWidth: given.maxWidth === undefined ? own.maxWidth : given.maxWidth,
    maxWeight: given.maxWeight === undefined ? own.maxWeight : given.maxWeight,
    takes: given.takes === undefined ? own.takes : given.takes,
  })
  await tx.run(sql.inheritClass, { site: site.id, location })
}

/** The step of a wheel that is put on a location. */
const stepOnto = (kind: LocationKind) =>
  kind === 'cart'
    ? ({ step: 'cart', to: 'on_cart' } as const)
    : kind === 'lane'
      ? ({ step: 'stage', to: 'staged' } as const)
      : ({ step: 'place', to: 'at_place' } as const)

/** The tree and the path of a location under another name. */
function renamed({ kind, name: before, siteName, path }: Kept, name: string): { siteName: string; path: string } {
  if (kind === 'site') return { siteName: name, path }
  const above = path.endsWith(before) ? path.slice(0, -before.length) : ''
  return { siteName, path: above + name }
}

const audit = (
  { tx, who, site, now }: At & { who: Who; now: Date },
  verb: AuditVerb<'location'>,
  location: number | null,
  facts: object,
) =>
  recordAudit(
    { tx, site, who, now },
    `location.${verb}`,
    location === null ? 'locations' : `location ${location}`,
    facts,
  )
