/** All sites of the portal: a superuser looks at them, creates and retires them. */
import { Badge, Button, Group, Menu, Stack, Text } from '@mantine/core'
import { IconEye, IconPlus, IconTrash } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { hotelconfig as calls, type HotelConfig } from '#contract/config.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { labelled } from '../i18n.ts'
import { BackupAlert, LatestBackup, useBackups } from './backupState.tsx'
import { useAnswer, useCall } from '../shared/api.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { type Sort, sorting } from '../ui/dataTable/sort.tsx'
import { sortRows } from '../ui/dataTable/sortRows.ts'
import { FilterField } from '../ui/filterField.tsx'
import { LinkButton } from '../ui/link.tsx'
import { RowMenu } from '../ui/rowMenu.tsx'
import { Empty, Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { NewSite } from './newSite.tsx'
import type { SortKey } from './order.ts'
import classes from './sites.module.css'

export function Sites() {
  const { t } = useTranslation('sites')
  const sites = useAnswer(calls.getall, {})
  // An alert that comes later would push the list down.
  const waits = useBackups().isPending
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
      <Stack gap="md">
        <BackupAlert />
        {sites.data && !waits ? (
          sites.data.length === 0 ? (
            <Empty text={t('noSites')}>
              <Button
                variant="default"
                leftSection={<IconPlus size={18} aria-hidden />}
                onClick={() => setMaking(true)}
              >
                {t('newSite')}
              </Button>
            </Empty>
          ) : (
            <SiteList sites={sites.data} />
          )
        ) : sites.isError ? (
          <Failed error={sites.error} retry={sites.refetch} />
        ) : (
          <Placeholders rows={8} height={56} />
        )}
        <LatestBackup />
      </Stack>
      {making && (
        <NewSite
          first={sites.data?.length === 0}
          onClose={() => {
            setMaking(false)
            requestAnimationFrame(() => newSite.current?.focus())
          }}
        />
      )}
    </Screen>
  )
}

/** Filter and order are in the address. */
function SiteList({ sites }: { sites: readonly HotelConfig[] }) {
  const { t, i18n } = useTranslation('sites')
  const { filter = '', by = 'name', desc = false } = useSearch({ from: '/superuser' })
  const navigate = useNavigate()
  const change = (next: { filter: string; by: SortKey; desc: boolean }) =>
    void navigate({
      to: '/superuser',
      search: {
        ...(next.filter !== '' && { filter: next.filter }),
        ...(next.by !== 'name' && { by: next.by }),
        ...(next.desc && { desc: true }),
      },
      replace: true,
      resetScroll: false,
    })
  const shown = useMemo(
    () => sortRows(filtered(sites, filter), site => site[by], { desc, language: i18n.language }),
    [sites, filter, by, desc, i18n.language],
  )
  return (
    <div>
      <FilterField
        label={t('filterLabel')}
        placeholder={t('filter')}
        short={t('filterShort')}
        value={filter}
        settle={wanted => change({ filter: wanted, by, desc })}
        className={classes.filter}
      />
      <SiteTable
        sites={shown}
        by={by}
        desc={desc}
        // the first press on a count brings the most to the top
        choose={(next, turned) => change({ filter, by: next, desc: next === by ? turned : next !== 'name' })}
      />
    </div>
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

function SiteTable({ sites, ...order }: { sites: readonly HotelConfig[] } & Sort<SortKey>) {
  const { t, i18n } = useTranslation('sites')
  return (
    <DataTable
      columns={[
        {
          id: 'logo',
          header: t('logo'),
          headerHidden: true,
          render: ({ navlogo }) => navlogo && <img src={navlogo} alt="" className={classes.logo} loading="lazy" />,
          width: '4.5rem',
          from: 'xl',
        },
        {
          id: 'name',
          header: t('name'),
          sort: 'name',
          render: site => (
            <>
              <strong>{site.name}</strong>
              <span className={classes.under}>{site.adminEmail}</span>
              <BelowCell width="xl">
                {labelled(t('account'), site.webstreamAccount)}
                <br />
                {site.urls.map(url => (url === '*' ? t('everyAddress') : url)).join(', ')}
              </BelowCell>
              <BelowCell width="lg" plain>
                <Narrow site={site} />
              </BelowCell>
              <BelowCell width="md" plain>
                <div className={classes.actions}>
                  <Actions site={site} />
                </div>
              </BelowCell>
            </>
          ),
        },
        { id: 'mode', header: t('modeHead'), render: ({ mode }) => <ModeBadge mode={mode} />, from: 'lg' },
        { id: 'urls', header: t('urls'), render: ({ urls }) => <Addresses urls={urls} />, from: 'xl' },
        {
          id: 'account',
          header: t('account'),
          render: ({ webstreamAccount }) => webstreamAccount,
          nowrap: true,
          from: 'xl',
        },
        {
          id: 'customers',
          header: t('customers'),
          sort: 'customer_count',
          render: ({ customer_count }) => formatNumber(customer_count, i18n.language),
          align: 'end',
          from: 'lg',
        },
        {
          id: 'tyres',
          header: t('tyres'),
          sort: 'tyre_count',
          render: ({ tyre_count }) => formatNumber(tyre_count, i18n.language),
          align: 'end',
          from: 'lg',
        },
        {
          id: 'actions',
          header: t('actions'),
          headerHidden: true,
          render: site => <Actions site={site} />,
          width: '1%',
          from: 'md',
        },
      ]}
      rows={sites}
      keyOf={({ _id }) => _id}
      empty={t('noSitesFound')}
      rowAttributes={({ _id }) => ({ 'data-site': _id })}
      sort={sorting(order)}
      phone={{ heads: 'gone' }}
      className={classes.table}
      frame
    />
  )
}

function ModeBadge({ mode, size }: { mode: HotelConfig['mode']; size?: string }) {
  const { t } = useTranslation('sites')
  return (
    <Badge {...(size !== undefined && { size })} className={classes.mode ?? ''}>
      {t(`mode.${mode}`)}
    </Badge>
  )
}

/** The values of the other columns, and the actions on the site. */
function Narrow({ site }: { site: HotelConfig }) {
  const { t, i18n } = useTranslation('sites')
  return (
    <div className={classes.narrow}>
      <ModeBadge mode={site.mode} size="sm" />
      <br />
      {t('counts', {
        customers: formatNumber(site.customer_count, i18n.language),
        tyres: formatNumber(site.tyre_count, i18n.language),
      })}
    </div>
  )
}

/** So many addresses of a site a row shows. */
const shownAddresses = 2

function Addresses({ urls }: { urls: readonly string[] }) {
  const { t } = useTranslation('sites')
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
  const { t } = useTranslation('sites')
  const retire = useCall(calls.delete, { doing: 'sites:deleting', done: 'sites:deleted' })

  async function askAndRetire() {
    const sure = await confirmFirst({
      title: t('deleteQuestion', { name: site.name }),
      text: t('deleteText', { customers: site.customer_count, tyres: site.tyre_count }),
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
      <RowMenu label={t('moreActionsOf', { name: site.name })} title={t('moreActions')} loading={retire.isPending}>
        <Menu.Item color="red" leftSection={<IconTrash size={18} aria-hidden />} onClick={() => void askAndRetire()}>
          {t('deleteWhich', { name: site.name })}
        </Menu.Item>
      </RowMenu>
    </Group>
  )
}
