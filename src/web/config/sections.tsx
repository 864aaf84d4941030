/** The sections of the settings: their names, and what each holds. */
import type { ComponentType } from 'react'
import { tokenScopes } from '#domain/people/token.ts'
import { Accounts } from '../customers/accounts.tsx'
import { Tokens } from '../tokens/tokens.tsx'
import { type TextKey, useTranslation } from '../ui/texts.ts'
import { Webhooks } from '../webhooks/webhooks.tsx'
import { Administrators } from './administrators.tsx'
import { BillingDetails } from './billingDetails.tsx'
import { ClosedDays } from './closedDays.tsx'
import type { EditedSite } from './editing.ts'
import { Images } from './images.tsx'
import { LabelReports } from './labelReports.tsx'
import type { Section } from './pages.ts'
import { Papers } from './papers.tsx'
import { Documents, Extra, Intake, Invoicing, SignIn, Site, Tyres, UnknownArticles } from './parts.tsx'
import { Services } from './services.tsx'
import { SingleSignOn } from './signOn.tsx'
import { Transports } from './transports.tsx'
import { VehicleConfigs } from './vehicleConfigs.tsx'

/** Of a site that a superuser configures, or of one's own. */
const SiteAdministrators = ({ site: { saved, superuser } }: { site: EditedSite }) =>
  superuser ? (
    <Administrators site={saved._id} siteEmail={saved.adminEmail} timeZone={saved.time_zone} />
  ) : (
    <Accounts customer={null} />
  )

export const contents: Readonly<Record<Section, ComponentType<{ site: EditedSite }>>> = {
  site: Site,
  extra: Extra,
  images: Images,
  billingDetails: BillingDetails,
  papers: Papers,
  invoicing: Invoicing,
  documents: Documents,
  intake: Intake,
  services: Services,
  transport: Transports,
  closedDays: ClosedDays,
  tyres: Tyres,
  unknown: UnknownArticles,
  vehicleConfigs: VehicleConfigs,
  labelReports: LabelReports,
  signIn: SignIn,
  administrators: SiteAdministrators,
  signOn: SingleSignOn,
  programs: () => <Tokens owner="site" scopes={tokenScopes} />,
  webhooks: () => <Webhooks owner="site" />,
}

/** Those that are worded where they are used elsewhere, too. */
const wordedElsewhere: Partial<Record<Section, { title: TextKey; text?: TextKey }>> = {
  billingDetails: { title: 'config:billingDetails.title', text: 'config:billingDetails.hint' },
  papers: { title: 'papers:title', text: 'papers:sectionHint' },
  vehicleConfigs: { title: 'config:vehicleConfigs.title', text: 'config:vehicleConfigs.hint' },
  labelReports: { title: 'config:labelReports.title', text: 'config:labelReports.hint' },
  administrators: { title: 'sites:administrators' },
  signOn: { title: 'config:signOn.title', text: 'config:signOn.hint' },
  programs: { title: 'tokens:title', text: 'tokens:siteText' },
  webhooks: { title: 'webhooks:title', text: 'webhooks:text' },
}

/** The title of each section, and the line below it. */
export function useSectionWords() {
  const { t } = useTranslation(['config', 'papers', 'sites', 'tokens', 'webhooks'])
  return (section: Section): { title: string; text?: string } => {
    const { title, text } = wordedElsewhere[section] ?? {
      title: `config:section.${section}` as TextKey,
      text: `config:sectionHint.${section}` as TextKey,
    }
    return { title: t(title as never), ...(text && { text: t(text as never) }) }
  }
}
