/** The statements of an import of locations. */
import { z } from 'zod'
import { locationKinds } from '#domain/warehouse/location.ts'
import { statement } from '../../db/statement.ts'
import { int, json, text } from '../../db/types.ts'

/** The tree of a site's warehouses, each location with the tyres that lie there or are coming, and the wheels on it. */
export const treeOf = statement({
  name: 'import.tree',
  parameters: { site: int },
  row: {
    id: int,
    kind: z.enum(locationKinds),
    site_name: text,
    path: text,
    walk: int,
    capacity: int,
    held: int,
  },
  sql: `select l.id, l.kind, l.site_name, l.path, l.walk, l.capacity, l.held + coalesce(c.coming, 0) as held
   from location l left join (
     select held.planned_location, count(*)::int as coming from operation_tyre held
     where held.site_id = :site and held.open and held.planned_location is not null group by 1) c on c.planned_location = l.id
   where l.site_id = :site order by l.id`,
})

/**
 * Adds locations, given as JSON rows, to what holds them, which exists; `parent` is its path, null at the top. They take what the
 * location above takes, and belong to the import.
 */
export const addLocations = statement({
  name: 'import.addLocations',
  parameters: { site: int, import: int, rows: json },
  sql: `with added as (
     insert into location (site_id, parent_id, kind, name, site_name, path, walk, capacity, fit_diameter, fit_width, fit_weight, fit_takes)
     select :site, above.id, w.kind, w.name, w.site_name, w.path, w.walk, w.capacity,
       above.fit_diameter, above.fit_width, above.fit_weight, above.fit_takes
     from json_to_recordset(:rows::json) as w (kind text, name text, site_name text, path text, parent text, walk int, capacity int)
       left join location above on above.site_id = :site and above.site_name = w.site_name and above.path = w.parent
     returning id)
   insert into import_row (site_id, import_id, record, record_id) select :site, :import, 'location', id from added`,
})

/** Changes the capacity and the walk of locations, given as JSON rows. */
export const changeLocations = statement({
  name: 'import.changeLocations',
  parameters: { site: int, import: int, rows: json },
  sql: `with given as (
     select l.id, to_jsonb(l) as before, w.capacity, w.walk
     from json_to_recordset(:rows::json) as w (id int, walk int, capacity int) join location l on l.site_id = :site and l.id = w.id),
   changed as (
     update location l set capacity = given.capacity, walk = given.walk from given where l.site_id = :site and l.id = given.id)
   insert into import_row (site_id, import_id, record, record_id, before) select :site, :import, 'location', id, before from given`,
})
