/** Unpaid storage by customer and tyre, with the actions on it. */
import { Alert, Button, Group, Tabs, Text } from '@mantine/core'
import { IconArrowLeft, IconDownload } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ComponentType, useMemo, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { invoicing, type OverdueCustomer } from '#contract/invoicing.ts'
import { invalidate, useAnswer } from '../shared/api.ts'
import { useSite } from '../shared/session.ts'
import { FilterField } from '../ui/filterField.tsx'
import { Form } from '../ui/form/form.tsx'
import { useForm } from '../ui/form/useForm.ts'
import { NumberField, useComplaint } from '../ui/form/numberField.tsx'
import { formatDate } from '../shared/format.ts'
import { useToday } from '../shared/hooks.ts'
import { WorkbookButton } from '../shared/workbookButton.tsx'
import { Empty, Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { Charges } from './charges/charges.tsx'
import { Documents } from './documents/documents.tsx'
import { type InvoicingTab, invoicingViews } from '../searchParams.ts'
import classes from './invoicing.module.css'
import { Invoices } from './invoices/invoices.tsx'
import { Left } from './charges/left.tsx'
import { Owed } from './charges/owed.tsx'
import { Bank } from './payments/bank.tsx'
import { Reminders } from './reminders/reminders.tsx'
import { Owing } from './charges/owing.tsx'
import { matches } from './charges/rows.ts'
import { Prices } from './tariff/tariff.tsx'
import { Runs } from './billing/runs.tsx'
import { useOverdueCustomersSheet } from './sheets.ts'
import { Waived } from './charges/waived.tsx'
import { TabList } from '../ui/tabList.tsx'

/** Longer than any tyre lies. */
const daysMax = 36_500

const panels = {
  overdue: Overdue,
  charges: Charges,
  left: Left,
  waived: Waived,
  invoices: Invoices,
  bank: Bank,
  reminders: Reminders,
  runs: Runs,
  documents: Documents,
  prices: Prices,
} as const satisfies Record<InvoicingTab, ComponentType>
type InvoicingView = keyof typeof invoicingViews
const viewsShown = Object.keys(invoicingViews) as InvoicingView[]

export function Invoicing() {
  const { t } = useTranslation(['invoicing', 'nav'])
  const { tab = 'overdue', days, customer } = useSearch({ from: '/admin/invoicing' })
  const navigate = useNavigate({ from: '/admin/invoicing' })
  const view = viewsShown.find(candidate => invoicingViews[candidate].some(part => part === tab)) ?? 'toBill'
  const parts: readonly InvoicingTab[] = invoicingViews[view]
  const Panel = panels[tab]
  const open = (chosen: InvoicingTab | undefined) =>
    void navigate({
      search: {
        ...(days !== undefined && { days }),
        ...(customer !== undefined && { customer }),
        ...(chosen && chosen !== 'overdue' && { tab: chosen }),
      },
    })
  return (
    <Tabs
      value={view}
      onChange={chosen => open(invoicingViews[viewsShown.find(option => option === chosen) ?? 'toBill'][0])}
      keepMounted={false}
    >
      <Screen
        title={t('nav:billing')}
        tabs={
          <TabList selected={view}>
            {viewsShown.map(option => (
              <Tabs.Tab key={option} value={option}>
                {t(`nav:${option}`)}
              </Tabs.Tab>
            ))}
          </TabList>
        }
      >
        <Tabs.Panel value={view}>
          <Tabs
            variant="pills"
            value={tab}
            onChange={chosen => open(parts.find(part => part === chosen))}
            keepMounted={false}
          >
            {view !== 'prices' && (
              <TabList selected={tab} mb="md" aria-label={t(`nav:${view}`)}>
                {invoicingViews[view].map(option => (
                  <Tabs.Tab key={option} value={option}>
                    {t(`invoicing:tabs.${option}`)}
                  </Tabs.Tab>
                ))}
              </TabList>
            )}
            <Tabs.Panel value={tab}>
              <Panel />
            </Tabs.Panel>
          </Tabs>
        </Tabs.Panel>
      </Screen>
    </Tabs>
  )
}

/** Days and customer are in the address: a reload, a bookmark and going back show the same tyres. */
function Overdue() {
  const { t } = useTranslation(['invoicing', 'failures'])
  const site = useSite()
  const { days = site.invoicing_period, customer } = useSearch({ from: '/admin/invoicing' })
  const navigate = useNavigate({ from: '/admin/invoicing' })
  const complaint = useComplaint()
  const form = useForm<{ days: number | string }>({
    initial: { days },
    liveErrors: ({ days: value }) => ({ days: complaint({ min: 0, max: daysMax, value }) }),
  })
  const answer = useAnswer(invoicing.customers, { days })
  const { days: typed } = form.values
  const wanted = typed !== '' && form.valid ? Number(typed) : null

  return (
    <>
      <Form
        form={form}
        onSubmit={() => {
          if (wanted === null) return
          if (wanted === days) void invalidate(['invoicing.customers', 'invoicing.tyres', 'billing.owing'])
          else void navigate({ search: { days: wanted } })
        }}
        className={classes.toolbar}
        data-chosen={customer !== undefined || undefined}
      >
        <NumberField
          {...form.number('days')}
          label={t('daysLabel')}
          description={t('daysHint')}
          // a button stands beside it
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          className={classes.days}
        />
        <Button type="submit" leftSection={<IconDownload size={18} aria-hidden />} disabled={wanted === null}>
          {t('fetch')}
        </Button>
        <Text size="sm" c="dimmed" className={classes.rule}>
          {t(`rule.${site.invoicing_quantity}.${site.invoicing_mode}`, { count: site.invoicing_period })}
        </Text>
      </Form>
      {site.invoicing_article_id === null && (
        <Alert color="orange" mb="md">
          {t('failures:invoicing.article_missing')}
        </Alert>
      )}
      {customer === undefined && answer.data?.length === 0 ? (
        <>
          <Empty text={t('noCustomers')} />
          <Owing days={days} />
        </>
      ) : (
        <div className={classes.columns} data-chosen={customer !== undefined || undefined}>
          <section className={classes.customers} aria-label={t('customers')}>
            <Customers key={days} days={days} chosen={customer} />
          </section>
          <section className={classes.owed} aria-label={t('tyres')}>
            {customer === undefined ? (
              <Owing days={days} />
            ) : (
              <>
                <Button
                  variant="subtle"
                  className={classes.back}
                  leftSection={<IconArrowLeft size={18} aria-hidden />}
                  onClick={() => void navigate({ search: { days } })}
                >
                  {t('back')}
                </Button>
                <Owed key={customer} customer={customer} days={days} />
              </>
            )}
          </section>
        </div>
      )}
    </>
  )
}

function Customers({ days, chosen }: { days: number; chosen: number | undefined }) {
  const { t } = useTranslation('invoicing')
  const answer = useAnswer(invoicing.customers, { days })
  const [filter, setFilter] = useState('')
  const today = useToday()
  const sheet = useOverdueCustomersSheet()
  const shown = useMemo(
    () => answer.data?.filter(option => matches(`${option.companyname}\n${option.name}\n${option.city}`, filter)),
    [answer.data, filter],
  )
  if (!answer.data || !shown)
    return answer.isError ? (
      <Failed error={answer.error} retry={answer.refetch} />
    ) : (
      <Placeholders rows={6} height={56} />
    )
  if (answer.data.length === 0) return <Empty text={t('noCustomers')} />
  return (
    <>
      {answer.data.length > 8 && (
        <FilterField label={t('filter')} value={filter} settle={setFilter} className={classes.filter ?? ''} />
      )}
      <Group justify="space-between" gap="xs" my="xs">
        <Text size="sm" c="dimmed" role="status">
          {t('customerCount', { count: shown.length })}
        </Text>
        <WorkbookButton
          size="xs"
          title={t('customers')}
          file={`${t('file.customers')}-${today}`}
          columns={sheet}
          rows={shown}
        />
      </Group>
      <ul className={classes.list}>
        {shown.map(customer => (
          <li key={customer.seq_id}>
            <CustomerButton customer={customer} days={days} here={customer.seq_id === chosen} />
          </li>
        ))}
      </ul>
    </>
  )
}

function CustomerButton({ customer, days, here }: { customer: OverdueCustomer; days: number; here: boolean }) {
  const { t } = useTranslation(['invoicing', 'common'])
  const navigate = useNavigate({ from: '/admin/invoicing' })
  const { seq_id, companyname, name, city, tyre_count, since, overdue_days } = customer
  return (
    <button
      type="button"
      className={classes.customer}
      aria-current={here ? 'true' : undefined}
      onClick={() => void navigate({ search: { days, customer: seq_id } })}
    >
      <span className={classes.name}>{companyname || name}</span>
      <span className={classes.count}>{t('common:tyres', { count: tyre_count })}</span>
      <span className={classes.where}>
        {[city, t('since', { date: formatDate(since) }), t('dayCount', { count: overdue_days })]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </button>
  )
}
