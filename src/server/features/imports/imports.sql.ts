/** The statements of imports as people make them: remembered columns, the list, and undoing. */
import { z } from 'zod'
import { importKinds } from '#domain/texts/importColumn.ts'
import { maxImportsListed } from '#contract/imports.ts'
import { statement } from '../../db/statement.ts'
import { answer, bool, date, instant, int, json, text } from '../../db/types.ts'

/** The fields that headings of a kind stood for the last time. */
export const rememberedColumns = statement({
  name: 'imports.columns',
  parameters: { site: int, kind: z.enum(importKinds) },
  row: { heading: text, field: text.nullable() },
  sql: `select heading, field from import_column where site_id = :site and kind = :kind`,
})

/** The columns are JSON rows of heading and field. */
export const rememberColumns = statement({
  name: 'imports.rememberColumns',
  parameters: { site: int, kind: z.enum(importKinds), columns: json },
  sql: `insert into import_column (site_id, kind, heading, field)
   select distinct on (heading) :site, :kind, heading, field from json_to_recordset(:columns::json) as c (heading text, field text)
   where heading <> '' order by heading
   on conflict (site_id, kind, heading) do update set field = excluded.field`,
})

export const customerOfSite = statement({
  name: 'imports.customer',
  parameters: { site: int, customer: int },
  sql: `select from customer where site_id = :site and id = :customer`,
})

const wireRun = `select r.id as _id, r.kind, r.file, r.at, coalesce(nullif(a.fullname, ''), a.username) as by, r.rows as row_count, r.added, r.changed,
     r.unchanged, r.refused, r.undone_at as undone
   from import_run r left join account a on a.id = r.account_id where r.site_id = :site`

/** The last imports in wire form. */
export const lastImports = statement({
  name: 'imports.list',
  parameters: { site: int },
  row: answer,
  sql: `select coalesce(json_agg(wire), '[]')::text as json from (${wireRun} order by r.at desc, r.id desc limit ${maxImportsListed}) wire`,
})

/** An import in wire form. */
export const importById = statement({
  name: 'imports.byId',
  parameters: { site: int, import: int },
  row: answer,
  sql: `select row_to_json(wire)::text as json from (${wireRun} and r.id = :import) wire`,
})

export const lockImport = statement({
  name: 'imports.lock',
  parameters: { site: int, import: int },
  row: { kind: z.enum(importKinds), file: text, customer: int.nullable(), undone: bool },
  sql: `select kind, file, customer_id as customer, undone_at is not null as undone from import_run where site_id = :site and id = :import for update`,
})

/** Locks the records of an import, so that nobody touches them while it is undone. */
export const lockRecords = statement({
  name: 'imports.lockRecords',
  parameters: { site: int, import: int },
  row: { locked: int },
  sql: `with mine as (select record, record_id from import_row where site_id = :site and import_id = :import),
   vehicles as (select v.id from vehicle v join mine on mine.record = 'vehicle' and mine.record_id = v.id where v.site_id = :site order by v.id for update of v),
   tyres as (select t.id from tyre t join mine on mine.record = 'tyre' and mine.record_id = t.id where t.site_id = :site order by t.id for update of t),
   articles as (select a.id from article a join mine on mine.record = 'article' and mine.record_id = a.id where a.site_id = :site order by a.id for update of a),
   customers as (select c.id from customer c join mine on mine.record = 'customer' and mine.record_id = c.id where c.site_id = :site order by c.id for update of c),
   locations as (select l.id from location l join mine on mine.record = 'location' and mine.record_id = l.id where l.site_id = :site order by l.id for update of l),
   services as (select s.id from service s join mine on mine.record = 'service' and mine.record_id = s.id where s.site_id = :site order by s.id for update of s),
   accounts as (select a.id from account a join mine on mine.record = 'account' and mine.record_id = a.id where a.site_id = :site order by a.id for update of a)
   select (select count(*) from vehicles) + (select count(*) from tyres) + (select count(*) from articles) + (select count(*) from customers)
     + (select count(*) from locations) + (select count(*) from services) + (select count(*) from accounts) as locked`,
})

/**
 * How many records of an import something else has touched: another transaction has written their row since, or something belongs to
 * them that the import did not bring. The caller has locked them.
 */
