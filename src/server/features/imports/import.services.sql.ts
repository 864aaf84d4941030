/** The statements of an import of services. */
import { z } from 'zod'
import { insertionMethods } from '#domain/site.ts'
import { offeredTypes } from '#domain/tyres/tyre.ts'
import { statement } from '../../db/statement.ts'
import { decimal, int, json, text } from '../../db/types.ts'

/** Locks the site, as an edit of its configuration does. */
export const lockConfig = statement({
  name: 'import.lockConfig',
  parameters: { site: int },
  row: { id: int },
  sql: 'select id from site where id = :site for no key update',
})

/** Counts a version of the configuration, so that saving an older one fails. */
export const countVersion = statement({
  name: 'import.countVersion',
  parameters: { site: int },
  sql: 'update site set version = version + 1 where id = :site',
})

export const servicesOf = statement({
  name: 'import.servicesOf',
  parameters: { site: int },
  row: {
    id: int,
    name: text,
    operation_type: z.enum(offeredTypes),
    article_number: text.nullable(),
    article_insertion_method: z.enum(insertionMethods),
    description_en: text,
    description_nl: text,
    description_fr: text,
    description_de: text,
    price_excl: decimal,
  },
  sql: `select id, name, operation_type, article_number, article_insertion_method, description_en, description_nl, description_fr,
     description_de, price_excl::float as price_excl
   from service where site_id = :site and removed_at is null order by id`,
})

const columns = `name, operation_type, article_number, article_insertion_method, description_en, description_nl, description_fr,
     description_de, price_excl`
const given = `json_to_recordset(:rows::json) as w (id int, name text, operation_type text, article_number text,
     article_insertion_method text, description_en text, description_nl text, description_fr text, description_de text, price_excl numeric)`

/** Adds services, given as JSON rows; they belong to the import. */
export const addServices = statement({
  name: 'import.addServices',
  parameters: { site: int, import: int, rows: json },
  sql: `with added as (insert into service (site_id, ${columns}) select :site, ${columns} from ${given} returning id)
   insert into import_row (site_id, import_id, record, record_id) select :site, :import, 'service', id from added`,
})

/** Changes services, given as JSON rows. */
export const changeServices = statement({
  name: 'import.changeServices',
  parameters: { site: int, import: int, rows: json },
  sql: `with known as (select s.id, to_jsonb(s) as before from service s where s.site_id = :site and s.id in (select w.id from ${given})),
   changed as (
     update service s set (${columns}) = row(${columns.replaceAll(/\w+/g, 'w.$&')}) from ${given} where s.site_id = :site and s.id = w.id)
   insert into import_row (site_id, import_id, record, record_id, before) select :site, :import, 'service', id, before from known`,
})
