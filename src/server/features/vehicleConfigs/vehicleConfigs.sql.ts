/** The statements of a site's vehicle configurations. $1 is the site. */
import { statement } from '../../db/database.ts'
import { vehicleConfigJson } from '../sites/sites.ts'

const kept = `json_build_object('_id', id, 'vehicles', had.vehicles, 'removed', had.removed, 'config', ${vehicleConfigJson})`
const withVehicles = `from vehicle_config, lateral (
     select count(*) filter (where removed_at is null) as vehicles, count(removed_at) as removed
     from vehicle v where v.site_id = vehicle_config.site_id and v.config_id = vehicle_config.id) had
   where vehicle_config.site_id = $1`

export const everyConfig = statement(
  'vehicleConfigs.all',
  `select coalesce(json_agg(${kept} order by lower(description), id), '[]')::text as json ${withVehicles}`,
)
export const configById = statement('vehicleConfigs.one', `select ${kept}::text as json ${withVehicles} and id = $2`)

/** Holds a configuration against every change, and against vehicles that are about to get it. */
export const lockConfig = statement(
  'vehicleConfigs.lock',
  `select description, source, axle_height, axle_width, axles from vehicle_config
   where site_id = $1 and id = $2 for update`,
)
/** How many vehicles have or had it. Asked once it is locked: a statement that waits for a lock sees what was before it. */
export const vehiclesWith = statement(
  'vehicleConfigs.vehicles',
  `select count(*)::int as vehicles from vehicle where site_id = $1 and config_id = $2`,
)
/** Another configuration of this description, in whatever capitals; $3: the one that gets it. */
export const namesake = statement(
  'vehicleConfigs.namesake',
  `select from vehicle_config
   where site_id = $1 and lower(description) = lower($2) and id is distinct from $3::int`,
)
export const addConfig = statement(
  'vehicleConfigs.add',
  `insert into vehicle_config (site_id, description, axle_height, axle_width, axles)
   values ($1, $2, $3, $4, $5) returning id`,
)
export const changeConfig = statement(
  'vehicleConfigs.change',
  `update vehicle_config set description = $3, axle_height = $4, axle_width = $5, axles = $6
   where site_id = $1 and id = $2`,
)
export const removeConfig = statement(
  'vehicleConfigs.remove',
  `delete from vehicle_config where site_id = $1 and id = $2`,
)
export const audit = statement(
  'vehicleConfigs.audit',
  `insert into audit (site_id, account_id, at, action, subject, facts) values ($1, $2, $3, $4, $5, $6)`,
)