export const touchedRecords = statement({
  name: 'imports.touched',
  parameters: { site: int, import: int },
  row: { touched: int },
  sql: `with run as (select transaction from import_run where site_id = :site and id = :import),
   mine as (select record, record_id as id, before is null as added, before from import_row where site_id = :site and import_id = :import)
   select (select count(*) from mine, run where case record
     when 'vehicle' then not exists (select from vehicle v where v.site_id = :site and v.id = mine.id and written_by(v.xmin, run.transaction))
       or added and (exists (select from tyre t where t.site_id = :site and t.vehicle_id = mine.id and t.removed_at is null)
         or exists (select from operation o where o.site_id = :site and o.vehicle_id = mine.id))
     when 'tyre' then not exists (select from tyre t where t.site_id = :site and t.id = mine.id and written_by(t.xmin, run.transaction))
       or exists (select from operation_tyre o where o.site_id = :site and o.tyre_id = mine.id)
       or added and exists (select from storage_ledger l where l.site_id = :site and l.tyre_id = mine.id and l.document_id is not null
         and l.released_at is null)
     when 'article' then not exists (select from article a where a.site_id = :site and a.id = mine.id and written_by(a.xmin, run.transaction))
       or added and exists (select from tyre t where t.site_id = :site and t.article_id = mine.id and t.removed_at is null
         and t.id not in (select m.id from mine m where m.record = 'tyre'))
     when 'customer' then not exists (select from customer c where c.site_id = :site and c.id = mine.id and written_by(c.xmin, run.transaction))
       or (added or before -> 'vat_number' is not null) and exists (select from customer_billing b where b.site_id = :site and b.customer_id = mine.id
         and not written_by(b.xmin, run.transaction))
       or added and (exists (select from vehicle v where v.site_id = :site and v.customer_id = mine.id)
         or exists (select from account a where a.customer_id = mine.id) or exists (select from document d where d.site_id = :site and d.customer_id = mine.id))
     when 'service' then not exists (select from service s where s.site_id = :site and s.id = mine.id and written_by(s.xmin, run.transaction))
       or added and exists (select from operation_service o where o.site_id = :site and o.service_id = mine.id)
     when 'account' then not exists (select from account a where a.site_id = :site and a.id = mine.id and written_by(a.xmin, run.transaction))
       or added and (exists (select from session s where s.account_id = mine.id)
         or exists (select from sign_on_identity i where i.site_id = :site and i.account_id = mine.id)
         or exists (select from audit a where a.site_id = :site and a.account_id = mine.id))
     when 'location' then not exists (select from location l where l.site_id = :site and l.id = mine.id and written_by(l.xmin, run.transaction))
       or added and (exists (select from location b where b.site_id = :site and b.parent_id = mine.id
           and b.id not in (select m.id from mine m where m.record = 'location' and m.added))
         or exists (select from wheel w where w.site_id = :site and w.location_id = mine.id)
         or exists (select from orphan o where o.site_id = :site and o.location_id = mine.id and o.ended_at is null)
         or exists (select from operation_tyre held where held.site_id = :site and held.planned_location = mine.id and held.open))
       or (before ->> 'capacity')::int < (select l.held from location l where l.site_id = :site and l.id = mine.id)
         + (select count(*) from operation_tyre held where held.site_id = :site and held.planned_location = mine.id and held.open)
   end)::int as touched`,
})

const addedOf = (record: string): string =>
  `select record_id from import_row where site_id = :site and import_id = :import and record = '${record}' and before is null`
const before = (record: string): string => `
   from import_row r, jsonb_populate_record(null::${record}, r.before) was
   where r.site_id = :site and r.import_id = :import and r.record = '${record}' and r.before is not null and now.site_id = :site and now.id = r.record_id`
const restored = (columns: string): string =>
  columns
    .split(' ')
    .map(column => `${column} = was.${column}`)
    .join(', ')
const undoing = { site: int, import: int }

