/**
 * How PostgreSQL plans the statements of the portal: none may read a growing table from end to end, or all of a site where less is
 * needed. Plans are the generic ones of prepared statements, behind row-level security, with nothing switched off, on a quarter of
 * the data set of the benchmark.
 * @module-tag whole
 */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Statement } from '../src/server/db/statement.ts'
import * as cards from '../src/server/features/cards/cards.sql.ts'
import * as damages from '../src/server/features/damages/damages.sql.ts'
import { customersByName } from '../src/server/features/customers/customers.sql.ts'
import * as articles from '../src/server/features/fleet/articles.sql.ts'
import * as documents from '../src/server/features/fleet/documents.sql.ts'
import * as health from '../src/server/features/fleet/health.sql.ts'
import * as labels from '../src/server/features/fleet/labels.sql.ts'
import * as vehicleLists from '../src/server/features/fleet/vehicleLists.sql.ts'
import * as vehicles from '../src/server/features/fleet/vehicles.sql.ts'
import * as invoicing from '../src/server/features/invoicing/invoicing.sql.ts'
import * as changing from '../src/server/features/operations/changing.sql.ts'
import * as handling from '../src/server/features/operations/handling.sql.ts'
import * as operations from '../src/server/features/operations/operations.sql.ts'
import * as unscanning from '../src/server/features/operations/unscanning.sql.ts'
import { eventPeopleOfSite, eventsOfSite } from '../src/server/features/logs/logs.sql.ts'
import { addEvent, deleteOldOrigins, deleteOriginsOf } from '../src/server/features/security/security.sql.ts'
import { keepForecasts, takeDue, worn, wornOnVehicles } from '../src/server/features/tyres/forecast.sql.ts'
import * as tyres from '../src/server/features/tyres/tyres.sql.ts'
import { testDatabase, type TestDatabase } from '../src/server/testing/database.ts'
import { fill, large, site } from './data.ts'

const growing = new Set([
  'tyre',
  'tyre_forecast',
  'wheel',
  'tyre_words',
  'location',
  'vehicle',
  'operation',
  'operation_tyre',
  'operation_service',
  'tyre_event',
  'scan',
  'document',
  'document_line',
  'storage_ledger',
  'audit',
  'security_event',
  'security_event_origin',
  'customer',
  'article',
])

/** Which statements may read all rows of a site, of which tables, and why. */
const wholeSite: Readonly<Record<string, readonly string[]>> = {
  // their answers have a line for each customer of the site
  'invoicing.customers': ['customer'],
  'operations.counts': ['customer'],
  // open operations of the site have an index of their own; a list of the whole site names most customers, who are better hashed
  'operations.site': ['operation_customer_open', 'operation_open', 'customer'],
  'operations.status': ['customer'],
  'operations.handled': ['customer'],
  // the tyres that a site misses are few, and have an index of their own
  'operations.missing': ['operation_tyre_missing'],
  'operations.handle': ['operation_tyre_missing'],
  // read from the newest on, as far as somebody pages
  'invoicing.documents': ['document'],
  'security.site': ['security_event'],
  // a site's article is looked up once a document
  'invoicing.rules': ['article'],
  // words are looked for within texts
  'fleet.findcustomerbyname': ['customer'],
  'fleet.words': ['vehicle', 'customer', 'tyre_words', 'location'],
  'fleet.articlesByText': ['article'],
}

/** Charged storage, which the data set of the benchmark lacks: an empty table is read from end to end. */
const charged = `
  insert into document (site_id, customer_id, type, reason, year, number, document_date)
    select site_id, id, 'reservation', 'storage', 2021, id, current_date - 30 from customer;
  insert into storage_ledger (site_id, document_id, tyre_id, customer_id, since, until)
    select d.site_id, d.id, t.id, d.customer_id, d.document_date - 30, d.document_date
    from document d join tyre t on t.site_id = d.site_id and t.customer_id = d.customer_id
    where d.reason = 'storage' and t.status = 'in_stock';
  analyze document, storage_ledger`

type Planned = Pick<Statement, 'name' | 'text'>
const isStatement = (value: unknown): value is Statement =>
  typeof value === 'object' && value !== null && 'name' in value && 'text' in value
const modules = [
  articles,
  documents,
  health,
  labels,
  vehicleLists,
  vehicles,
  { customersByName },
  invoicing,
  changing,
  handling,
  operations,
  unscanning,
  cards,
  damages,
  // without what superusers read of all sites
  { addEvent, eventsOfSite, eventPeopleOfSite, deleteOldOrigins, deleteOriginsOf },
  // without what becomes due for a whole site
  { worn, wornOnVehicles, takeDue, keepForecasts },
  tyres,
]
const statements = modules.flatMap(module => Object.values(module).filter(isStatement))

