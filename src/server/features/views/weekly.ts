/** Views that come by mail every week: written when they are due, and looked up when they are sent (docs/product/screens.md "Named views"). */
import { contract } from '#contract/index.ts'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import type { Language } from '#domain/people/account.ts'
import { countryOf } from '#domain/operations/closedDays.ts'
import { today } from '#domain/texts/date.ts'
import { longStoredSince } from '#domain/tyres/health.ts'
import {
  defaultStatuses,
  hasWords,
  isTyreOf,
  listedAt,
  seasonsIn,
  statusesIn,
  statusesShown,
  textsBesideTyre,
  tyreText,
  vehicleText,
  wordsOf,
} from '#domain/texts/listFilter.ts'
import { viewFilters, viewMailRows } from '#domain/texts/listView.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import type { TreadCase } from '#domain/tyres/tread.ts'
import { vehicleKind } from '#domain/vehicles/vehicle.ts'
import { hasVerdict, isWanted } from '#domain/vehicles/vehicleFilter.ts'
import { languages } from '#domain/people/account.ts'
import type { Database, Tx } from '../../db/database.ts'
import { translate } from '../../texts/texts.ts'
import { startWorker, type Worker } from '../../worker.ts'
import { judging } from '../fleet/health.ts'
import { reachingOfCustomer } from '../fleet/health.sql.ts'
import { fleetOfCustomer } from '../fleet/vehicleLists.sql.ts'
import { visibilityAt } from '../fleet/vehicles.ts'
import type { Site } from '../handler.ts'
import type { AskedView, SeenView } from '../mail/compose.ts'
import { viewLines } from '../mail/viewLines.ts'
import { vehicleConfigsOf } from '../sites/sites.sql.ts'
import { openSite } from '../sites/sites.ts'
import * as sql from './views.sql.ts'

type At = { readonly tx: Tx; readonly site: Site; readonly customer: number; readonly now: Date }

/** Every vehicle of the customer, as its fleet list has them. */
async function fleetOf({ tx, site, customer }: At): Promise<Vehicle[]> {
  const { text } = await tx.list(fleetOfCustomer, { ...visibilityAt(site), customer })
  return contract.fleet.fetch.output.parse(JSON.parse(text))
}

/** The tyres that reach their limit this season. */
async function reachingOf({ tx, site, customer, now }: At): Promise<ReadonlySet<number>> {
  const at = judging(site, customer, today({ now, timeZone: site.timeZone }))
  const { text } = await tx.json(reachingOfCustomer, at)
  return new Set(contract.fleet.reaching.output.parse(JSON.parse(text)).tyres)
}

async function axlesOf({ tx, site }: At) {
  const { text } = await tx.json(vehicleConfigsOf, { site: site.id })
  const { vehicleConfigs } = contract.site.getvehicleconfigs.output.parse(JSON.parse(text))
  const axles = new Map(vehicleConfigs.map(config => [config.description, config.axles]))
  return ({ configuration }: Vehicle) => (configuration === null ? null : (axles.get(configuration) ?? null))
}

const caseAt =
  ({ site, now }: At) =>
  (vehicle: Vehicle): TreadCase => ({
    country: countryOf(site.timeZone),
    kind: vehicleKind(vehicle.type),
    date: today({ now, timeZone: site.timeZone }),
    site,
    customer: { summer: vehicle.min_tread_summer, winter: vehicle.min_tread_winter },
  })

const nothing: ReadonlySet<number> = new Set()

/** The vehicles of a view, as the list shows them: a depth that is hidden does not count. */
async function vehiclesOf(at: At, saved: unknown): Promise<Vehicle[]> {
  const { site } = at
  const filter = viewFilters.vehicles.parse(saved)
  const wish = {
    sets: filter.sets ?? null,
    group: filter.group ?? null,
    season: filter.season ?? null,
    depth: (site.allowProfileDepth && filter.depth) || null,
    verdict: (site.allowProfileDepth && filter.verdict) || null,
  }
  const judged = {
    judged: caseAt(at),
    axles: wish.sets === null ? () => null : await axlesOf(at),
    reaching: wish.verdict === 'reaching' ? await reachingOf(at) : nothing,
  }
  const words = wordsOf(filter.filter ?? '')
  return (await fleetOf(at)).filter(
    vehicle =>
      isWanted(vehicle, wish, judged) &&
      hasWords(words, { text: vehicleText(vehicle, site.mode), plate: vehicle.license_plate }),
  )
}

