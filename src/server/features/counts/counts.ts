/** Counting stock (docs/product/warehouse.md "Counting"): places are judged here, and differences solved by the calls that move wheels. */
import {
  type Difference,
  outcomeOf,
  placesAhead,
  riskiest,
  risksOf,
  type Solution,
  solutionsOf,
} from '#domain/warehouse/count.ts'
import { today } from '#domain/texts/date.ts'
import { Failure } from '#domain/failure.ts'
import { scannedAt } from '#domain/warehouse/scan.ts'
import type { Row } from '../../db/statement.ts'
import { type Context, type Handlers, within } from '../handler.ts'
import { locations } from '../locations/locations.ts'
import { wheels } from '../wheels/wheels.ts'
import * as sql from './counts.sql.ts'

type At<I> = Context<I, readonly ['admin']>
type Label = { readonly db_id?: number | undefined; readonly ticsId?: number | null | undefined }
type Finding = {
  readonly outcome: Difference
  readonly tyre: number | null
  readonly label: { readonly site: number; readonly tyre: number } | null
  readonly belongs: number | null
}
type Place = { readonly count: number; readonly location: number; readonly at: Date }

export const counts: Handlers['counts'] = {
  all: ({ tx, site }) => tx.single.json(sql.allCounts, { site: site.id }),

  async start({ input: { location }, tx, site, who, now }) {
    const started = await tx.maybe(sql.startCount, { site: site.id, location, actor: who.account, now })
    if (started) return started
    await tx.one(sql.anyLocation, { site: site.id, location })
    throw new Failure('count.no_places')
  },

  places: ({ input: { count }, tx, site }) => tx.single.json(sql.placesOf, { site: site.id, count }),

  async next({ tx, site, now }) {
    const places = riskiest(await tx.single.rows(sql.placeFacts, { site: site.id, now }), placesAhead)
    return places.map(place => ({
      _id: place.id,
      stock_site_name: place.siteName,
      stock_rack: place.path,
      why: risksOf(place),
      days: place.days,
    }))
  },

  async place(at) {
    const { input, tx, site, now } = at
    const { location, scanId: scan } = input
    // the label of another site's rack is of no location at this site
    if (input.ticsId != null && input.ticsId !== site.id) throw new Failure('record.missing')
    const { id: count, location: within } = await tx.one(sql.lockCount, {
      site: site.id,
      count: input.count ?? (await countOfToday(at)),
    })
    const place = await tx.one(sql.placeInCount, { site: site.id, location, within })
    if (!place.isPlace) throw new Failure('count.other_place', { rack: place.path })
    await judge(at, { count, location, at: scannedAt(input.timestamp, now) })
    return tx.json(sql.countedPlace, { site: site.id, scan })
  },

  async solve(at) {
    const { input, tx, site, who, now } = at
    const { finding, how } = input
    await tx.one(sql.lockFinding, { site: site.id, finding })
    const difference = await tx.maybe(sql.findingOf, { site: site.id, finding })
    if (!difference || !solutionsOf(difference.outcome, difference).includes(how)) throw new Failure('count.solution')
    await handle(at, difference)
    const reason = input.reason ?? null
    await tx.run(sql.solveFinding, { site: site.id, finding, how, reason, actor: who.account, now })
    return { finding }
  },

  async end({ input: { count }, tx, site, who, now }) {
    await tx.one(sql.lockCount, { site: site.id, count })
    await tx.run(sql.endCount, { site: site.id, count, actor: who.account, now })
    return { count }
  },

  report: ({ input: { count }, tx, site }) => tx.single.json(sql.reportOf, { site: site.id, count }),
}

/** The count of today's places one at a time. */
async function countOfToday({ tx, site, who, now }: At<unknown>): Promise<number> {
  const day = today({ now, timeZone: site.timeZone })
  return (await tx.one(sql.countOfDay, { site: site.id, day, actor: who.account, now })).id
}

/** Compares the scans of a place with the records as they are now, and saves the result. */
async function judge(
  { input, tx, site, who }: At<{ scanId: string; wheels: readonly Label[] }>,
  { count, location, at }: Place,
): Promise<void> {
  const labels = [...new Map(input.wheels.map((label, nth) => [keyOf(label, nth), label])).values()]
  const isOurs = ({ db_id, ticsId }: Label) => db_id !== undefined && (ticsId ?? site.id) === site.id
  const tyres = labels.filter(isOurs).flatMap(({ db_id }) => db_id ?? [])
  const rows = await tx.rows(sql.wheelsOfPlace, { site: site.id, count, location, tyres, at })
  const findings = findingsOf({ labels, rows, location, site: site.id })
  await tx.maybe(sql.keepPlace, {
    site: site.id,
    count,
    scan: input.scanId,
    location,
    tyres,
    found: labels.length - findings.filter(({ outcome }) => outcome !== 'missing').length,
    at,
    actor: who.account,
    outcomes: findings.map(({ outcome }) => outcome),
    wheels: findings.map(({ tyre }) => tyre),
    labelSites: findings.map(({ label }) => label?.site ?? null),
    labelTyres: findings.map(({ label }) => label?.tyre ?? null),
    belongs: findings.map(({ belongs }) => belongs),
  })
}

/** A label that is scanned again is the same wheel; of wheels without a label each is another one. */
const keyOf = ({ db_id, ticsId }: Label, nth: number): string =>
  db_id === undefined ? `without ${nth}` : `${ticsId} ${db_id}`

type Judged = {
  readonly labels: readonly Label[]
  readonly rows: readonly Row<typeof sql.wheelsOfPlace>[]
  readonly location: number
  readonly site: number
}

function findingsOf({ labels, rows, location, site }: Judged): Finding[] {
  const wheelOf = new Map(rows.map(wheel => [wheel.tyre, wheel]))
  const scanned = labels.flatMap(({ db_id, ticsId }): Finding[] => {
    if (db_id === undefined) return [{ outcome: 'unknown', tyre: null, label: null, belongs: null }]
    const label = { site: ticsId ?? site, tyre: db_id }
    if (label.site !== site) return [{ outcome: 'foreign', tyre: null, label, belongs: null }]
    const wheel = wheelOf.get(db_id)
    const outcome = outcomeOf(wheel ?? null, location)
    if (outcome === 'found') return []
    return [{ outcome, tyre: wheel?.tyre ?? null, label: wheel ? null : label, belongs: wheel?.booked ?? null }]
  })
  const missing = rows
    .filter(wheel => !wheel.scanned && !wheel.steppedSince && wheel.location === location)
    .map((wheel): Finding => ({ outcome: 'missing', tyre: wheel.tyre, label: null, belongs: location }))
  return [...scanned, ...missing]
}

/** Takes the steps that a solution means for the wheel. */
async function handle(
  at: At<{ how: Solution }>,
  { tyre, location, missing }: Row<typeof sql.findingOf>,
): Promise<void> {
  if (tyre === null) return
  const { how } = at.input
  if (how === 'miss') await wheels.step(within(at, { tyres: [tyre], step: 'miss' }))
  if (how !== 'here' || location === null) return
  // found again, it is searched for no longer
  if (missing) await wheels.step(within(at, { tyres: [tyre], step: 'find' }))
  await locations.move(within(at, { tyres: [tyre], location }))
}
