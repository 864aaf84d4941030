/** Vehicles with their tyres, articles, customers and labels (SPEC §7; DESIGN §4, §7). */
import { parseArticleSearch } from '#domain/article.ts'
import { Failure } from '#domain/failure.ts'
import type { LabelLayout } from '#domain/label.ts'
import { normalizePlate } from '#domain/plate.ts'
import { isHotel } from '#domain/site.ts'
import type { TyreStatus } from '#domain/tyre.ts'
import { vehicleKind } from '#domain/vehicle.ts'
import { actorOf } from '../audit/audit.ts'
import { customerOf } from '../customers/customers.ts'
import { Json, type Tx } from '../../db/database.ts'
import type { PrintedDocument } from '../../printing/documents.ts'
import { documentTexts } from '../../printing/documentTexts.ts'
import {
  addVehicle,
  articleOrder,
  articlesBySize,
  articlesByText,
  configByName,
  customersByName,
  documentById,
  documentsOfVehicle,
  fleetByPlate,
  fleetByWords,
  fleetOfCustomer,
  fleetOfSite,
  heldByVehicle,
  labelledTyres,
  labelReport,
  lockVehicle,
  plateOf,
  removeVehicle,
  updateVehicle,
  vehicleById,
} from './fleet.sql.ts'
import type { Handlers, Site, Who } from '../handler.ts'
import { inVehicles, patternOf, wordsOf } from '../../db/search.ts'
import type { LabelledTyre } from '../../printing/labels.ts'
import { Print } from '../../printing/pool.ts'

/**
 * The states whose tyres no answer carries: waste, while the site does not show it (SPEC §3 "Site config"). Tyres on vehicles
 * and at customers are only left out of the tyre list, by the screen: the wizard stores just those.
 */
const hiddenStates = (site: Site): TyreStatus[] => (site.showWasteTyres ? [] : ['waste'])

/** What every statement about vehicles begins with. */
const seenAt = (site: Site) => [site.id, site.allowProfileDepth, hiddenStates(site)] as const

/** The end of the range of texts that begin with this one, in C order. */
const endOf = (beginning: string): string => `${beginning}\u{10FFFF}`

type LabelRow = Omit<LabelledTyre, 'size'> & {
  dimension: string
  load_index: number | null
  load_index_dual: number | null
  speed_symbol: string | null
}

/** A size as it stands on the tyre: `195/75R16C 107/105R`. */
function sizeOf({ dimension, load_index, load_index_dual, speed_symbol }: LabelRow): string {
  const load = [load_index, load_index_dual].filter(index => index !== null).join('/')
  return `${dimension} ${load}${speed_symbol ?? ''}`.trim()
}

async function labelledInOrder(tx: Tx, who: Who, site: Site, tyres: readonly number[]): Promise<LabelledTyre[]> {
  const asked = [...new Set(tyres)]
  const rows = await tx.rows<LabelRow>(labelledTyres, [site.id, asked, site.allowProfileDepth, who.customer])
  const found = new Map(rows.map(row => [row.id, row]))
  return asked.map(id => {
    const row = found.get(id)
    if (!row) throw new Failure('record.missing')
    return { ...row, size: sizeOf(row) }
  })
}

/** A vehicle that nobody else changes meanwhile: its configuration, and whose open screens show it. */
type Locked = { config: number | null; customer: number }

/** Where a page of articles begins: after this one. */
type ArticleOrder = { id: number; brand_key: string; speed_key?: string; load_key?: string }
const firstArticle: ArticleOrder = { id: 0, brand_key: '' }