/** The tyres of a view, with their vehicles. */
async function tyresOf(at: At, saved: unknown): Promise<{ tyre: Tyre; vehicle: Vehicle }[]> {
  const { site, now } = at
  const filter = viewFilters.tyres.parse(saved)
  const depth = (site.allowProfileDepth && filter.depth) || null
  const verdict = (site.allowProfileDepth && filter.verdict) || null
  const asStatuses = filter.status === undefined ? defaultStatuses : statusesIn(filter.status)
  const { shown: statuses } = statusesShown(asStatuses, site, filter.waste ?? false)
  const [listed, wish] = [listedAt(site), { statuses, seasons: seasonsIn(filter.season ?? ''), depth }]
  const since = longStoredSince(today({ now, timeZone: site.timeZone }))
  const reaching = verdict === 'reaching' ? await reachingOf(at) : nothing
  const words = wordsOf(filter.filter ?? '')
  const judged = caseAt(at)
  return (await fleetOf(at)).flatMap(vehicle => {
    const own = textsBesideTyre(vehicle, site.mode)
    const isShown = (tyre: Tyre) =>
      listed[tyre.tyre_status] &&
      isTyreOf(tyre, wish) &&
      (verdict === null || hasVerdict(tyre, verdict, { at: judged(vehicle), reaching })) &&
      (!filter.long || (tyre.tyre_status === 'in_stock' && tyre.status_date <= since)) &&
      hasWords(words, { text: tyreText(own, tyre), plate: vehicle.license_plate, id: tyre.db_id })
    return vehicle.tyres.filter(isShown).map(tyre => ({ tyre, vehicle }))
  })
}

const joined = (parts: readonly (string | false | null)[]): string => parts.filter(Boolean).join(' · ')

/** A row of a message for each vehicle or tyre. */
async function rowsOf(at: At, { list, filter }: { list: string; filter: unknown }, lang: Language): Promise<string[]> {
  if (list === 'vehicles')
    return (await vehiclesOf(at, filter)).map(vehicle =>
      joined([formatPlate(vehicle.license_plate), `${vehicle.brand} ${vehicle.description}`, vehicle.driver_name]),
    )
  const depthOf = ({ profile_depth: depth }: Tyre) =>
    depth !== null && translate(lang, 'common', 'mm', { depth: formatNumber(depth, languages[lang]) })
  return (await tyresOf(at, filter)).map(({ tyre, vehicle }) =>
    joined([
      formatPlate(vehicle.license_plate),
      tyre.tyre_set,
      tyre.position,
      tyre.description,
      depthOf(tyre),
      translate(lang, 'common', `tyreStatus.${tyre.tyre_status}`),
    ]),
  )
}

/** The path and search of a view in the portal, as the router of the pages writes them. */
function pathOf(list: string, filter: Readonly<Record<string, unknown>>): string {
  const search = Object.entries(filter).map(([field, value]) => {
    // a text that reads as a number or a word of JSON stands in quotes
    const isText = typeof value === 'string' && !isJson(value)
    return `${encodeURIComponent(field)}=${encodeURIComponent(isText ? value : JSON.stringify(value))}`
  })
  const path = list === 'vehicles' ? '/fleet' : '/tyres'
  return search.length === 0 ? path : `${path}?${search.join('&')}`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Looks up the rows of a view as its reader sees them, under row-level security. `null`: they do not get it any more. */
export const lookAtViews =
  (database: Database) =>
  async ({ site: id, customer, account, view, lang, now }: AskedView): Promise<SeenView | null> => {
    const site = await openSite(database, id)
    if (!site) return null
    return database.transaction({ site: id, customer }, async tx => {
      const kept = await tx.maybe(sql.viewToSend, { site: id, customer, account, view })
      if (!kept) return null
      const filter = JSON.parse(kept.filter) as Record<string, unknown>
      const rows = await rowsOf({ tx, site, customer, now }, { list: kept.list, filter }, lang)
      return {
        name: kept.name,
        key: kept.key,
        path: pathOf(kept.list, filter),
        count: rows.length,
        lines: viewLines(rows.slice(0, viewMailRows), { count: rows.length, lang }),
      }
    })
  }

/** Writes the messages that are due. Whether there were any. */
export async function writeWeeklyViews(database: Database, now: Date): Promise<boolean> {
  const { due } = await database.transaction({ system: true }, tx => tx.one(sql.writeDue, { now }))
  return due > 0
}

/** Writes due messages from now on. */
export const startWeeklyViews = (database: Database, failed: (problem: string) => void): Worker =>
  startWorker({ next: () => writeWeeklyViews(database, new Date()), onError: failed })
