/** Saves the tyres of a file: each row finds its vehicle, its article, its positions and its place, or is refused. */
import { setImmediate } from 'node:timers/promises'
import { withMarks } from '#domain/tyres/article.ts'
import { positionsOf } from '#domain/vehicles/axle.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import { dotRefusal } from '#domain/tyres/dot.ts'
import { nameKey } from '#domain/texts/letters.ts'
import { positionIn } from '#domain/texts/spreadsheet.ts'
import { vehiclesByPlate } from '#domain/vehicles/plate.ts'
import { isReservedSetName, setNameRequired } from '#domain/tyres/tyreSet.ts'
import type { Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import type { Site } from '../handler.ts'
import { unknownArticles } from '../tyres/tyres.sql.ts'
import { RowRefused, type Message } from './import.refused.ts'
import type { TyreRow } from './import.rows.ts'
import * as sql from './import.tyres.sql.ts'

export type ImportingSite = Pick<Site, 'id' | 'allowUnknownArticle' | 'allowProfileDepth' | 'allowTachometer'>
export type Saved = {
  readonly place: number
  readonly outcome: 'added' | 'changed' | 'unchanged' | { readonly refused: Message }
  /** A further remark on the row. */
  readonly note?: Message
}

type Importing = {
  readonly tx: Tx
  readonly site: ImportingSite
  readonly import: number
  readonly account: number | null
  readonly now: Date
  /** The day at the site. */
  readonly today: IsoDate
  /** The name of a set that a file names by its season only. */
  readonly seasonName: (season: string) => string
}

type Vehicle = Row<typeof sql.vehiclesByPlates>
type Known = Row<typeof sql.tyresOfVehicles>
type Place = { readonly id: number; room: number }
type Article = { readonly id: number; readonly description: string; readonly unknown: boolean }
type Season = keyof Row<typeof unknownArticles>

/** A tyre of a file on its position: a new one, or one that exists. */
type Wanted = {
  readonly row: TyreRow
  readonly vehicle: Vehicle
  readonly set: string | null
  readonly position: string
}

/** @throws RowRefused when a code says a week to come, or a retreading before the tyre was made */
function refuseDots({ dot, retreaded }: TyreRow, today: IsoDate): void {
  const refusal = dotRefusal({ dot: dot ?? '', retreaded: retreaded ?? '' }, today)
  if (!refusal) return
  if (refusal.code === 'tyre.dot_order') throw new RowRefused('dot_order')
  const text = String(refusal.facts.dot)
  throw new RowRefused('dot_ahead', { column: text === dot ? 'dot' : 'retreaded', text })
}

/** Yields to the event loop after so many rows. */
const readAtOnce = 200

/** The tyres of one import, batch after batch: positions and places that earlier rows took stay taken. */
export class TyreImport {
  readonly #of: Importing
  /** Positions that rows of the file took, by vehicle and set. */
  readonly #taken = new Map<string, Set<string>>()
  #places: Map<string, Place[]> | undefined
  #standIns: Row<typeof unknownArticles> | undefined
  constructor(importing: Importing) {
    this.#of = importing
  }

  /** Saves a batch of rows. The caller holds `lockPutAway`. */
  async save(rows: readonly TyreRow[]): Promise<Saved[]> {
    const { tx, site } = this.#of
    const plates = [...new Set(rows.map(row => row.license_plate))]
    const all = await tx.rows(sql.vehiclesByPlates, { site: site.id, plates })
    const vehicles = vehiclesByPlate(all, vehicle => vehicle)
    const ids = all.map(vehicle => vehicle.id)
    const tyresByVehicle = Map.groupBy(
      await tx.rows(sql.tyresOfVehicles, { site: site.id, vehicles: ids }),
      ({ vehicle }) => vehicle,
    )
    const articles = await this.#articlesOf(rows)
    const added: object[] = []
    const changes = new Map<number, object>()
    const placed: { place: number; added: number; ids: number[]; refused?: Message }[] = []

    for (const [place, row] of rows.entries()) {
      // let other requests run
      if (place % readAtOnce === readAtOnce - 1) await setImmediate()
      const result = { place, added: 0, ids: [] as number[] }
      try {
        refuseDots(row, this.#of.today)
        const { description, ...fields } = articles(row)
        const article = { ...fields, description: withMarks(description, row.marks) }
        const wanted = this.#wanted(row, vehicleOf(row, vehicles), tyresByVehicle, article)
        const fresh = wanted.filter(({ tyre }) => tyre === null)
        const where = fresh.length > 0 ? await this.#whereOf(row, fresh.length) : null
        for (const { tyre, ...place } of wanted) {
          if (tyre === null && where) added.push(this.#newTyre(place, article, where))
          if (tyre) changes.set(tyre.id, { id: tyre.id, ...this.#fieldsOf(row) })
        }
        for (const { position, vehicle, set } of wanted) this.#take(vehicle, set, position)
        placed.push({ ...result, added: fresh.length, ids: wanted.flatMap(({ tyre }) => tyre?.id ?? []) })
      } catch (error) {
        if (!(error instanceof RowRefused)) throw error
        placed.push({ ...result, refused: error.reason })
      }
    }

    const about = { site: site.id, import: this.#of.import, now: this.#of.now, account: this.#of.account }
    if (added.length > 0) await tx.run(sql.addTyres, { ...about, tyres: JSON.stringify(added) })
    const changed = new Set(
      changes.size > 0
        ? (await tx.rows(sql.changeTyres, { ...about, tyres: JSON.stringify([...changes.values()]) })).map(
            ({ id }) => id,
          )
        : [],
    )
    return placed.map(({ place, refused, added: count, ids: tyreIds }) => ({
      place,
      outcome: refused
        ? { refused }
        : count > 0
          ? 'added'
          : tyreIds.some(id => changed.has(id))
            ? 'changed'
            : 'unchanged',
    }))
  }

  /** The positions of a row, each with the tyre that is there already. */
  #wanted(row: TyreRow, vehicle: Vehicle, tyresByVehicle: ReadonlyMap<number, Known[]>, article: Article) {
    const positions = positionsOf(vehicle.axles ?? [])
    const tyres = tyresByVehicle.get(vehicle.id) ?? []
    const set = this.#setOf(row, tyres)
    const setKey = set?.toLowerCase() ?? null
    const inSet = tyres.filter(tyre => (tyre.set?.toLowerCase() ?? null) === setKey)
    const taken = this.#takenOf(vehicle, set)
    const chosen = chosenPositions(row, vehicle, positions, taken)
    const wanted = chosen.map(position => {
      const there = inSet.filter(tyre => tyre.position === position)
      const same = there.find(tyre => tyre.description === article.description)
      if (setKey !== null && !same && there.length > 0)
        throw new RowRefused('position_taken', { text: position, set: set ?? '' })
      return { row, vehicle, set, position, tyre: same ?? null }
    })
    const fresh = wanted.filter(({ tyre }) => tyre === null).length
    const setless = tyres.filter(tyre => tyre.set === null).length + taken.size
    if (set === null && fresh > 0 && setNameRequired({ setless, positions: positions.length }))
      throw new RowRefused('set_needed', {})
    return wanted
  }

  /** The name of a set, in the spelling that its vehicle has; a file may name it by the season only. */
  #setOf({ set: written, article: { season } }: TyreRow, tyres: readonly Known[]): string | null {
    if (written !== null && isReservedSetName(written)) return null
    const name = written ?? (season === null ? null : this.#of.seasonName(season))
    if (name === null) return null
    return tyres.find(tyre => tyre.set?.toLowerCase() === name.toLowerCase())?.set ?? name
  }

  #takenOf(vehicle: Vehicle, set: string | null): Set<string> {
    const key = `${vehicle.id} ${set?.toLowerCase() ?? ''}`
    const taken = this.#taken.get(key) ?? new Set()
    this.#taken.set(key, taken)
    return taken
  }
  #take(vehicle: Vehicle, set: string | null, position: string): void {
    this.#takenOf(vehicle, set).add(position)
  }

  /** Where new tyres are: in stock since a day, on a place with room for them, or not. @throws RowRefused */
  async #whereOf(row: TyreRow, count: number) {
    const { today } = this.#of
    const stored = row.location !== null || row.stored_since !== null || row.paid_until !== null
    const status = row.status ?? (stored ? 'in_stock' : 'at_customer')
    if (status !== 'in_stock') {
      if (stored) throw new RowRefused('not_stored', {})
      return { status, since: today, paid: null, location: null }
    }
    const since = row.stored_since ?? today
    if (since > today) throw new RowRefused('stored_ahead', { column: 'stored_since', text: since })
    if (row.paid_until !== null && row.paid_until < since) throw new RowRefused('paid_before', { text: row.paid_until })
    const place = row.location === null ? null : await this.#placeOf(row.location, row.site_name)
    if (place && place.room < count) throw new RowRefused('place_full', { text: row.location ?? '', room: place.room })
    if (place) place.room -= count
    return { status, since, paid: row.paid_until, location: place?.id ?? null }
  }

  async #placeOf(location: string, siteName: string | null): Promise<Place> {
    const { tx, site } = this.#of
    if (!this.#places) {
      const places = await tx.rows(sql.placesOf, { site: site.id })
      this.#places = new Map()
      for (const { id, room, path, site_name } of places) {
        const place: Place = { id, room }
        for (const key of [placeKey(path), `${site_name}\n${placeKey(path)}`])
          this.#places.set(key, [...(this.#places.get(key) ?? []), place])
      }
    }
    const key = placeKey(location)
    const matches = this.#places.get(siteName === null ? key : `${siteName.toLowerCase()}\n${key}`) ?? []
    if (matches.length > 1) throw new RowRefused('several_locations', { text: location })
    if (!matches[0]) throw new RowRefused('no_location', { text: location })
    return matches[0]
  }

  #fieldsOf({ depth, depth_date, rims, bolts, hubcaps, dot, retreaded, memo }: TyreRow) {
    const shown = this.#of.site.allowProfileDepth
    return {
      depth: shown ? depth : null,
      depth_date: shown && depth !== null ? depth_date : null,
      rims,
      bolts,
      hubcaps,
      dot,
      retreaded,
      memo,
    }
  }
  #newTyre({ row, vehicle, set, position }: Wanted, article: Article, where: object): object {
    const fields = this.#fieldsOf(row)
    return {
      customer: vehicle.customer,
      vehicle: vehicle.id,
      article: article.id,
      description: article.description,
      unknown: article.unknown,
      season: row.article.season,
      position,
      set,
      ...fields,
      depth_date: fields.depth === null ? null : (fields.depth_date ?? this.#of.today),
      ...where,
    }
  }

  /**
   * The article of each row: by EAN, else by brand, size, load and speed, and by pattern where the row has one. What the catalogue
   * lacks and has a brand is added to it; without a brand it is an unknown article, where the site allows those.
   */
  async #articlesOf(rows: readonly TyreRow[]): Promise<(row: TyreRow) => Article> {
    const { tx, site } = this.#of
    const parameters = {
      site: site.id,
      eans: [...new Set(rows.flatMap(row => row.article.ean ?? []))],
      keys: [...new Set(rows.map(row => row.article.load_key))],
    }
    const articles = await tx.rows(sql.articlesOf, parameters)
    const byEan = new Map(articles.flatMap(article => (article.ean === null ? [] : [[article.ean, article] as const])))
    const byKey = Map.groupBy(articles, ({ brand, key }) => `${brand} ${key}`)
    const catalogued = ({ article }: TyreRow): Row<typeof sql.articlesOf> | undefined => {
      const candidates = byKey.get(`${article.brand_key} ${article.load_key}`) ?? []
      const pattern = article.pattern.toUpperCase()
      const named = candidates.filter(candidate => candidate.pattern === pattern)
      return (
        (article.ean === null ? undefined : byEan.get(article.ean)) ??
        named[0] ??
        (pattern === '' && candidates.length === 1 ? candidates[0] : undefined)
      )
    }
    const retired = rows.flatMap(row => catalogued(row) ?? []).filter(article => article.retired)
    if (retired.length > 0)
      await tx.run(sql.offerAgain, { site: site.id, articles: [...new Set(retired.map(({ id }) => id))] })
    const missing = new Map<string, TyreRow>()
    for (const row of rows) if (row.article.brand !== '' && !catalogued(row)) missing.set(articleKey(row), row)
    const wanted = [...missing.values()].map(({ article }, place) => ({ ...article, place }))
    const addedArticles = new Map<string, Article>()
    if (wanted.length > 0) {
      const keys = [...missing.keys()]
      const about = { site: site.id, import: this.#of.import, rows: JSON.stringify(wanted) }
      for (const { place, id, description } of await tx.rows(sql.addArticles, about))
        addedArticles.set(keys[place] ?? '', { id, description, unknown: false })
    }
    this.#standIns ??= await tx.one(unknownArticles, { site: site.id })
    return row => {
      const article = catalogued(row) ?? addedArticles.get(articleKey(row))
      return article ? { ...article, unknown: false } : this.#unknownOf(row)
    }
  }

  #unknownOf({ article: { season, description } }: TyreRow): Article {
    if (!this.#of.site.allowUnknownArticle) throw new RowRefused('no_brand', {})
    const standIn = season === null ? null : this.#standIns?.[season satisfies Season]
    if (standIn == null) throw new RowRefused('no_season', { column: 'season', text: '' })
    return { id: standIn, description: description.slice(0, maxUnknownDescription), unknown: true }
  }
}

