/**
 * The key jobs of the portal, each as a request of the complete stack and as the same work for pgbench: the handler's main
 * statement with the same parameters, as the owner of the tables, whom row-level security does not bind.
 */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { contract } from '../src/contract/index.ts'
import { healthRules, longStoredSince } from '../src/domain/tyres/health.ts'
import { recommendedLimits, seasonsOnSnow } from '../src/domain/tyres/tread.ts'
import { valuesOf, type Parameters, type Statement } from '../src/server/db/statement.ts'
import { cardOf } from '../src/server/features/cards/cards.sql.ts'
import { articlesBySize } from '../src/server/features/fleet/articles.sql.ts'
import { healthOfCustomer } from '../src/server/features/fleet/health.sql.ts'
import { fleetOfCustomer } from '../src/server/features/fleet/vehicleLists.sql.ts'
import { overdueCustomers } from '../src/server/features/invoicing/invoicing.sql.ts'
import { createOperation } from '../src/server/features/operations/changing.sql.ts'
import { markScans } from '../src/server/features/operations/handling.sql.ts'
import { bookedDays, countsByCustomer, operationsByStatus } from '../src/server/features/operations/operations.sql.ts'
import { accountOf, busy, desks, firstScanned, free, large, site, small, tyresPerVehicle, type Shape } from './data.ts'

/** A request: by which account, of which call, with which body. */
export type Request = {
  readonly account: number
  readonly path: string
  readonly body: object
  /** Sent with an idempotency key of its own, as the browser sends calls that create something (docs/decisions/0012). */
  readonly idempotent?: boolean
}

export type Job = {
  readonly name: string
  readonly summary: string
  /** The ratio to the limit that has to be reached, and the one that is good; `null`: at least as many requests as scans. */
  readonly reach: number | null
  readonly good: number | null
  /** In ms. */
  readonly p99AtMost?: number
  /** The `nth` request of one of so many connections. */
  request(connection: number, nth: number, shape: Shape, clients: number): Request
  /** The same for pgbench, and its variables. */
  readonly script: string
  readonly variables?: Readonly<Record<string, string>>
  /** How many requests a connection can make, where the data set limits them; else a round is limited by time. */
  readonly times?: (shape: Shape, clients: number) => number
  /** Restores the rows; not measured. */
  reset?(client: pg.Client): Promise<void>
}

export const connections = 16

/** A number below `limit`, from 0. */
const random = (limit: number): number => Math.floor(Math.random() * limit)
const desk = (connection: number): number => 1 + (connection % desks)

/** A statement for pgbench after the lines that set its variables: each parameter is a SQL expression, of variables as a rule. */
function script<S extends Statement>(
  lines: readonly string[],
  statement: S,
  parameters: { readonly [P in keyof Parameters<S>]: string },
): string {
  const values = valuesOf(statement.order, parameters)
  const sql = statement.text.replaceAll(/\$(\d+)/g, (_, nth: string) => String(values[Number(nth) - 1] ?? ''))
  return [...lines, `${sql};`, ''].join('\n')
}

const day = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
const timeZone = 'Europe/Brussels'
/** The parameters that calls have in common: site, whether depth is shown, states that are not shown, time zone. */
const common = { site: String(site), depth: 'true', hidden: '{}', zone: timeZone }
/** The parameters of a customer's fleet for pgbench. */
const fleetOf = { site: ':site', withDepth: ':depth', hidden: ':hidden', customer: ':customer' }

/** A tyre of a submitted operation of the site. */
export function scanned(nth = random(busy.submitted), wheel = random(4)): number {
  const vehicle = firstScanned + (nth % busy.count) * free.vehicles + Math.floor(nth / busy.count)
  return (vehicle - 1) * tyresPerVehicle + 1 + wheel
}

/** The rules of today by which a fleet is judged, for pgbench. */
const judged = healthRules({ country: 'BE', date: day(0), site: recommendedLimits })
/** A list as PostgreSQL writes it. */
const arrayOf = (values: readonly string[]): string => `{${values.join(',')}}`

const sizes = { widths: 10, aspects: 6, rims: 6 }
const overdueDays = 90

/** The last rows before the rounds: later ones are deleted again. */
const baseline = `
  create schema if not exists bench;
  create table if not exists bench.before as
    select (select max(id) from tyre_event) as event, (select max(id) from operation) as operation, now() as at`
const withoutTriggers = async (client: pg.Client, text: string, tables: string): Promise<void> => {
  await client.query(`set session_replication_role = replica; ${text}; reset session_replication_role`)
  await client.query(`vacuum ${tables}`)
  await client.query('checkpoint')
}

/** Records the baseline before the first round. */
export const recordBaseline = (client: pg.Client): Promise<unknown> => client.query(baseline)

