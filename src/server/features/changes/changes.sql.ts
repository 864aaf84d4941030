/** The statements of what has changed (docs/decisions/0057). */
import { statement } from '../../db/statement.ts'
import { answer, bool, int, moment } from '../../db/types.ts'
import { documentNumberOf } from '../invoicing/documentColumns.sql.ts'

/**
 * The moment up to which all changes can be read: the beginning of the oldest open transaction, whose changes are later and may not be
 * committed. Ask for it in a statement of its own, before the page: changes committed between the two are then read.
 */
export const readableUntil = statement({
  name: 'changes.until',
  row: { until: moment },
  sql: `select least(now(), min(xact_start)) as until from pg_stat_activity
   where datname = current_database() and xact_start is not null`,
})

const parameters = { site: int, customer: int.nullable(), at: moment, id: int, until: moment, limit: int }

type Copied = {
  /** Name of the table, which is `r` in the columns. */
  table: string
  /** In wire form, without `changed`. */
  columns: string
  joins?: string
  /** Which records can be read; none: all. */
  which?: string
  /** As what it stands in `record_gone`; none: it is never gone. */
  gone?: string
}

/** The column that says whose a record is. */
const customerOf = (table: string): string => (table === 'customer' ? 'id' : 'customer_id')

/** A moment as the cursor has it, in microseconds. */
const inCursor = (at: string): string => `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const isLater = `> (:at::timestamptz, :id::int) and changed_at < :until::timestamptz`

/**
 * The records of a customer, or of the site, that were changed after the cursor and before `until`, the first of them. No row: there
 * is no such customer.
 */
const page = ({ table, columns, joins = '', which = '', gone }: Copied): string => `
  with found as (
    select id, changed_at, false as gone from ${table} r
    where site_id = :site and (changed_at, id) ${isLater}
      and (:customer::int is null or ${customerOf(table)} = :customer)${which && ` and ${which}`}
    ${
      gone
        ? `union all
    select record_id, changed_at, true from record_gone
    where site_id = :site and record = '${gone}' and (changed_at, record_id) ${isLater}
      and case when :customer::int is null then not moved else customer_id = :customer end`
        : ''
    }
    order by 2, 1 limit :limit::int + 1),
  page as materialized (select * from found order by changed_at, id limit :limit)
  select json_build_object(
    'records', (
      select coalesce(json_agg((select to_json(wire) from (select ${columns}, r.changed_at as changed) wire)
        order by page.changed_at, page.id), '[]')
      from page join ${table} r on r.site_id = :site and r.id = page.id ${joins}
      where not page.gone and (:customer::int is null or r.${customerOf(table)} = :customer)),
    'gone', (select coalesce(json_agg(distinct id), '[]') from page where gone),
    'cursor', coalesce((select ${inCursor('changed_at')} || '~' || id from page order by changed_at desc, id desc limit 1),
      ${inCursor(':at::timestamptz')} || '~' || :id::int),
    'more', (select count(*) > :limit::int from found))::text as json
  from site where id = :site
    and (:customer::int is null or exists (select from customer where site_id = :site and id = :customer))`

const removed = 'r.removed_at is not null as removed'

export const vehiclesChanged = statement({
  name: 'changes.vehicles',
  parameters,
  row: answer,
  sql: page({
    table: 'vehicle',
    gone: 'vehicle',
    joins: 'left join vehicle_config g on g.site_id = r.site_id and g.id = r.config_id',
    columns: `r.id as flt_id, r.customer_id as seq_id, r.license_plate, r.number, r.chassis_number, r.cost_centre, r.yearly_distance, r.contract_end, r.left_on,
        string_to_array(r.former_plates, ' ') as former_plates, r.type, r.brand, r.description,
        g.description as configuration, json_build_object('name', r.driver_name, 'email', r.driver_email,
          'mobile_no', r.driver_mobile, 'telephone_no', r.driver_telephone) as driver, ${removed}`,
  }),
})

export const tyresChanged = statement({
  name: 'changes.tyres',
  parameters: { ...parameters, withDepth: bool },
  row: answer,
  sql: page({
    table: 'tyre',
    gone: 'tyre',
    joins: 'left join location l on l.site_id = r.site_id and l.id = r.location_id',
    columns: `r.id as db_id, r.customer_id as seq_id, r.vehicle_id as flt_id, r.position, r.tyre_set, r.article_id as article,
        r.description, r.season, r.status, r.status_date, l.site_name as stock_site_name, l.path as stock_rack,
        case when :withDepth then r.profile_depth end as profile_depth, case when :withDepth then r.profile_date end as profile_date,
        r.rims, r.bolts, r.hubcaps, ${removed}`,
  }),
})

export const mountsChanged = statement({
  name: 'changes.mounts',
  parameters,
  row: answer,
  sql: page({
    table: 'mount',
    columns: `r.id as _id, r.customer_id as seq_id, r.tyre_id as tyre, r.vehicle_id as flt_id, r.position, r.since, r.until, r.source,
        r.until_source, r.withdrawn`,
  }),
})

export const odometersChanged = statement({
  name: 'changes.odometers',
  parameters: { ...parameters, withDepth: bool, withOdometer: bool },
  row: answer,
  sql: page({
    table: 'odometer',
    which: `:withOdometer and (:withDepth or source <> 'depth')`,
    columns: `r.id as _id, r.customer_id as seq_id, r.vehicle_id as flt_id, r.day as date, r.km, r.source,
        r.withdrawn_at is not null as withdrawn`,
  }),
})

export const operationsChanged = statement({
  name: 'changes.operations',
  parameters,
  row: answer,
  sql: page({
    table: 'operation',
    gone: 'operation',
    joins: 'left join transport_method m on m.site_id = r.site_id and m.id = r.transport_id',
    columns: `r.id as _id, r.customer_id as seq_id, r.vehicle_id as flt_id, r.type, r.status,
        array(select tyre_id from operation_tyre t where t.site_id = r.site_id and t.operation_id = r.id order by tyre_id) as tyres,
        m.code as transport, r.delivery_date, r.created_at as created, r.submitted_at as submitted, r.handled_at as handled`,
  }),
})

export const documentsChanged = statement({
  name: 'changes.documents',
  parameters,
  row: answer,
  sql: page({
    table: 'document',
    columns: `r.id as db_id, r.customer_id as seq_id, r.vehicle_id as flt_id, r.operation_id as operation,
        ${documentNumberOf('r')} as number, r.type, r.document_date as date, r.amount_excl, r.withdrawn_at is not null as withdrawn`,
  }),
})

export const customersChanged = statement({
  name: 'changes.customers',
  parameters,
  row: answer,
  sql: page({
    table: 'customer',
    columns: 'r.id as seq_id, r.code, r.name, r.company as companyname, r.street, r.zipcode, r.city, r.email',
  }),
})
