import { audit } from './audit.ts'
import { customers } from './customers.ts'
import { fleet } from './fleet.ts'
import { invoicing } from './invoicing.ts'
import { labelReports } from './labelReports.ts'
import { locale } from './locale.ts'
import { locations } from './locations.ts'
import { operations } from './operations.ts'
import { people } from './people.ts'
import type { Handlers } from './handler.ts'
import { hotelconfig } from './hotelconfig.ts'
import { site } from './sites.ts'
import { users } from './sessions.ts'
import { tyres } from './tyres.ts'
import { vehicleConfigs } from './vehicleConfigs.ts'

export const handlers: Handlers = {
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
