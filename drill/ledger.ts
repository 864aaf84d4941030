/**
 * A ledger of acknowledged writes, which are looked for in the database, and rules that every record has to keep.
 * Each rule comes with a way to break it, as its negative control.
 */
import type pg from 'pg'

const ranks = ['pending', 'submitted', 'confirmed'] as const
type Status = (typeof ranks)[number]

export type Ledger = ReturnType<typeof openLedger>

/** Acknowledged writes. A write is added when its answer has come. */
export function openLedger() {
  const operations = new Map<number, Status>()
  const documents = new Map<number, number>()
  const scans = new Map<string, { operation: number; tyre: number }>()
  const readings = new Set<number>()
  let acknowledged = 0
  return {
    get acknowledged() {
      return acknowledged
    },
    operation(id: number, status: Status, document?: number | null): void {
      acknowledged++
      operations.set(id, status)
      if (document) documents.set(document, id)
    },
    scan(id: string, operation: number, tyre: number): void {
      acknowledged++
      scans.set(id, { operation, tyre })
    },
    /** A tread depth reading, identified by its odometer. */
    reading(odometer: number): void {
      acknowledged++
      readings.add(odometer)
    },
    /** Descriptions of the acknowledged writes that the database does not have. It may have more. */
    async missing(client: pg.Client): Promise<string[]> {
      const statuses = [...operations].map(([id, status]) => ({ id, rank: ranks.indexOf(status) }))
      const documentRows = [...documents].map(([id, operation]) => ({ id, operation }))
      const scanRows = [...scans].map(([id, scan]) => ({ id, ...scan }))
      const { rows } = await client.query<{ wrong: string }>(
        `select 'operation ' || a.id || ' is ' || coalesce(o.status, 'gone') || ', rank ' || a.rank || ' was acknowledged' as wrong
         from json_to_recordset($1) as a(id int, rank int) left join operation o on o.site_id = 1 and o.id = a.id
         where coalesce(array_position($5::text[], o.status), 0) <= a.rank
         union all
         select 'document ' || a.id || ' of operation ' || a.operation || ' is gone'
         from json_to_recordset($2) as a(id int, operation int)
         where not exists (select from document d where d.site_id = 1 and d.id = a.id and d.operation_id = a.operation)
         union all
         select 'scan ' || a.id || ' is gone' from json_to_recordset($3) as a(id uuid, operation int, tyre int)
         where not exists (select from scan s where s.site_id = 1 and s.id = a.id and s.operation_id = a.operation and s.tyre_id = a.tyre)
         union all
         select 'the reading at ' || a.odometer || ' km is gone' from unnest($4::int[]) as a(odometer)
         where not exists (select from tyre_event e where e.site_id = 1 and e.kind = 'measured' and e.odometer = a.odometer)`,
        [JSON.stringify(statuses), JSON.stringify(documentRows), JSON.stringify(scanRows), [...readings], ranks],
      )
      return rows.map(({ wrong }) => wrong)
    },
    /** Statements that each delete an acknowledged write. */
    deletions(): Record<string, string> {
      const [scan] = scans.keys()
      const [reading] = readings
      const [document] = documents.keys()
      const confirmed = [...operations].find(([, status]) => status === 'confirmed')?.[0]
      const pending = [...operations].findLast(([, status]) => status === 'pending')?.[0]
      return {
        'a scan': `delete from scan where id = '${scan}'`,
        'a reading': `delete from tyre_event where kind = 'measured' and odometer = ${reading}`,
        'a document': `delete from document where site_id = 1 and id = ${document}`,
        'a confirmation': `update operation set status = 'submitted', handled_at = null where site_id = 1 and id = ${confirmed}`,
        'an operation': `delete from operation where site_id = 1 and id = ${pending}`,
      }
    },
  }
}

type Rule = {
  readonly summary: string
  /** Selects what breaks it, as `wrong`; $1 is the last operation before the drill. */
  readonly wrong: string
  /** A statement that breaks it. */
  readonly breaks: string
}

/** A condition for the operations `o` of this drill. */
const thisDrill = 'o.site_id = 1 and o.id > $1'
const anOperation = (rest: string): string => `(select o.id from operation o where ${thisDrill} and ${rest} limit 1)`
const confirmed = anOperation(`o.status = 'confirmed'`)