export const addedTyres = statement({
  name: 'imports.addedTyres',
  parameters: undoing,
  row: { id: int },
  sql: `select id from (${addedOf('tyre')}) as added (id) order by id`,
})
/** Removes the stays of tyres that an import added, and releases their charges. Their history says that they were removed. */
export const releaseStays = statement({
  name: 'imports.releaseStays',
  parameters: { site: int, tyres: z.array(int), now: instant, account: int },
  sql: `with gone as (delete from stay where site_id = :site and tyre_id = any (:tyres::int[]))
   update storage_ledger set released_at = :now, released_by = :account, released_reason = 'import undone'
   where site_id = :site and released_at is null and tyre_id = any (:tyres::int[])`,
})
export const removeTyres = statement({
  name: 'imports.removeTyres',
  parameters: { site: int, tyres: z.array(int), now: instant, account: int, day: date },
  sql: `with gone as (
     update tyre set status = 'at_customer', status_date = :day, location_id = null, invoiced_on = null, removed_at = :now
     where site_id = :site and id = any (:tyres::int[]) returning id, customer_id, vehicle_id)
   insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, status)
   select :site, id, customer_id, vehicle_id, 'removed', :now, :account, 'at_customer' from gone`,
})
export const restoreTyres = statement({
  name: 'imports.restoreTyres',
  parameters: { ...undoing, now: instant, account: int },
  sql: `with back as (
     update tyre now set ${restored('profile_depth profile_date rims bolts hubcaps dot retreaded memo')} ${before('tyre')}
     returning now.id, now.customer_id, now.vehicle_id, now.profile_depth, now.rims
   ), stored as (
     update stay s set with_rim = back.rims is not null from back where s.site_id = :site and s.tyre_id = back.id and s.until is null)
   insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, depth)
   select :site, id, customer_id, vehicle_id, 'changed', :now, :account, profile_depth from back`,
})
export const removeVehicles = statement({
  name: 'imports.removeVehicles',
  parameters: { ...undoing, now: instant },
  sql: `update vehicle set removed_at = :now where site_id = :site and removed_at is null and id in (${addedOf('vehicle')})`,
})
/** A configuration, once set, stays: it is set once (docs/product/vehicles.md "Vehicle configurations"). */
export const restoreVehicles = statement({
  name: 'imports.restoreVehicles',
  parameters: undoing,
  sql: `update vehicle now set ${restored('brand description number chassis_number cost_centre yearly_distance contract_end driver_name driver_mobile driver_telephone driver_email')} ${before('vehicle')}`,
})
/** Removed tyres keep their article: one that has any is retired, the others go. */
export const removeArticles = statement({
  name: 'imports.removeArticles',
  parameters: { ...undoing, now: instant },
  sql: `with kept as (
     update article a set retired_at = :now where a.site_id = :site and a.id in (${addedOf('article')})
       and exists (select from tyre t where t.site_id = :site and t.article_id = a.id))
   delete from article a where a.site_id = :site and a.id in (${addedOf('article')})
     and not exists (select from tyre t where t.site_id = :site and t.article_id = a.id)`,
})
export const restoreArticles = statement({
  name: 'imports.restoreArticles',
  parameters: undoing,
  sql: `with back as (
     update article now set ${restored('brand pattern description width aspect construction rim season ean fuel_class wet_class noise_db speed_key load_key words')} ${before('article')}
     returning now.id, now.rim)
   update stay s set size_class = null from back join tyre t on t.site_id = :site and t.article_id = back.id and t.status = 'in_stock'
   where back.rim is null and s.site_id = :site and s.tyre_id = t.id and s.until is null`,
})
/** Removed services are kept for references, as those are that a save of the configuration leaves out. */
export const removeServices = statement({
  name: 'imports.removeServices',
  parameters: { ...undoing, now: instant },
  sql: `update service set removed_at = :now where site_id = :site and id in (${addedOf('service')})`,
})
export const restoreServices = statement({
  name: 'imports.restoreServices',
  parameters: undoing,
  sql: `update service now set ${restored('name article_number article_insertion_method description_en description_nl description_fr description_de price_excl')} ${before('service')}`,
})
/** Nobody has signed in to these accounts: nothing refers to them but the messages that they were sent. */
export const removeAccounts = statement({
  name: 'imports.removeAccounts',
  parameters: undoing,
  sql: `delete from account where site_id = :site and id in (${addedOf('account')})`,
})
export const restoreAccounts = statement({
  name: 'imports.restoreAccounts',
  parameters: undoing,
  sql: `update account now set ${restored('fullname language email')} ${before('account')}`,
})
export const removeLocations = statement({
  name: 'imports.removeLocations',
  parameters: undoing,
  sql: `delete from location where site_id = :site and id in (${addedOf('location')})`,
})
export const restoreLocations = statement({
  name: 'imports.restoreLocations',
  parameters: undoing,
  sql: `update location now set ${restored('capacity walk')} ${before('location')}`,
})
export const removeCustomers = statement({
  name: 'imports.removeCustomers',
  parameters: undoing,
  sql: `delete from customer where site_id = :site and id in (${addedOf('customer')})`,
})
export const restoreCustomers = statement({
  name: 'imports.restoreCustomers',
  parameters: undoing,
  sql: `with billed as (
     update customer_billing b set vat_number = r.before ->> 'vat_number' from import_row r
     where r.site_id = :site and r.import_id = :import and r.record = 'customer' and r.before -> 'vat_number' is not null
       and b.site_id = :site and b.customer_id = r.record_id)
   update customer now set ${restored('code name company street zipcode city email')} ${before('customer')}`,
})

/** Takes the readings of odometers back that an import added. */
export const withdrawReadings = statement({
  name: 'imports.withdrawReadings',
  parameters: { ...undoing, now: instant },
  sql: `update odometer set withdrawn_at = :now where site_id = :site and withdrawn_at is null and id in (${addedOf('odometer')})`,
})

/** Marks an import as undone; what it changed is no longer needed. */
export const markUndone = statement({
  name: 'imports.markUndone',
  parameters: { ...undoing, now: instant, account: int },
  sql: `with done as (delete from import_row where site_id = :site and import_id = :import)
   update import_run set undone_at = :now, undone_by = :account where site_id = :site and id = :import`,
})