export const jobs: readonly Job[] = [
  {
    name: 'scan',
    summary: 'a scan: find among submitted operations, mark, durable, answer the tyre',
    reach: 0.3,
    good: 0.4,
    p99AtMost: 10,
    request: connection => ({
      account: desk(connection),
      path: contract.operations.markscan.path,
      body: { tyres: [{ tyreId: scanned(), scanId: randomUUID(), timestamp: new Date().toISOString() }] },
    }),
    script: script(
      [
        `\\set nth random(0, ${busy.submitted - 1})`,
        `\\set vehicle ${firstScanned} + (:nth % ${busy.count}) * ${free.vehicles} + :nth / ${busy.count}`,
        `\\set tyre (:vehicle - 1) * ${tyresPerVehicle} + random(1, 4)`,
        `\\set account 1 + :client_id % ${desks}`,
      ],
      markScans,
      {
        site: ':site',
        withDepth: ':depth',
        tyres: 'array[:tyre]',
        ids: 'array[gen_random_uuid()]',
        moments: 'array[now()]',
        type: 'null',
        operation: 'null',
        account: ':account',
      },
    ),
    reset: client =>
      withoutTriggers(
        client,
        `delete from scan where received_at > (select at from bench.before);
         delete from tyre_event where id > (select event from bench.before);
         update operation_tyre set scanned_at = null, scan_times = 0 where open and scan_times > 0;
         update wheel w set state = r.state, location_id = r.location_id, step = '' from wheel_by_records r
           where w.step <> '' and r.site_id = w.site_id and r.tyre_id = w.tyre_id`,
        'scan, tyre_event, operation_tyre, operation, wheel',
      ),
  },
  {
    name: 'card',
    summary: 'the card of a scanned wheel: whose, where, its operation, its last events, what may be done',
    reach: 0.3,
    good: 0.4,
    p99AtMost: 10,
    request: connection => ({
      account: desk(connection),
      path: contract.cards.read.path,
      body: { tyre: scanned() },
    }),
    script: script(
      [
        `\\set nth random(0, ${busy.submitted - 1})`,
        `\\set vehicle ${firstScanned} + (:nth % ${busy.count}) * ${free.vehicles} + :nth / ${busy.count}`,
        `\\set tyre (:vehicle - 1) * ${tyresPerVehicle} + random(1, 4)`,
      ],
      cardOf,
      {
        site: ':site',
        withDepth: ':depth',
        tyre: ':tyre',
        location: 'null',
        plate: 'null',
        ean: 'null',
        documentType: 'null',
        documentYear: 'null',
        documentNumber: 'null',
      },
    ),
  },
  {
    name: 'fleet',
    summary: "a customer's fleet, 25 vehicles with 128 tyres",
    reach: 0.72,
    good: 0.8,
    p99AtMost: 30,
    request: () => ({
      account: accountOf(small.first + random(small.count)),
      path: contract.fleet.fetch.path,
      body: {},
    }),
    script: script(
      [`\\set customer random(${small.first}, ${small.first + small.count - 1})`],
      fleetOfCustomer,
      fleetOf,
    ),
  },
  {
    name: 'bigFleet',
    summary: 'a fleet of 2,000 vehicles, 10,000 tyres',
    reach: 0.65,
    good: 0.75,
    request: () => ({ account: accountOf(large), path: contract.fleet.fetch.path, body: {} }),
    script: script([`\\set customer ${large}`], fleetOfCustomer, fleetOf),
  },
  {
    name: 'health',
    summary: 'the health of a fleet of 2,000 vehicles, 10,000 tyres',
    reach: 0.65,
    good: 0.75,
    request: () => ({ account: accountOf(large), path: contract.fleet.health.path, body: {} }),
    script: script([`\\set customer ${large}`], healthOfCustomer, {
      site: ':site',
      customer: ':customer',
      withDepth: ':depth',
      listed: ':listed',
      onSnow: ':snow',
      classes: ':classes',
      words: ':words',
      seasons: ':seasons',
      today: ':today',
      hotel: 'true',
      longSince: ':since',
      now: 'now()',
      timeZone: ':zone',
    }),
    variables: {
      listed: arrayOf(['on_vehicle', 'in_stock', 'on_spare', 'at_customer']),
      snow: arrayOf(seasonsOnSnow),
      classes: JSON.stringify(judged.classes),
      words: JSON.stringify(judged.words),
      seasons: JSON.stringify(judged.seasons),
      today: day(0),
      since: longStoredSince(day(0)),
    },
  },
  {
    name: 'submitted',
    summary: '500 submitted operations with tyres',
    reach: 0.68,
    good: 0.75,
    request: connection => ({
      account: desk(connection),
      path: contract.operations.admin.path,
      body: { status: 'submitted' },
    }),
    script: script([], operationsByStatus, { site: ':site', withDepth: ':depth', status: ':status' }),
    variables: { status: 'submitted' },
  },
  {
    name: 'overdue',
    summary: 'overdue customers',
    reach: 0.78,
    good: 0.85,
    request: connection => ({
      account: desk(connection),
      path: contract.invoicing.customers.path,
      body: { days: overdueDays },
    }),
    script: script([], overdueCustomers, { site: ':site', today: ':today', days: ':days' }),
    variables: { today: day(0), days: String(overdueDays) },
  },
  {
    name: 'create',
    summary: 'create an operation of 4 tyres with its conflict check, durable',
    reach: 0.32,
    good: 0.45,
    // vehicle after vehicle of customer after customer, each connection with customers of its own
    request(connection, nth, _, clients) {
      const customer = free.first + connection + clients * Math.floor(nth / free.vehicles)
      const vehicle = free.firstVehicle + (customer - free.first) * free.vehicles + (nth % free.vehicles)
      const tyre = (vehicle - 1) * tyresPerVehicle
      return {
        account: accountOf(customer),
        path: contract.operations.new.path,
        body: {
          operation: {
            flt_id: vehicle,
            tyres: [tyre + 1, tyre + 2, tyre + 3, tyre + 4],
            operationType: 'to_customer',
          },
        },
        idempotent: true,
      }
    },
    script: script(
      [
        `\\set customer ${free.first} + :client_id + ${connections} * (:nth / ${free.vehicles})`,
        `\\set vehicle ${free.firstVehicle} + (:customer - ${free.first}) * ${free.vehicles} + :nth % ${free.vehicles}`,
        `\\set tyre (:vehicle - 1) * ${tyresPerVehicle}`,
        `\\set account 1000 + :customer`,
        `\\set nth :nth + 1`,
      ],
      createOperation,
      {
        site: ':site',
        withDepth: ':depth',
        customer: ':customer',
        vehicle: ':vehicle',
        tyres: 'array[:tyre + 1, :tyre + 2, :tyre + 3, :tyre + 4]',
        type: ':type',
        account: ':account',
        now: 'now()',
        states: ':states',
        withRims: 'null',
        withBolts: 'false',
        withHubcaps: 'false',
        actor: 'null',
      },
    ),
    variables: { nth: '0', type: 'to_customer', states: '{in_stock,on_spare}' },
    times: ({ customersOfSite }, clients) =>
      Math.min(33, Math.floor((customersOfSite - free.first + 1) / clients)) * free.vehicles,
    reset: client =>
      withoutTriggers(
        client,
        `delete from operation_tyre where operation_id > (select operation from bench.before);
         delete from operation_service where operation_id > (select operation from bench.before);
         delete from operation where id > (select operation from bench.before);
         truncate request_key`,
        'operation, operation_tyre, operation_service, tyre, vehicle',
      ),
  },
  {
    name: 'statistics',
    summary: 'one-year statistics by customer',
    reach: 0.7,
    good: 0.75,
    request: connection => ({
      account: desk(connection),
      path: contract.operations.adminopsbydate_light.path,
      body: { startDate: day(365), endDate: day(0) },
    }),
    script: script([], countsByCustomer, { site: ':site', from: ':from', until: ':until', timeZone: ':zone' }),
    variables: { from: day(365), until: day(0) },
  },
  {
    name: 'articles',
    summary: 'a page of articles of one size',
    reach: null,
    good: null,
    request: connection => ({
      account: desk(connection),
      path: contract.fleet.searcharticles.path,
      body: {
        search_value: `${155 + random(sizes.widths) * 10}/${40 + random(sizes.aspects) * 5}R${14 + random(sizes.rims)}`,
      },
    }),
    script: script(
      [
        `\\set prefix (155 + random(0, ${sizes.widths - 1}) * 10) * 10000 + (40 + random(0, ${sizes.aspects - 1}) * 5) * 100 + 14 + random(0, ${sizes.rims - 1})`,
      ],
      articlesBySize,
      {
        site: ':site',
        prefix: ':prefix',
        end: '(:prefix || chr(1114111))',
        brand: "''",
        lastSpeed: ':prefix',
        lastLoad: ':prefix',
        lastBrand: "''",
        last: '0',
      },
    ),
  },
  {
    name: 'booked',
    summary: 'booked days of a transport',
    reach: null,
    good: null,
    request: connection => ({
      account: desk(connection),
      path: contract.operations.bookedtransportdays.path,
      body: { transportMethod: 1 + random(3) },
    }),
    script: script(['\\set transport random(1, 3)'], bookedDays, {
      site: ':site',
      transport: ':transport',
      arriving: 'false',
      now: 'now()',
      timeZone: ':zone',
    }),
  },
]

/** The job of this name. @throws Error when there is none */
export function jobOf(name: Job['name']): Job {
  const job = jobs.find(job => job.name === name)
  if (!job) throw new Error(`there is no job ${name}`)
  return job
}

/** The variables of every job. */
export const commonVariables: Readonly<Record<string, string>> = common
