/** The warehouse: its tree, what lies where, and where the next tyres go (DESIGN §6 "location"). */
import { Failure } from '#domain/failure.ts'
import type { LabelLayout } from '#domain/label.ts'
import {
  isLocationName,
  kindsBelow,
  namesOf,
  pathBelow,
  planOf,
  type Level,
  type LocationKind,
} from '#domain/location.ts'
import type { Tx } from '../../db/database.ts'
import { labelReport } from '../fleet/fleet.sql.ts'
import type { Handlers, Site, Who } from '../handler.ts'
import type { LabelledLocation } from '../../printing/labels.ts'
import { Print } from '../../printing/pool.ts'
import * as sql from './locations.sql.ts'
import { scannedAt } from '#domain/scan.ts'

type At = { tx: Tx; site: Site }
type Kept = {
  id: number
  kind: LocationKind
  name: string
  siteName: string
  path: string
  walk: number
  capacity: number
}

export const locations: Handlers['locations'] = {
  all: ({ tx, site }) => tx.json(sql.everyLocation, [site.id]),

  tyres: ({ input, tx, site }) => tx.json(sql.tyresAt, [site.id, input._id]),

  async make({ input, tx, who, site, now }) {
    await tx.rows(sql.lockPutAway, [site.id])
    const parent = input.parent === null ? null : await tx.one<Kept>(sql.lockLocation, [site.id, input.parent])
    const levels = input.levels.map(({ kind, pattern }): Level => ({ kind, names: namesOf(pattern, kind) ?? [] }))
    const [top] = levels
    if (!top || !kindsBelow(parent?.kind ?? null).includes(top.kind))
      throw new Failure('request.invalid', { fields: ['levels.0.kind'] })
    const end = await tx.one<{ own: number | null; whole: number; racks: number }>(sql.endOfWalk, [
      site.id,
      input.parent,
    ])
    const inRack = !levels.some(({ kind }) => kind === 'rack') && end.own !== null
    // a plan is ordered by depth, so that what holds others is there before what it holds
    const planned = planOf(levels, { after: inRack ? (end.own ?? 0) : end.whole, aisles: end.racks })
    const rows = planned.map(({ way, walk, leaf }) => {
      // a site name begins a tree of its own and is no part of the way below it
      const [first = '', ...rest] = way
      const siteName = parent?.siteName ?? first
      const names = parent ? way : rest
      const pathOf = (pieces: readonly string[]) => pieces.reduce(pathBelow, parent?.path ?? '')
      return {
        depth: way.length - 1,
        name: way.at(-1) ?? '',
        siteName,
        path: pathOf(names),
        above: !parent && rest.length === 0 ? null : pathOf(names.slice(0, -1)),
        walk,
        capacity: leaf ? input.capacity : 0,
      }
    })
    const tops = rows.filter(({ depth }) => depth === 0)
    const taken = await tx.rows<{ name: string }>(sql.takenPaths, [
      site.id,
      tops.map(row => row.siteName),
      tops.map(row => row.path),
    ])
    if (taken.length > 0) throw new Failure('location.name_taken', { names: taken.map(({ name }) => name).join(', ') })
    for (const [depth, { kind }] of levels.entries()) {
      const made = rows.filter(row => row.depth === depth)
      // oxlint-disable-next-line no-await-in-loop -- a level at a time: it lies in the one before
      await tx.rows(sql.addLocations, [
        site.id,
        kind,
        made.map(row => row.name),
        made.map(row => row.siteName),
        made.map(row => row.path),
        made.map(row => row.above),
        made.map(row => row.walk),
        made.map(row => row.capacity),
      ])
    }
    await note({ tx, who, site, now }, 'make', input.parent, {
      made: rows.length,
      levels: input.levels.map(({ kind, pattern }) => `${kind} ${pattern}`),
      capacity: input.capacity,
    })
    return { made: rows.length }
  },

  async edit({ input: { _id, name, capacity, walk }, tx, who, site, now, request }) {
    await tx.rows(sql.lockPutAway, [site.id])
    const kept = await tx.one<Kept>(sql.lockLocation, [site.id, _id])
    if (name !== undefined && name !== kept.name) {
      if (!isLocationName(name, kept.kind)) throw new Failure('request.invalid', { fields: ['name'] })
      const { siteName, path } = renamed(kept, name)
      const taken = await tx.rows<{ name: string }>(sql.takenPaths, [site.id, [siteName], [path]])
      // the same name in other capitals is no other location
      const itself =
        siteName.toLowerCase() === kept.siteName.toLowerCase() && path.toLowerCase() === kept.path.toLowerCase()
      if (taken.length > 0 && !itself) throw new Failure('location.name_taken', { names: name })
      await tx.rows(sql.renameBranch, [site.id, _id, name, siteName, kept.path, path])
    }
    if (capacity !== undefined) {
      const over = await tx.rows(sql.resizeBranch, [site.id, _id, capacity])
      if (over.length > 0) throw new Failure('location.full')
    }
    if (walk !== undefined) await tx.rows(sql.walkBranch, [site.id, _id, walk])
    const changed = {
      ...(name !== undefined && name !== kept.name && { name, before: kept.name }),
      ...(capacity !== undefined && capacity !== kept.capacity && { capacity }),
      ...(walk !== undefined && walk !== kept.walk && { walk }),
    }
    if (Object.keys(changed).length > 0) await note({ tx, who, site, now }, 'edit', _id, changed)
    // where tyres of anybody's lie is called something else now
    if ('name' in changed) request.notify('everyone')
    return tx.json(sql.locationById, [site.id, _id])
  },

  async remove({ input: { _id }, tx, who, site, now }) {
    await tx.rows(sql.lockPutAway, [site.id])
    const kept = await tx.one<Kept>(sql.lockLocation, [site.id, _id])
    if (await tx.maybe(sql.usedBranch, [site.id, _id])) throw new Failure('location.in_use')
    const removed = await tx.count(sql.removeBranch, [site.id, _id])
    await note({ tx, who, site, now }, 'remove', _id, { site: kept.siteName, path: kept.path, removed })
    return { removed }
  },

  async move({ input, tx, who, site, now, request }) {
    // the label of another site's rack is of no location here
    if (input.ticsId != null && input.ticsId !== site.id) throw new Failure('record.missing')
    const asked = [...new Set(input.tyres)]
    await tx.rows(sql.lockOperationsOf, [site.id, asked])
    const tyres = await tx.rows<{
      id: number
      customer: number
      status: string
      location: number | null
      coming: boolean
    }>(sql.lockTyres, [site.id, asked])
    await tx.rows(sql.lockPutAway, [site.id])
    const { room, ...there } = await tx.one<{ stock_site_name: string; stock_rack: string; room: number }>(sql.roomAt, [
      site.id,
      input.location,
      asked,
    ])
    if (tyres.length < asked.length) throw new Failure('record.missing')
    const scan = [site.id, input.scanId, input.location, who.account, scannedAt(input.timestamp, now)]
    const isNew = input.scanId === undefined || (await tx.maybe(sql.noteScan, scan)) !== null
    const stored = tyres.filter(tyre => tyre.status === 'in_stock')
    const coming = tyres.filter(tyre => tyre.coming)
    const answer = { ...there, moved: stored.map(tyre => tyre.id), planned: coming.map(tyre => tyre.id) }
    // applied once, for ever: whatever has become of the tyres since stays so
    if (!isNew) return answer
    const refused = tyres.filter(tyre => !stored.includes(tyre) && !coming.includes(tyre))
    if (refused.length > 0) throw new Failure('tyre.status_refused', { tyres: refused.map(tyre => tyre.id) })
    const moving = stored.filter(tyre => tyre.location !== input.location)
    if (moving.length + coming.length > room) throw new Failure('location.full')
    await tx.rows(sql.moveTo, [site.id, input.location, moving.map(tyre => tyre.id), answer.planned, who.account, now])
    for (const customer of new Set(tyres.map(tyre => tyre.customer))) request.notify(customer)
    return answer
  },

  async plan({ input, tx, who, site, now }) {
    const operation = await tx.one<{ status: string; type: string }>(sql.lockStorage, [site.id, input.operation])
    if (operation.type !== 'to_stock' || operation.status !== 'submitted')
      throw new Failure('operation.step', { status: operation.status })
    await tx.rows(sql.lockPutAway, [site.id])
    const tyres = await tx.rows<{ id: number; tyreSet: string | null }>(sql.unplanned, [site.id, input.operation])
    // a set lies together, whatever else comes in with it
    for (const set of Map.groupBy(tyres, tyre => tyre.tyreSet ?? '').values())
      // oxlint-disable-next-line no-await-in-loop -- the next set has the room that this one leaves
      await tx.rows(sql.keepFree, [site.id, set.map(tyre => tyre.id)])
    if (tyres.length > 0)
      await tx.rows(sql.noteLocation, [
        site.id,
        who.account,
        now,
        'location.plan',
        `operation ${input.operation}`,
        JSON.stringify({ tyres: tyres.length }),
      ])
    return tx.json(sql.planOfOperation, [site.id, input.operation])
  },

  async labels({ input, tx, site, now, lang }) {
    const report = await tx.maybe<{ layout: LabelLayout }>(labelReport, [site.id, input.report_id])
    if (!report) throw new Failure('label.report_missing')
    const asked = [...new Set(input.locations)]
    const found = await tx.rows<LabelledLocation>(sql.labelled, [site.id, asked])
    if (found.length < asked.length) throw new Failure('record.missing')
    const print = { layout: report.layout, site: site.id, lang, now }
    return new Print({ kind: 'locations', locations: found, print })
  },
}

/** The tree and the path of a location under another name. */
function renamed({ kind, name: before, siteName, path }: Kept, name: string): { siteName: string; path: string } {
  if (kind === 'site') return { siteName: name, path }
  const above = path.endsWith(before) ? path.slice(0, -before.length) : ''
  return { siteName, path: above + name }
}

const note = (
  { tx, who, site, now }: At & { who: Who; now: Date },
  step: string,
  location: number | null,
  facts: Record<string, unknown>,
) =>
  tx.rows(sql.noteLocation, [
    site.id,
    who.account,
    now,
    `location.${step}`,
    location === null ? 'locations' : `location ${location}`,
    JSON.stringify(facts),
  ])
