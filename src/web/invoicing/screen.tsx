/** Unpaid storage by customer and tyre, with the actions on it. */
import { Alert, Button, Group, Tabs, Text } from '@mantine/core'
import { IconArrowLeft, IconClockDollar, IconDownload, IconFileText } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
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
import { invoicingTabs } from '../searchParams.ts'
import classes from './invoicing.module.css'
import { Invoices } from './invoices/invoices.tsx'
import { Left } from './charges/left.tsx'
import { Owed } from './charges/owed.tsx'
import { matches } from './charges/rows.ts'
import { Runs } from './billing/runs.tsx'
import { useOverdueCustomersSheet } from './sheets.ts'
import { Waived } from './charges/waived.tsx'
import { TabList } from '../ui/tabList.tsx'

/** Longer than any tyre lies. */
const daysMax = 36_500

const isTab = (chosen: string | null): chosen is (typeof invoicingTabs)[number] =>
  invoicingTabs.some(tab => tab === chosen)

export function Invoicing() {
  const { t } = useTranslation('invoicing')
  const { tab = 'overdue', days, customer } = useSearch({ from: '/admin/invoicing' })
  const navigate = useNavigate({ from: '/admin/invoicing' })
  return (
    <Screen title={t('title')}>
      <Tabs
        value={tab}
        onChange={chosen =>
          void navigate({
            search: {
              ...(days !== undefined && { days }),
              ...(customer !== undefined && { customer }),
              ...(isTab(chosen) && chosen !== 'overdue' && { tab: chosen }),
            },
          })
        }
        keepMounted={false}
      >
        <TabList selected={tab} mb="md">
          {invoicingTabs.map(option => (
            <Tabs.Tab key={option} value={option}>
              {t(`tabs.${option}`)}
            </Tabs.Tab>
          ))}
        </TabList>
        <Tabs.Panel value="overdue">
          <Overdue />
        </Tabs.Panel>
        <Tabs.Panel value="charges">
          <Charges />
        </Tabs.Panel>
        <Tabs.Panel value="runs">
          <Runs />
        </Tabs.Panel>
        <Tabs.Panel value="left">
          <Left />
        </Tabs.Panel>
        <Tabs.Panel value="waived">
          <Waived />
        </Tabs.Panel>
        <Tabs.Panel value="documents">
          <Documents />
        </Tabs.Panel>
        <Tabs.Panel value="invoices">
          <Invoices />
        </Tabs.Panel>
      </Tabs>
    </Screen>
  )
}

/** Days and customer are in the address: a reload, a bookmark and going back show the same tyres. */
function Overdue() {
  const { t } = useTranslation(['invoicing', 'failures'])
  const { days, customer } = useSearch({ from: '/admin/invoicing' })
  const navigate = useNavigate({ from: '/admin/invoicing' })
  const site = useSite()
  const complaint = useComplaint()
  const form = useForm<{ days: number | string }>({
    initial: { days: days ?? site.invoicing_period },
    liveErrors: ({ days: value }) => ({ days: complaint({ min: 0, max: daysMax, value }) }),
  })
  const answer = useAnswer(invoicing.customers, { days: days ?? 0 }, { enabled: days !== undefined })
  const { days: typed } = form.values
  const wanted = typed !== '' && form.valid ? Number(typed) : null

  return (
    <>
      <Form
        form={form}
        onSubmit={() => {
          if (wanted === null) return
          if (wanted === days) void invalidate(['invoicing.customers', 'invoicing.tyres'])
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
      {days === undefined ? (
        <Empty text={t('start')} icon={IconClockDollar} />
      ) : customer === undefined && answer.data?.length === 0 ? (
        <Empty text={t('noCustomers')} />
      ) : (
        <div className={classes.columns} data-chosen={customer !== undefined || undefined}>
          <section className={classes.customers} aria-label={t('customers')}>
            <Customers key={days} days={days} chosen={customer} />
          </section>
          <section className={classes.owed} aria-label={t('tyres')}>
            {customer === undefined ? (
              <Empty text={t('pick')} icon={IconFileText} />
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