export const rules: readonly Rule[] = [
  {
    summary: 'an operation has all its tyres',
    wrong: `select 'operation ' || o.id as wrong from operation o where ${thisDrill}
      and o.tyre_count <> (select count(*) from operation_tyre h where h.site_id = 1 and h.operation_id = o.id)`,
    breaks: `delete from operation_tyre where site_id = 1 and (operation_id, tyre_id) in (
      select operation_id, tyre_id from operation_tyre where operation_id = ${confirmed} limit 1)`,
  },
  {
    summary: 'tyres are held as long as their operation is open',
    wrong: `select 'operation ' || o.id as wrong from operation o join operation_tyre h on h.site_id = 1 and h.operation_id = o.id
      where ${thisDrill} and h.open <> (o.status in ('pending', 'submitted'))`,
    breaks: `update operation_tyre set open = false where site_id = 1 and operation_id = ${anOperation(`o.status = 'pending'`)}`,
  },
  {
    summary: 'a tyre is in one open operation',
    wrong: `select 'tyre ' || tyre_id as wrong from operation_tyre where open and $1 > 0 group by site_id, tyre_id having count(*) > 1`,
    breaks: `with taken as (select h.* from operation_tyre h where h.site_id = 1 and h.operation_id = ${anOperation(`o.status = 'pending'`)})
      insert into operation_tyre (site_id, operation_id, tyre_id, customer_id)
      select 1, o.id, t.tyre_id, t.customer_id from taken t
        join operation o on o.site_id = 1 and o.customer_id = t.customer_id and o.id <> t.operation_id
      where not exists (select from operation_tyre h where h.site_id = 1 and h.operation_id = o.id and h.tyre_id = t.tyre_id) limit 1`,
  },
  {
    summary: 'every scan is counted at its tyre',
    wrong: `select 'operation ' || o.id || ' tyre ' || h.tyre_id as wrong
      from operation o join operation_tyre h on h.site_id = 1 and h.operation_id = o.id
        left join (select operation_id, tyre_id, count(*) as n from scan where site_id = 1 group by 1, 2) s
          on s.operation_id = o.id and s.tyre_id = h.tyre_id
      where ${thisDrill} and (h.scan_times <> coalesce(s.n, 0) or (h.scanned_at is null) <> (h.scan_times = 0))`,
    breaks: `update operation_tyre set scan_times = scan_times + 1 where site_id = 1 and operation_id = ${confirmed}`,
  },
  {
    summary: 'every scan is in the history of its tyre',
    wrong: `select 'operation ' || o.id as wrong from operation o
        left join (select operation_id, count(*) as n from scan where site_id = 1 group by 1) s on s.operation_id = o.id
        left join (select operation_id, count(*) as n from tyre_event where site_id = 1 and kind = 'scanned' group by 1) e
          on e.operation_id = o.id
      where ${thisDrill} and coalesce(s.n, 0) <> coalesce(e.n, 0)`,
    breaks: `delete from tyre_event where site_id = 1 and kind = 'scanned' and operation_id = ${confirmed}`,
  },
  {
    summary: 'a confirmation is in the history of each tyre, once',
    wrong: `select 'operation ' || o.id as wrong from operation o
        left join (select operation_id, count(*) as n, count(distinct tyre_id) as tyres from tyre_event
          where site_id = 1 and kind in ('received', 'delivered') group by 1) e on e.operation_id = o.id
      where ${thisDrill} and (coalesce(e.n, 0), coalesce(e.tyres, 0)) <> (
        case o.status when 'confirmed' then o.tyre_count else 0 end, case o.status when 'confirmed' then o.tyre_count else 0 end)`,
    breaks: `delete from tyre_event where site_id = 1 and kind in ('received', 'delivered') and operation_id = ${confirmed}`,
  },
  {
    summary: 'a confirmation is audited, once',
    wrong: `select 'operation ' || o.id as wrong from operation o
        left join (select subject, count(*) as n from audit where site_id = 1 and action = 'operation.confirm' group by 1) a
          on a.subject = 'operation ' || o.id
      where ${thisDrill} and coalesce(a.n, 0) <> case o.status when 'confirmed' then 1 else 0 end`,
    breaks: `delete from audit where action = 'operation.confirm' and subject = 'operation ' || ${confirmed}`,
  },
  {
    summary: 'a confirmed operation has its document, and no other has one',
    wrong: `select 'operation ' || o.id as wrong from operation o where ${thisDrill}
      and (select count(*) from document d where d.site_id = 1 and d.operation_id = o.id and d.reason = 'operation')
        <> case o.status when 'confirmed' then 1 else 0 end`,
    breaks: `update document set operation_id = null where site_id = 1 and operation_id = ${confirmed}`,
  },
  {
    summary: 'a document amounts to its lines',
    wrong: `select 'document ' || d.id as wrong from document d join operation o on o.site_id = 1 and o.id = d.operation_id
      where ${thisDrill} and d.site_id = 1 and d.amount_excl <> coalesce((
        select sum(l.quantity * l.price_excl) from document_line l where l.site_id = 1 and l.document_id = d.id), 0)`,
    breaks: `update document set amount_excl = amount_excl + 1 where site_id = 1 and operation_id = ${confirmed}`,
  },
  {
    summary: 'document numbers have no gap',
    wrong: `select c.type || ' of ' || c.year as wrong from document_counter c
        left join (select site_id, type, year, count(*) as n, max(number) as last from document group by 1, 2, 3) d using (site_id, type, year)
      where $1 > 0 and (c.last, c.last) is distinct from (coalesce(d.n, 0), coalesce(d.last, 0))`,
    breaks: `update document_counter set last = last + 1 where site_id = 1 and $1 > 0`,
  },
  {
    summary: 'delivery days count what is submitted',
    wrong: `select 'day ' || t.day as wrong from transport_day t cross join lateral (
        select count(*)::int as operations, coalesce(sum(o.tyre_count), 0)::int as tyres from operation o
        where o.site_id = t.site_id and o.transport_id = t.transport_id and o.delivery_date = t.day
          and o.status = 'submitted' and o.type = 'to_customer') counted
      where $1 > 0 and (t.operations, t.tyres) is distinct from (counted.operations, counted.tyres)`,
    breaks: `update transport_day set operations = operations + 1 where site_id = 1 and $1 > 0`,
  },
  {
    summary: 'a tyre is where its last event left it',
    wrong: `select 'tyre ' || t.id as wrong from tyre t
        join (select distinct h.tyre_id from operation_tyre h join operation o on o.site_id = 1 and o.id = h.operation_id
          where ${thisDrill} and h.site_id = 1) held on held.tyre_id = t.id
        join (select distinct on (tyre_id) tyre_id, status from tyre_event
          where site_id = 1 and status is not null order by tyre_id, id desc) last on last.tyre_id = t.id
      where t.site_id = 1 and t.status <> last.status`,
    breaks: `update tyre set status = 'waste', location_id = null where site_id = 1 and id in (
      select tyre_id from operation_tyre where site_id = 1 and operation_id = ${confirmed})`,
  },
  {
    summary: 'locations count what lies on them',
    wrong: `select 'location ' || l.path as wrong from location l where $1 > 0 and l.held <> (
        select count(*) from tyre t where t.site_id = l.site_id and t.location_id = l.id and t.removed_at is null)`,
    breaks: `update location set held = held + 1 where site_id = 1 and $1 > 0`,
  },
]

/** Descriptions of what breaks these rules, for operations after `since`. */
export async function violations(client: pg.Client, since: number, checked = rules): Promise<string[]> {
  const wrong: string[] = []
  for (const rule of checked) {
    const { rows } = await client.query<{ wrong: string }>(rule.wrong, [since])
    wrong.push(...rows.map(row => `${rule.summary}: not ${row.wrong}`))
  }
  return wrong
}

/** Breaks something, checks whether that is found, and rolls it back. `false` also when there was nothing to break. */
export async function isDetected(
  client: pg.Client,
  { sql, values }: { sql: string; values: unknown[] },
  isFound: () => Promise<boolean>,
): Promise<boolean> {
  await client.query('begin')
  try {
    // an index keeps one of the rules
    await client.query('drop index operation_tyre_open')
    const { rowCount } = await client.query(sql, values)
    return rowCount !== null && rowCount > 0 && (await isFound())
  } finally {
    await client.query('rollback')
  }
}
