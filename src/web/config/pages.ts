/** The pages of a site's settings, and the sections of each (docs/product/sites.md "Site configuration"). */
import {
  IconBuilding,
  IconCar,
  IconCode,
  IconCoinEuro,
  IconTruck,
  IconUserShield,
  type TablerIcon,
} from '@tabler/icons-react'
import { isHotel, type Mode } from '#domain/site.ts'
import type { SettingsPage } from '../searchParams.ts'
import { type Field, fieldSections, type FieldSection, sectionOf } from './siteForm.ts'

/** The parts whose entries are saved one by one. */
const lists = [
  'billingDetails',
  'papers',
  'services',
  'transport',
  'closedDays',
  'vehicleConfigs',
  'labelReports',
  'administrators',
  'signOn',
  'programs',
  'webhooks',
] as const
type ListSection = (typeof lists)[number]
export type Section = FieldSection | ListSection

/** Fields stand first: they are saved together, below the last of them. */
export const pages = {
  company: { icon: IconBuilding, sections: ['site', 'extra', 'images', 'billingDetails', 'papers'] },
  services: { icon: IconCoinEuro, sections: ['invoicing', 'documents', 'intake', 'services'] },
  transport: { icon: IconTruck, sections: ['transport', 'closedDays'] },
  vehicles: { icon: IconCar, sections: ['tyres', 'unknown', 'vehicleConfigs', 'labelReports'] },
  team: { icon: IconUserShield, sections: ['signIn', 'administrators', 'signOn'] },
  developers: { icon: IconCode, sections: ['programs', 'webhooks'] },
} as const satisfies Record<SettingsPage, { icon: TablerIcon; sections: readonly Section[] }>

const ofHotel: ReadonlySet<Section> = new Set([
  'invoicing',
  'documents',
  'intake',
  'services',
  'transport',
  'closedDays',
  'billingDetails',
  'papers',
  'labelReports',
])
/** A superuser, who belongs to no site, sees the fields, its transports, services and closed days, and who administers it. */
const ofSuperuser: ReadonlySet<Section> = new Set([
  ...fieldSections,
  'services',
  'transport',
  'closedDays',
  'administrators',
])

export const isField = (section: Section): section is FieldSection =>
  (fieldSections as readonly Section[]).includes(section)

/** The pages that a site has, each with its sections: those of the tyre hotel only where there is one. */
export function pagesFor(mode: Mode, superuser: boolean): { page: SettingsPage; sections: readonly Section[] }[] {
  const isShown = (section: Section) =>
    (isHotel(mode) || !ofHotel.has(section)) && (superuser ? ofSuperuser.has(section) : section !== 'extra')
  return (Object.keys(pages) as SettingsPage[])
    .map(page => ({ page, sections: pages[page].sections.filter(isShown) }))
    .filter(({ sections }) => sections.length > 0)
}

/** The pages with these fields. */
export const pagesWith = (fields: readonly string[]): ReadonlySet<SettingsPage> =>
  new Set(
    fields.flatMap(path => {
      const section: Section = sectionOf[path.split('.')[0] as Field]
      return (Object.keys(pages) as SettingsPage[]).filter(page =>
        (pages[page].sections as readonly Section[]).includes(section),
      )
    }),
  )

/** The fields of a section, for the search. */
export const fieldsIn = (section: Section): Field[] =>
  (Object.keys(sectionOf) as Field[]).filter(field => sectionOf[field] === section)
