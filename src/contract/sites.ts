import { z } from 'zod'
import { call, feature, noInput } from './call.ts'
import { rows } from './list.ts'
import { branding, labelReport, siteConfig, vehicleConfig, item } from './wire.ts'

export const site = feature('site', {
  gsc: call({
    path: '/gsc',
    scope: 'read',
    method: 'GET',
    who: 'anyone',
    input: noInput,
    output: z.union([siteConfig, branding]),
    failures: ['site.unknown'],
    summary: 'Answers the configuration of the site: all of it to its accounts, only the branding to others.',
  }),
  tsconfigdata: call({
    path: '/hotelconfig/tsconfigdata',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: true,
    input: noInput,
    output: z.object({
      vehicleTypes: rows(z.object({ vet_description: item(z.string()) })),
      labelReports: rows(labelReport),
    }),
    summary: 'Lists the vehicle types and label reports of the site.',
  }),
  getvehicleconfigs: call({
    path: '/fleet/getvehicleconfigs',
    scope: 'read',
    who: ['user', 'admin'],
    warehouse: true,
    input: noInput,
    output: z.object({ vehicleConfigs: rows(vehicleConfig) }),
    summary: 'Lists the vehicle configurations of the site.',
  }),
})
