import { useSite, useWho } from '../shared/session.ts'
import { isHotel } from '#domain/site.ts'
import { AdminHome } from './admin.tsx'
import { FleetHome, HotelHome } from './customer.tsx'

/** The home screen of a role and a mode (docs/product/screens.md "Home screens"). */
export function Home() {
  const { type } = useWho()
  const { mode } = useSite()
  if (type === 'admin') return <AdminHome />
  return isHotel(mode) ? <HotelHome /> : <FleetHome />
}
