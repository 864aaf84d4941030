import { customers } from './customers.ts'
import { fleet } from './fleet.ts'
import { invoicing } from './invoicing.ts'
import { locale } from './locale.ts'
import { locations } from './locations.ts'
import { operations } from './operations.ts'
import type { Handlers } from './handler.ts'
import { hotelconfig } from './hotelconfig.ts'
import { site } from './sites.ts'
import { users } from './sessions.ts'
import { tyres } from './tyres.ts'

export const handlers: Handlers = {
  users,
  site,
  hotelconfig,
  customers,
  fleet,
  tyres,
  operations,
  invoicing,
  locations,
  locale,
}