/** As in the form of an unknown article. */
const maxUnknownDescription = 99

const articleKey = ({ article }: TyreRow): string =>
  [article.brand_key, article.pattern.toUpperCase(), article.dimension, article.load_key, article.load_index_dual].join(
    '\t',
  )

/** A way to a place however it is written: `A-01-2`, `A 01 2`, `A/01/2`. */
const placeKey = (path: string): string =>
  path
    .toLowerCase()
    .replaceAll(/[\s/\\.,_-]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** The vehicle of a row: by its plate, and where that is not enough, by its kind and its owner. @throws RowRefused */
function vehicleOf(row: TyreRow, ofPlate: (plate: string) => readonly Vehicle[]): Vehicle {
  const owner = row.customer === null ? null : nameKey(row.customer)
  const matches = ofPlate(row.license_plate).filter(
    ({ type, code, name, company }) =>
      (row.type === null || type === row.type) &&
      (owner === null || [code, name, company].some(text => nameKey(text) === owner)),
  )
  const [vehicle] = matches
  if (!vehicle) throw new RowRefused('no_vehicle', { text: row.license_plate })
  if (matches.length > 1) throw new RowRefused('several_vehicles', { text: row.license_plate })
  if (!vehicle.axles) throw new RowRefused('no_configuration', { text: row.license_plate })
  return vehicle
}

/** The positions that a row's tyres get: the one that it names, else the first that no earlier row of the set has. */
function chosenPositions(
  row: TyreRow,
  vehicle: Vehicle,
  positions: readonly string[],
  taken: ReadonlySet<string>,
): string[] {
  if (row.position !== null) {
    const position = positionIn(row.position, vehicle.axles ?? [])
    if (!position || row.quantity > 1) throw new RowRefused('no_position', { text: row.position })
    if (taken.has(position)) throw new RowRefused('position_taken', { text: position, set: row.set ?? '' })
    return [position]
  }
  const free = positions.filter(position => !taken.has(position)).slice(0, row.quantity)
  if (free.length < row.quantity) throw new RowRefused('positions_full', { text: row.license_plate })
  return free
}