export const fleet: Handlers['fleet'] = {
  async fetch({ input, tx, who, site }) {
    const customer = customerOf(who, input.seq_id)
    if (customer != null) return tx.single.json(fleetOfCustomer, [...seenAt(site), customer])
    const statuses = input.tyre_status?.length ? input.tyre_status : null
    const { last_vehicle: last = 0 } = input
    const after = last > 0 ? await tx.single.maybe<{ plate: string }>(plateOf, [site.id, last]) : null
    const page = [...seenAt(site), last, statuses, after?.plate ?? '']
    if (input.license_plate) return tx.single.json(fleetByPlate, [...page, normalizePlate(input.license_plate)])
    const asked = inVehicles(input.search ?? '')
    if (asked.words.length > 0) return tx.single.json(fleetByWords, [...page, ...Object.values(asked)])
    return tx.single.json(fleetOfSite, page)
  },

  vehicle: ({ input, tx, who, site }) => tx.single.json(vehicleById, [...seenAt(site), input.flt_id, who.customer]),

  async new({ input: { vehicleData: wish, seq_id }, tx, who, site, now, request }) {
    const customer = customerOf(who, seq_id)
    const plate = normalizePlate(wish.license_plate)
    const type = vehicleKind(wish.type)
    const wrong = [
      ...(customer == null ? ['seq_id'] : []),
      ...(plate === '' ? ['vehicleData.license_plate'] : []),
      ...(type === 'unknown' ? ['vehicleData.type'] : []),
    ]
    if (wrong.length > 0) throw new Failure('request.invalid', { fields: wrong })
    const driver = wish.driver ?? {}
    const { id } = await tx.one<{ id: number }>(addVehicle, [
      site.id,
      customer,
      wish.configuration,
      plate,
      // a fleet's own number is not asked for in a tyre hotel (SPEC §5 "Vehicle")
      site.mode === 'hotelonly' ? '' : (wish.number ?? ''),
      wish.chassis_number ?? '',
      wish.brand,
      wish.description,
      type,
      driver.name ?? '',
      driver.mobile_no ?? '',
      driver.telephone_no ?? '',
      driver.email ?? '',
      now,
      actorOf(who),
    ])
    request.notify(customer)
    return tx.json(vehicleById, [...seenAt(site), id, customer])
  },

  async update({ input: { vehicle: wish }, tx, who, site, now, request }) {
    const kept = await tx.one<Locked>(lockVehicle, [site.id, wish.flt_id, who.customer])
    request.notify(kept.customer)
    const plate = wish.license_plate === undefined ? null : normalizePlate(wish.license_plate)
    const type = wish.type === undefined ? null : vehicleKind(wish.type)
    const wrong = [...(plate === '' ? ['vehicle.license_plate'] : []), ...(type === 'unknown' ? ['vehicle.type'] : [])]
    if (wrong.length > 0) throw new Failure('request.invalid', { fields: wrong })
    let config: number | null = null
    if (wish.configuration !== undefined) {
      config = (await tx.one<{ id: number }>(configByName, [site.id, wish.configuration])).id
      // set once, and only in a tyre hotel (SPEC §4 "Vehicle configuration")
      if (config !== kept.config && (kept.config !== null || !isHotel(site.mode)))
        throw new Failure('vehicle.configuration_fixed')
    }
    const driver = wish.driver ?? {}
    await tx.rows(updateVehicle, [
      site.id,
      wish.flt_id,
      plate,
      site.mode === 'hotelonly' ? null : (wish.number ?? null),
      wish.chassis_number ?? null,
      wish.brand ?? null,
      wish.description ?? null,
      type,
      config,
      driver.name ?? null,
      driver.mobile_no ?? null,
      driver.telephone_no ?? null,
      driver.email ?? null,
      now,
      actorOf(who),
    ])
    const { text } = await tx.json(vehicleById, [...seenAt(site), wish.flt_id, who.customer])
    return new Json(`{"updatedVehicle":${text}}`)
  },

  async inactivate({ input, tx, who, site, now, request }) {
    const { customer } = await tx.one<Locked>(lockVehicle, [site.id, input.flt_id, who.customer])
    request.notify(customer)
    const held = await tx.one<{ stock: number; operations: number }>(heldByVehicle, [site.id, input.flt_id])
    if (held.stock > 0 || held.operations > 0)
      throw new Failure('vehicle.in_use', { tyres: held.stock, operations: held.operations })
    await tx.rows(removeVehicle, [site.id, input.flt_id, now, actorOf(who)])
    return { flt_id: input.flt_id }
  },

  history: ({ input, tx, who, site }) => tx.single.json(documentsOfVehicle, [site.id, input.flt_id, who.customer]),

  async historydocument({ input, tx, who, site, lang }) {
    const type = input.doctype === 'sales_document' ? null : (input.doctype ?? null)
    const found = await tx.one<PrintedDocument & { customer: string; lines: string }>(documentById, [
      site.id,
      input.db_id,
      type,
      who.customer,
    ])
    const document = { ...found, customer: JSON.parse(found.customer), lines: JSON.parse(found.lines) }
    return new Print({ kind: 'document', document, texts: documentTexts(document, lang), lang })
  },

  async searcharticles({ input: { search_value, last_article }, tx, site }) {
    const search = parseArticleSearch(search_value)
    const brand = search.brand ?? ''
    const none = { articles: [], more_available: false }
    if (search.kind === 'text' && search.words.length === 0 && brand === '') return none
    const last = last_article
      ? await tx.single.maybe<ArticleOrder>(articleOrder, [site.id, last_article])
      : firstArticle
    if (!last) return none
    if (search.kind === 'dimension') {
      const { prefix } = search
      const { id, brand_key, speed_key = prefix, load_key = prefix } = last
      const range = [prefix, endOf(prefix), brand]
      return tx.single.json(articlesBySize, [site.id, ...range, speed_key, load_key, brand_key, id])
    }
    const patterns = search.words.map(patternOf)
    return tx.single.json(articlesByText, [site.id, patterns, brand, last.brand_key, last.speed_key ?? '', last.id])
  },

  findcustomerbyname: ({ input, tx, site }) => tx.single.json(customersByName, [site.id, wordsOf(input.string)]),

  async getTyreLabels({ input, tx, who, site, lang, now }) {
    const report = await tx.maybe<{ layout: LabelLayout }>(labelReport, [site.id, input.report_id])
    if (!report) throw new Failure('label.report_missing')
    const tyres = await labelledInOrder(tx, who, site, input.tyres)
    const print = { layout: report.layout, site: site.id, lang, now }
    return new Print({ kind: 'labels', tyres, print })
  },
}
