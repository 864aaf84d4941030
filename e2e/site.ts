import { hotelconfig } from '#contract/config.ts'
import type { Journeys } from './browser.ts'

/** Changes the configuration of the first site of the demo, as its superuser does. */
export async function configureSite(journeys: Journeys, change: object): Promise<void> {
  const superuser = await journeys.signedIn('superuser')
  const [site] = hotelconfig.getall.output.parse(await superuser.call('/hotelconfig/getall', {}))
  const config = hotelconfig.adminconfig.output.parse(
    await superuser.call('/hotelconfig/adminconfig', { id: site?._id }),
  )
  await superuser.call('/hotelconfig/edit', { ...config, ...change })
  await superuser.close()
}
