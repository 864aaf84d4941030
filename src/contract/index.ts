/** Every call of the portal. A feature's name is the same here, in the server and in the browser. */
import { audit } from './audit.ts'
import type { Call } from './call.ts'
import { customers } from './customers.ts'
import { fleet } from './fleet.ts'
import { hotelconfig } from './hotelconfig.ts'
import { invoicing } from './invoicing.ts'
import { labelReports } from './labelReports.ts'
import { locale } from './locale.ts'
import { locations } from './locations.ts'
import { operations } from './operations.ts'
import { people } from './people.ts'
import { users } from './session.ts'
import { site } from './site.ts'
import { tyres } from './tyres.ts'
import { vehicleConfigs } from './vehicleConfigs.ts'

export const contract = {
  users,
  site,
  hotelconfig,
  vehicleConfigs,
  labelReports,
  customers,
  fleet,
  tyres,
  operations,
  invoicing,
  locations,
  people,
  audit,
  locale,
}
export type Contract = typeof contract

/** All calls with their names (`operations.confirm`), for what has to look at each. */
export const calls: readonly { name: string; call: Call }[] = Object.entries(contract).flatMap(([feature, entries]) =>
  Object.entries(entries as Record<string, Call>).map(([name, call]) => ({ name: `${feature}.${name}`, call })),
)
