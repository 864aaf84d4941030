/**
 * Detects foreign ids. A foreign id is answered like a missing one; afterwards, outside the request, it is looked up
 * which of the two it was (docs/decisions/0035).
 */
import { Failure } from '#domain/failure.ts'
import type { RecordKind, SecurityKind } from '#domain/people/security.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { Context, Who } from '../handler.ts'
import { addEvent, everySiteId, maxPerHour, ownersOf } from './security.sql.ts'

/** The kind of record that a field names, anywhere in an input. */
const kindOfField: Readonly<Record<string, RecordKind>> = {
  flt_id: 'vehicle',
  to: 'vehicle',
  seq_id: 'customer',
  art_id: 'article',
  last_article: 'article',
  db_id: 'tyre',
  without: 'customer',
  tyres: 'tyre',
  tyreIds: 'tyre',
  tyreId: 'tyre',
  here: 'tyre',
  missing: 'tyre',
  recall: 'tyre',
  store: 'tyre',
  off: 'tyre',
  reading: 'odometer',
  operation: 'operation',
  location: 'location',
  locations: 'location',
  parent: 'location',
  orphan: 'orphan',
  wave: 'wave',
  count: 'stock_count',
  finding: 'count_finding',
  damage: 'damage_report',
  photo: 'photo',
  photos: 'photo',
  into: 'article',
  documents: 'document',
  transport: 'transport_method',
  transportMethod: 'transport_method',
  by: 'transport_method',
  ticsId: 'site',
  transportMethods: 'transport_method',
  services: 'service',
  service: 'service',
  charges: 'charge',
}
/** The kind of record of `_id` and `id` without a parent field, by feature. */
const kindOfFeature: Readonly<Record<string, RecordKind>> = {
  hotelconfig: 'site',
  transports: 'site',
  vehicleConfigs: 'vehicle_config',
  customers: 'account',
  people: 'account',
  signOn: 'account',
  account: 'session',
  tokens: 'api_token',
  views: 'list_view',
  webhooks: 'webhook_endpoint',
  locations: 'location',
  imports: 'import_run',
  billing: 'billing_run',
  tariff: 'tariff_rule',
  charges: 'charge',
  invoices: 'invoice',
  articles: 'article',
  disposals: 'scrap_pickup',
}
/** The kind of record of a call's id where neither field nor feature determines it. */
const kindOfCall: Readonly<Record<string, RecordKind>> = {
  'fleet.historydocument': 'document',
  'invoicing.withdraw': 'document',
  'invoicing.unwaive': 'storage_ledger',
  'account.removepasskey': 'passkey',
  'webhooks.replay': 'webhook_delivery',
}

type Named = Map<RecordKind, Set<number>>

/** The records that the input of a call names. */
export function recordsNamed(call: string, input: unknown): Named {
  const named: Named = new Map()
  const feature = call.split('.')[0] ?? ''
  const kindOf = (field: string, parentField: string): RecordKind | undefined => {
    if (field === '_id' || field === 'id') return kindOfField[parentField] ?? kindOfCall[call] ?? kindOfFeature[feature]
    return (field === 'db_id' ? kindOfCall[call] : undefined) ?? kindOfField[field]
  }
  const read = (value: unknown, field: string, parentField: string): void => {
    // a file names nothing, and has millions of entries
    if (value instanceof Uint8Array) return
    if (Array.isArray(value)) for (const entry of value) read(entry, field, parentField)
    else if (value !== null && typeof value === 'object')
      for (const [inner, entry] of Object.entries(value)) read(entry, inner, field)
    else if (typeof value === 'number') {
      const kind = kindOf(field, parentField)
      if (kind) named.set(kind, (named.get(kind) ?? new Set()).add(value))
    }
  }
  read(input, '', '')
  return named
}

