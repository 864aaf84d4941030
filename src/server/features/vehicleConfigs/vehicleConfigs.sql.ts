/** The statements of a site's vehicle configurations. */
import { z } from 'zod'
import type { Axle } from '#domain/vehicles/axle.ts'
import { bySpelling } from '../../db/search.ts'
import { statement } from '../../db/statement.ts'
import { answer, int, json, parsedJson, text } from '../../db/types.ts'
import { vehicleConfigJson } from '../sites/sites.sql.ts'

const configJson = `json_build_object('_id', id, 'vehicle_count', had.vehicles, 'removed_count', had.removed, 'config', ${vehicleConfigJson})`
const withVehicles = `from vehicle_config, lateral (
     select count(*) filter (where removed_at is null) as vehicles, count(removed_at) as removed
     from vehicle v where v.site_id = vehicle_config.site_id and v.config_id = vehicle_config.id) had
   where vehicle_config.site_id = :site`

const parameters = { site: int, config: int }
const columns = { description: text, axle_height: int, axle_width: int }

export const everyConfig = statement({
  name: 'vehicleConfigs.all',
  parameters: { site: int },
  row: answer,
  sql: `select coalesce(json_agg(${configJson} order by ${bySpelling('description')}, id), '[]')::text as json ${withVehicles}`,
})

export const configById = statement({
  name: 'vehicleConfigs.one',
  parameters,
  row: answer,
  sql: `select ${configJson}::text as json ${withVehicles} and id = :config`,
})

/** Locks a configuration against every change, and against vehicles that are about to get it. */
export const lockConfig = statement({
  name: 'vehicleConfigs.lock',
  parameters,
  row: { ...columns, source: z.enum(['local', 'other']), axles: parsedJson<readonly Axle[]>() },
  sql: `
    select description, source, axle_height, axle_width, axles from vehicle_config
    where site_id = :site and id = :config for update`,
})

/** How many vehicles have or had a configuration. Lock it first: a statement that waits for a lock sees the data from before it. */
export const countVehicles = statement({
  name: 'vehicleConfigs.vehicles',
  parameters,
  row: { vehicles: int },
  sql: 'select count(*)::int as vehicles from vehicle where site_id = :site and config_id = :config',
})

/** Another configuration with the same description, ignoring case. */
export const namesake = statement({
  name: 'vehicleConfigs.namesake',
  parameters: { site: int, description: text, config: int.nullable() },
  sql: `
    select from vehicle_config
    where site_id = :site and lower(description) = lower(:description) and id is distinct from :config::int`,
})

export const addConfig = statement({
  name: 'vehicleConfigs.add',
  parameters: { site: int, ...columns, axles: json },
  row: { id: int },
  sql: `
    insert into vehicle_config (site_id, description, axle_height, axle_width, axles)
    values (:site, :description, :axle_height, :axle_width, :axles) returning id`,
})

export const changeConfig = statement({
  name: 'vehicleConfigs.change',
  parameters: { ...parameters, ...columns, axles: json },
  sql: `
    update vehicle_config
    set description = :description, axle_height = :axle_height, axle_width = :axle_width, axles = :axles
    where site_id = :site and id = :config`,
})

export const removeConfig = statement({
  name: 'vehicleConfigs.remove',
  parameters,
  sql: 'delete from vehicle_config where site_id = :site and id = :config',
})
