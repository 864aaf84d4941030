/** Saves the services of a file, each under the rules of its form (docs/product/operations.md "Services"). */
import type { Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import { maxServices } from '#contract/config.ts'
import { RowRefused } from './import.refused.ts'
import { serviceKey, type ServiceRow } from './import.rows.ts'
import * as sql from './import.services.sql.ts'
import type { Saved } from './import.tyres.ts'

type Importing = { readonly tx: Tx; readonly site: number; readonly import: number }
type Service = Row<typeof sql.servicesOf>
type Wanted = Omit<Service, 'id'>

/** Saves rows of services. */
export async function saveServices({ tx, ...about }: Importing, rows: readonly ServiceRow[]): Promise<Saved[]> {
  await tx.one(sql.lockConfig, { site: about.site })
  const all = await tx.rows(sql.servicesOf, { site: about.site })
  const byKey = Map.groupBy(all, serviceKey)
  const added: Wanted[] = []
  const changed: Service[] = []
  const saved = rows.map((row, place): Saved => {
    try {
      const [service, ...others] = byKey.get(serviceKey(row)) ?? []
      if (others.length > 0) throw new RowRefused('several_services', { text: row.name })
      const wanted = completed(row, service)
      if (!service) {
        if (all.length + added.length >= maxServices) throw new RowRefused('too_many_services', { limit: maxServices })
        added.push(wanted)
        return { place, outcome: 'added' }
      }
      const differs = fields.some(field => wanted[field] !== service[field])
      if (differs) changed.push({ ...wanted, id: service.id })
      return { place, outcome: differs ? 'changed' : 'unchanged' }
    } catch (error) {
      if (!(error instanceof RowRefused)) throw error
      return { place, outcome: { refused: error.reason } }
    }
  })
  if (added.length > 0) await tx.run(sql.addServices, { ...about, rows: JSON.stringify(added) })
  if (changed.length > 0) await tx.run(sql.changeServices, { ...about, rows: JSON.stringify(changed) })
  if (added.length + changed.length > 0) await tx.run(sql.countVersion, { site: about.site })
  return saved
}

const descriptions = ['description_en', 'description_nl', 'description_fr', 'description_de'] as const
const fields = [
  'name',
  'article_number',
  'article_insertion_method',
  ...descriptions,
  'price_excl',
] as const satisfies readonly (keyof Wanted)[]

/** @throws RowRefused when neither the row nor the saved service has a value */
function need<T>(column: string, value: T | null | undefined): T {
  if (value === null || value === undefined) throw new RowRefused('blank', { column })
  return value
}

/** The service as it is to be: each field as the row has it, or else as it is known. @throws RowRefused when a required one is missing */
function completed(row: ServiceRow, service: Service | undefined): Wanted {
  const method = need('insertion_method', row.article_insertion_method ?? service?.article_insertion_method)
  const number = row.article_number ?? service?.article_number ?? null
  const [en, nl, fr, de] = descriptions.map(field => need(field, row[field] ?? service?.[field]))
  return {
    name: row.name,
    operation_type: row.operation_type,
    article_insertion_method: method,
    article_number: method === 'text_line' ? number : need('article_number', number),
    description_en: en ?? '',
    description_nl: nl ?? '',
    description_fr: fr ?? '',
    description_de: de ?? '',
    price_excl: row.price_excl ?? service?.price_excl ?? 0,
  }
}
