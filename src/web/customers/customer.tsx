/** A customer: its data and its accounts. */
import { Button, Paper, Text, Title } from '@mantine/core'
import { IconArrowLeft, IconBuildingCommunity, IconUserCheck } from '@tabler/icons-react'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { customers as calls, type ListedCustomer } from '#contract/customers.ts'
import { actFor } from '../shared/acting.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { OverviewButton } from './overviewButton.tsx'
import { useSite, useWho } from '../shared/session.ts'
import { type Changes, overSaved, unsentOf } from '../ui/form/changes.ts'
import { Form } from '../ui/form/form.tsx'
import { LinkButton } from '../ui/link.tsx'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { SaveBar } from '../shared/form/saveBar.tsx'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { useUnsavedGuard } from '../shared/unsaved.ts'
import { isFleet, isHotel } from '#domain/site.ts'
import { Accounts } from './accounts.tsx'
import { CustomerAccount } from './account.tsx'
import { CustomerBilling } from './billing.tsx'
import classes from './customers.module.css'
import { CustomerFields } from './fields.tsx'
import { type CustomerForm, customerRules, formOf, inputOf } from './form.ts'
import { shownName } from './customerTable.tsx'

export function CustomerPage({ id }: { id: number }) {
  const { t } = useTranslation('customers')
  const { mode } = useSite()
  const { id: _, ...search } = useSearch({ from: '/admin/customers' })
  const { data: customer, error, refetch } = useAnswer(calls.customer, { seq_id: id })
  return (
    <Screen
      title={customer ? shownName(customer) : t('customer')}
      actions={
        <>
          <LinkButton
            to="/admin/customers"
            search={search}
            variant="subtle"
            leftSection={<IconArrowLeft size={18} aria-hidden />}
          >
            {t('allCustomers')}
          </LinkButton>
          {customer && isHotel(mode) && <OverviewButton customer={id} />}
          {customer && isFleet(mode) && <ActFor customer={customer} to="/admin/fleetmanagement" />}
          {customer && <ActFor customer={customer} to="/fleet" />}
        </>
      }
    >
      {customer ? (
        <>
          <Text size="sm" c="dimmed" mb="sm">
            {[
              t('vehicles', { count: customer.vehicles }),
              t('tyres', { count: customer.tyre_count }),
              t('inStock', { count: customer.in_stock }),
            ].join(' · ')}
          </Text>
          <div className={classes.page}>
            <CustomerData customer={customer} />
            <section aria-labelledby="accounts" className={classes.section}>
              <Title order={2} id="accounts" mb="xs">
                {t('accounts')}
              </Title>
              <Accounts customer={id} person={{ fullname: customer.name, email: customer.email }} />
            </section>
            {isHotel(mode) && <CustomerBilling id={id} />}
            {isHotel(mode) && <CustomerAccount customer={id} />}
          </div>
        </>
      ) : error ? (
        <Failed error={error} retry={refetch} />
      ) : (
        <Placeholders rows={6} />
      )}
    </Screen>
  )
}

type ActForProps = { customer: ListedCustomer; to: '/fleet' | '/admin/fleetmanagement' }

/** Its vehicles, tyres and operations are on the screens that work on behalf of a customer. */
function ActFor({ customer, to }: ActForProps) {
  const { t } = useTranslation(['common', 'nav'])
  const { username } = useWho()
  const navigate = useNavigate()
  const router = useRouter()
  const isManaged = to !== '/fleet'
  return (
    <Button
      variant={isManaged ? 'default' : 'filled'}
      leftSection={
        isManaged ? <IconBuildingCommunity size={18} aria-hidden /> : <IconUserCheck size={18} aria-hidden />
      }
      onClick={async () => {
        // Unsaved data is confirmed before leaving; otherwise the acting customer is unchanged.
        await navigate({ to })
        if (router.state.location.pathname !== to) return
        actFor(username, { seq_id: customer.seq_id, name: shownName(customer), city: customer.city })
      }}
    >
      {isManaged ? t('nav:fleetManagement') : t('common:actFor', { name: shownName(customer) })}
    </Button>
  )
}

function CustomerData({ customer }: { customer: ListedCustomer }) {
  const { t } = useTranslation(['customers', 'fleet', 'config'])
  const save = useCall(calls.save, { doing: 'customers:updating', done: 'customers:updated' })
  const [changes, setChanges] = useState<Changes<CustomerForm> | null>(null)
  useUnsavedGuard(changes !== null, t('unsaved'))
  const saved = formOf(customer)
  const form = useContractForm({
    initial: saved,
    controlled: overSaved(saved, changes, setChanges),
    ...customerRules,
    text: useFieldErrorText(),
  })

  async function send() {
    if (!changes) return
    await save.mutateAsync({ seq_id: customer.seq_id, ...inputOf(changes) })
    setChanges(now => unsentOf(now, changes))
  }
  return (
    <Paper className={classes.data}>
      <Form form={form} onSubmit={send} className={classes.form}>
        <CustomerFields form={form} />
        <SaveBar
          form={form}
          discard={() => {
            setChanges(null)
            form.forgive()
          }}
        />
      </Form>
    </Paper>
  )
}
