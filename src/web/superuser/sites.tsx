/** All sites of the portal (docs/product.md "Superuser"): a superuser looks at them, makes and retires them. */
import { Badge, Button, Group, Table, Text } from '@mantine/core'
import { IconEye, IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hotelconfig as calls, type HotelConfig } from '#contract/hotelconfig.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { FilterField } from '../ui/filterField.tsx'
import { LinkButton } from '../ui/link.tsx'
import { Empty, Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { NewSite } from './newSite.tsx'
import classes from './sites.module.css'

const nothing = {}

export function Sites() {
  const { t } = useTranslation('superuser')
  const sites = useAnswer(calls.getall, nothing)
  const [filter, setFilter] = useState('')
  const [making, setMaking] = useState(false)
  const newSite = useRef<HTMLButtonElement>(null)
  return (
    <Screen
      title={t('sites')}
      badge={sites.data?.length}
      badgeLabel={t('sitesBadge')}
      actions={
        <Button ref={newSite} leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setMaking(true)}>
          {t('newSite')}
        </Button>
      }
    >
      {sites.data ? (
        sites.data.length === 0 ? (
          <Empty text={t('noSites')} />
        ) : (
          <>
            <FilterField
              label={t('filterLabel')}
              placeholder={t('filter')}
              short={t('filterShort')}
              value={filter}
              settle={setFilter}
              className={classes.filter}
            />
            <SiteTable sites={filtered(sites.data, filter)} />
          </>
        )
      ) : sites.isError ? (
        <Failed error={sites.error} retry={sites.refetch} />
      ) : (
        <Placeholders rows={8} height={56} />
      )}
      {making && (
        <NewSite
          onClose={() => {
            setMaking(false)
            requestAnimationFrame(() => newSite.current?.focus())
          }}
        />
      )}
    </Screen>
  )
}

/** The sites in which every word of the filter is found. */
function filtered(sites: readonly HotelConfig[], filter: string): readonly HotelConfig[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return sites
  return sites.filter(site => {
    const text = [site.name, site.webstreamAccount, site.adminEmail, ...site.urls].join('\n').toLowerCase()
    return words.every(word => text.includes(word))
  })
}

function SiteTable({ sites }: { sites: readonly HotelConfig[] }) {
  const { t, i18n } = useTranslation('superuser')
  const number = new Intl.NumberFormat(i18n.language)
  if (sites.length === 0) return <Empty text={t('noSitesFound')} />
  return (
    <div className={classes.frame}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th className={classes.logoCell}>
              <span className="wh-hidden">{t('logo')}</span>
            </Table.Th>
            <Table.Th>{t('name')}</Table.Th>
            <Table.Th className={classes.wide}>{t('modeHead')}</Table.Th>
            <Table.Th className={classes.wide}>{t('urls')}</Table.Th>
            <Table.Th className={classes.wide}>{t('account')}</Table.Th>
            <Table.Th className={classes.number}>{t('customers')}</Table.Th>
            <Table.Th className={classes.number}>{t('tyres')}</Table.Th>
            <Table.Th className={classes.actions}>
              <span className="wh-hidden">{t('actions')}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sites.map(site => (
            <Table.Tr key={site._id} data-site={site._id}>
              <Table.Td className={classes.logoCell}>
                {site.navlogo && <img src={site.navlogo} alt="" className={classes.logo} loading="lazy" />}
              </Table.Td>
              <Table.Td>
                <strong>{site.name}</strong>
                <span className={classes.under}>{site.adminEmail}</span>
                <div className={classes.narrow}>
                  <Badge size="sm" className={classes.mode}>
                    {t(`mode.${site.mode}`)}
                  </Badge>{' '}
                  {site.urls.map(url => (url === '*' ? t('everyAddress') : url)).join(', ')}
                  <br />
                  {t('counts', { customers: number.format(site.customers), tyres: number.format(site.tyres) })}
                  <Actions site={site} />
                </div>
              </Table.Td>
              <Table.Td className={classes.wide}>
                <Badge className={classes.mode}>{t(`mode.${site.mode}`)}</Badge>
              </Table.Td>
              <Table.Td className={classes.wide}>
                <Addresses urls={site.urls} />
              </Table.Td>
              <Table.Td className={classes.wide}>{site.webstreamAccount}</Table.Td>
              <Table.Td className={classes.number}>{number.format(site.customers)}</Table.Td>
              <Table.Td className={classes.number}>{number.format(site.tyres)}</Table.Td>
              <Table.Td className={classes.actions}>
                <Actions site={site} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

/** So many addresses of a site a row shows. */
const shownAddresses = 2

function Addresses({ urls }: { urls: readonly string[] }) {
  const { t } = useTranslation('superuser')
  const more = urls.length - shownAddresses
  return (
    <>
      {urls.slice(0, shownAddresses).map(url => (
        <div key={url}>{url === '*' ? t('everyAddress') : url}</div>
      ))}
      {more > 0 && (
        <Text size="xs" c="dimmed" title={urls.slice(shownAddresses).join('\n')}>
          {t('moreAddresses', { count: more })}
        </Text>
      )}
    </>
  )
}

function Actions({ site }: { site: HotelConfig }) {
  const { t } = useTranslation('superuser')
  const retire = useCall(calls.delete, { doing: 'superuser:deleting', done: 'superuser:deleted' })

  async function askAndRetire() {
    const sure = await confirmFirst({
      title: t('deleteQuestion', { name: site.name }),
      text: t('deleteText', { customers: site.customers, tyres: site.tyres }),
      confirm: t('delete'),
      danger: true,
    })
    if (sure) retire.mutate({ _id: site._id })
  }
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <LinkButton
        to="/superuser/config"
        search={{ id: site._id }}
        state={{ id: site._id }}
        size="xs"
        variant="default"
        leftSection={<IconEye size={16} aria-hidden />}
        aria-label={t('viewWhich', { name: site.name })}
      >
        {t('view')}
      </LinkButton>
      <Button
        size="xs"
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        loading={retire.isPending}
        onClick={() => void askAndRetire()}
        aria-label={t('deleteWhich', { name: site.name })}
      >
        {t('delete')}
      </Button>
    </Group>
  )
}