let database: TestDatabase
let owner: pg.Client
let client: pg.Client
beforeAll(async () => {
  database = await testDatabase()
  await fill(database.adminUrl, 0.25)
  owner = new pg.Client({ connectionString: database.adminUrl })
  client = new pg.Client({ connectionString: database.appUrl })
  await Promise.all([owner.connect(), client.connect()])
  await owner.query(charged)
  await client.query(`set plan_cache_mode = force_generic_plan; set jit = off`)
})
afterAll(async () => {
  await Promise.all([owner?.end(), client?.end()])
  await database?.drop()
})

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Node[]
}
const nodes = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodes)]

/** The nodes of a statement's generic plan. */
async function planOf({ name, text }: Planned): Promise<Node[]> {
  const parameters = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, nth]) => Number(nth)))
  await client.query(`prepare explained as ${text}`)
  try {
    const values = parameters > 0 ? `(${Array.from({ length: parameters }, () => 'null').join(', ')})` : ''
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
      `explain (format json) execute explained${values}`,
    )
    const [planned] = rows[0]?.['QUERY PLAN'] ?? []
    if (!planned) throw new Error(`no plan of ${name}`)
    return nodes(planned.Plan)
  } finally {
    await client.query('deallocate explained')
  }
}

/** Where a statement reads too much: `Seq Scan of tyre`, `all of the site's tyre`. */
async function excessiveReads(statement: Planned): Promise<string[]> {
  const { name } = statement
  return (await planOf(statement)).flatMap(node => {
    const table = node['Relation Name'] ?? ''
    const kind = node['Node Type']
    if (node['Node Type'] === 'Seq Scan' && growing.has(table)) return `${name}: Seq Scan of ${table}`
    // the condition of a bitmap is in the node below, which names the index only
    const index = kind === 'Bitmap Index Scan' || (kind.startsWith('Index') && growing.has(table))
    const read = [table, node['Index Name'] ?? '']
    if (!index || wholeSite[name]?.some(prefix => read.includes(prefix))) return []
    // the condition without the parts on the site: `((site_id = (InitPlan 1).col1) AND (id = $2))`
    const condition = (node['Index Cond'] ?? '')
      .replaceAll(/\(InitPlan \d+\)\.col\d+/g, '$0')
      .replaceAll(/\(?\b(\w+\.)?site_id = [^)]*\)/g, '')
    return /[a-z]/.test(condition) ? [] : `${name}: all of the site's ${table || node['Index Name']}`
  })
}

const actAs = (customer: string): Promise<unknown> =>
  client.query(
    `select set_config('app.site', '${site}', false), set_config('app.customer', $1, false), set_config('app.scope', '', false)`,
    [customer],
  )

test.each([
  ['an administrator', ''],
  ['a customer', String(large)],
])('as %s no statement reads more than it answers', async (_, customer) => {
  await actAs(customer)
  const excessive: string[] = []
  for (const each of statements) excessive.push(...(await excessiveReads(each)))
  expect(statements.length).toBeGreaterThan(50)
  expect(excessive).toEqual([])
})

test('a search goes through the words of vehicles in their index, and by an index from texts and racks to tyres', async () => {
  await actAs('')
  const indexes = async () =>
    (await planOf(vehicleLists.fleetByWords)).map(node => `${node['Node Type']}: ${node['Index Name'] ?? ''}`)
  const used = await indexes()
  expect(used).toContain('Index Only Scan: vehicle_listed')
  for (const index of ['tyre_described', 'tyre_location', 'tyre_vehicle', 'vehicle_pkey'])
    expect(used).toContain(`Index Scan: ${index}`)
  await owner.query('drop index tyre_described')
  expect(await excessiveReads(vehicleLists.fleetByWords)).toEqual([`fleet.words: all of the site's tyre`])
})

test('a statement that reads too much is noticed', async () => {
  await actAs('')
  const memo = { name: 'plans.memo', text: 'select id from tyre where site_id = $1 and memo = $2' }
  expect(await excessiveReads(memo)).toEqual([`plans.memo: all of the site's tyre`])
  const any = { name: 'plans.any', text: 'select id from vehicle where driver_name = $1' }
  expect(await excessiveReads(any)).not.toEqual([])
  // superusers read it of all sites
  const everywhere = { name: 'plans.everywhere', text: 'select at from audit where action = $1' }
  expect(await excessiveReads(everywhere)).toEqual(['plans.everywhere: Seq Scan of audit'])
  expect(await excessiveReads(vehicles.vehicleById)).toEqual([])
  await owner.query('drop index tyre_vehicle')
  expect(await excessiveReads(vehicles.vehicleById)).toEqual([`fleet.vehicle: all of the site's tyre`])
})
