import { z } from 'zod'
import { call } from './call.ts'
import { branding, labelReport, siteConfig, vehicleConfig, item } from './wire.ts'

const nothing = z.unknown().transform(() => ({}))

export const site = {
  gsc: call({
    path: '/gsc',
    method: 'GET',
    who: 'anyone',
    input: nothing,
    output: z.union([siteConfig, branding]),
    failures: ['site.unknown'],
    says: 'The site configuration: branding for anybody, all of it for the signed in of the site.',
  }),
  tsconfigdata: call({
    path: '/hotelconfig/tsconfigdata',
    who: ['user', 'admin'],
    input: nothing,
    output: z.object({
      vehicleTypes: z.array(z.object({ vet_description: item(z.string()) })),
      labelReports: z.array(labelReport),
    }),
    says: 'The vehicle types and label reports of the site.',
  }),
  getvehicleconfigs: call({
    path: '/fleet/getvehicleconfigs',
    who: ['user', 'admin'],
    input: nothing,
    output: z.object({ vehicleConfigs: z.array(vehicleConfig) }),
    says: 'The vehicle configurations of the site.',
  }),
}
