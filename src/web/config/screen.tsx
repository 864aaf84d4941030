/** The screens /admin/config and /superuser/config. */
import { Alert } from '@mantine/core'
import { IconAlertTriangle, IconArrowLeft } from '@tabler/icons-react'
import { useLocation, useSearch } from '@tanstack/react-router'
import { useTranslation } from '../ui/texts.ts'
import { isHotel } from '#domain/site.ts'
import { tokenScopes } from '#domain/people/token.ts'
import { hotelconfig as calls } from '#contract/config.ts'
import { useAnswer } from '../shared/api.ts'
import { LinkButton } from '../ui/link.tsx'
import { Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { Tokens } from '../tokens/tokens.tsx'
import { Tariff } from './tariff.tsx'
import { Webhooks } from '../webhooks/webhooks.tsx'
import { Administrators } from './administrators.tsx'
import { BillingDetails } from './billingDetails.tsx'
import { ClosedDays } from './closedDays.tsx'
import type { EditedSite } from './editing.ts'
import { ConfigForm } from './form.tsx'
import { LabelReports } from './labelReports.tsx'
import { Papers } from './papers.tsx'
import { Services } from './services.tsx'
import { SingleSignOn } from './signOn.tsx'
import { Transports } from './transports.tsx'
import { VehicleConfigs } from './vehicleConfigs.tsx'

const greyRows = 8

/** The lists of a tyre hotel, whose entries are saved one by one. */
function useLists() {
  const { t } = useTranslation('config')
  return (site: EditedSite) =>
    (isHotel(site.saved.mode) ? (['transport', 'closedDays', 'services'] as const) : []).map(id => {
      const Content = lists[id]
      return { id, title: t(`section.${id}`), text: t(`sectionHint.${id}`), content: <Content site={site} /> }
    })
}
const lists = { transport: Transports, closedDays: ClosedDays, services: Services } as const

/** An administrator's own site. */
export function Configuration() {
  const { t } = useTranslation(['config', 'papers', 'tokens', 'webhooks', 'tariff'])
  const config = useAnswer(calls.adminconfig, {})
  const listsOf = useLists()
  return (
    <Screen title={t('title')}>
      {config.data ? (
        <ConfigForm
          site={{ saved: config.data, superuser: false }}
          beneath={[
            ...listsOf({ saved: config.data, superuser: false }),
            {
              id: 'signOn',
              title: t('signOn.title'),
              text: t('signOn.hint'),
              content: <SingleSignOn />,
            },
            {
              id: 'programs',
              title: t('tokens:title'),
              text: t('tokens:siteText'),
              content: <Tokens owner="site" scopes={tokenScopes} />,
            },
            {
              id: 'webhooks',
              title: t('webhooks:title'),
              text: t('webhooks:text'),
              content: <Webhooks owner="site" />,
            },
            {
              id: 'vehicleConfigs',
              title: t('vehicleConfigs.title'),
              text: t('vehicleConfigs.hint'),
              content: <VehicleConfigs />,
            },
            ...(isHotel(config.data.mode)
              ? [
                  {
                    id: 'tariff',
                    title: t('tariff:title'),
                    text: t('tariff:hint'),
                    content: <Tariff site={config.data} />,
                  },
                  {
                    id: 'billingDetails',
                    title: t('billingDetails.title'),
                    text: t('billingDetails.hint'),
                    content: <BillingDetails />,
                  },
                  {
                    id: 'papers',
                    title: t('papers:title'),
                    text: t('papers:sectionHint'),
                    content: <Papers />,
                  },
                  {
                    id: 'labelReports',
                    title: t('labelReports.title'),
                    text: t('labelReports.hint'),
                    content: <LabelReports />,
                  },
                ]
              : []),
          ]}
        />
      ) : config.isError ? (
        <Failed error={config.error} retry={config.refetch} />
      ) : (
        <Placeholders rows={greyRows} height={72} />
      )}
    </Screen>
  )
}

/** Any site, with the settings reserved for superusers and the accounts of its administrators. */
export function SiteConfiguration() {
  const { t } = useTranslation(['sites', 'config'])
  const { id: inAddress } = useSearch({ from: '/superuser/config' })
  const { state } = useLocation()
  const id = inAddress ?? state.id
  if (id === undefined) {
    return (
      <Screen title={t('sites:site')} actions={<Back />}>
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
          {t('sites:noSite')}
        </Alert>
      </Screen>
    )
  }
  return <SiteWith key={id} id={id} />
}

function Back() {
  const { t } = useTranslation('sites')
  return (
    <LinkButton to="/superuser" variant="subtle" leftSection={<IconArrowLeft size={18} aria-hidden />}>
      {t('allSites')}
    </LinkButton>
  )
}

function SiteWith({ id }: { id: number }) {
  const { t } = useTranslation(['sites', 'config'])
  const config = useAnswer(calls.adminconfig, { id })
  const listsOf = useLists()
  return (
    <Screen title={config.data?.name ?? t('sites:site')} actions={<Back />}>
      {config.data ? (
        <ConfigForm
          site={{ saved: config.data, superuser: true }}
          beneath={[
            ...listsOf({ saved: config.data, superuser: true }),
            {
              id: 'administrators',
              title: t('sites:administrators'),
              content: <Administrators site={id} siteEmail={config.data.adminEmail} timeZone={config.data.time_zone} />,
            },
          ]}
        />
      ) : config.isError ? (
        <Failed error={config.error} retry={config.refetch} />
      ) : (
        <Placeholders rows={greyRows} height={72} />
      )}
    </Screen>
  )
}