type Refused = {
  readonly call: string
  readonly input: unknown
  readonly who: Who | null
  readonly context: Pick<Context<unknown, 'anyone'>, 'now' | 'request'>
}
type Found = { record: RecordKind; id: number; elsewhere: boolean }

/** A record that is another site's, or another customer's than the caller's. */
async function findForeign(tx: Tx, { call, input }: Refused, { site: own, customer }: Who): Promise<Found | null> {
  const sites = await tx.rows(everySiteId, {})
  for (const [record, named] of recordsNamed(call, input)) {
    const ids = new Set(named)
    if (record === 'site') {
      const other = sites.find(({ id }) => id !== own && ids.has(id))
      if (other) return { record, id: other.id, elsewhere: true }
      continue
    }
    // row-level security shows one site at a time; the own one first
    for (const { id: site } of sites.toSorted((first, other) => Number(other.id === own) - Number(first.id === own))) {
      await tx.asSite(site)
      for (const row of await tx.rows(ownersOf[record], { site, ids: [...ids] })) {
        if (site !== own) return { record, id: row.id, elsewhere: true }
        if (customer !== null && row.customer !== null && row.customer !== customer)
          return { record, id: row.id, elsewhere: false }
        ids.delete(row.id)
      }
      if (ids.size === 0) break
    }
  }
  return null
}

export type ForeignIds = {
  /** Takes note of a refusal, and returns at once. */
  check(error: unknown, refused: Refused): void
  /** Resolves when the queue is empty. */
  whenIdle(): Promise<void>
  /** Drops the queue, and resolves when no lookup is running. */
  close(): Promise<void>
}

/** The maximum number of queued lookups, in total and per account, so that one account can't displace others. */
const maxWaiting = { inAll: 100, ofAccount: 5 }

type Reporting = {
  readonly count: (kind: SecurityKind) => void
  readonly failed: (error: unknown) => void
}

/**
 * Looks refusals up one after the other, on one connection, at most as many an hour for one account as events are written: an account
 * that tries more ids has been recorded by then. Drops refusals while too many wait. A node forgets the queue when it stops.
 */
export function openForeignIdChecks(database: Database, { count, failed }: Reporting): ForeignIds {
  const waiting: (Refused & { readonly who: Who })[] = []
  let working: Promise<void> | null = null
  let hour = 0
  const lookedUp = new Map<number, number>()

  async function checkRefusal(refused: Refused & { readonly who: Who }): Promise<void> {
    const { call, who, context } = refused
    const { address, agent: device } = context.request
    const isForeign = await database.transaction({ system: true }, async tx => {
      const foreign = await findForeign(tx, refused, who)
      if (!foreign) return false
      const { record, id, elsewhere } = foreign
      await tx.run(addEvent, {
        kind: 'foreignId',
        now: context.now,
        site: who.site,
        account: who.account,
        by: null,
        facts: JSON.stringify({ call, record, id }),
        // or an administrator would learn from it that another site has this record
        hidden: elsewhere,
        address,
        device,
      })
      return true
    })
    if (isForeign) count('foreignId')
  }

  async function work(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) await checkRefusal(next).catch(failed)
    working = null
  }

  return {
    check(error, refused) {
      const { who, context } = refused
      if (!(error instanceof Failure) || error.code !== 'record.missing' || !who || who.type === 'superuser') return
      const now = Math.floor(context.now.getTime() / 3_600_000)
      if (now !== hour) lookedUp.clear()
      hour = now
      const times = lookedUp.get(who.account) ?? 0
      const ofAccount = waiting.filter(entry => entry.who.account === who.account).length
      if (times >= maxPerHour || waiting.length >= maxWaiting.inAll || ofAccount >= maxWaiting.ofAccount) return
      lookedUp.set(who.account, times + 1)
      waiting.push({ ...refused, who })
      working ??= work()
    },
    whenIdle: () => working ?? Promise.resolve(),
    async close() {
      waiting.length = 0
      await working
    },
  }
}
