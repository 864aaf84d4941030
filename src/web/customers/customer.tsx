/** One customer: what is known of it, and who may sign in for it. */
import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { IconArrowLeft, IconUserCheck } from '@tabler/icons-react'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { customers as calls, type ListedCustomer } from '#contract/customers.ts'
import { actFor } from '../shared/acting.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { useWho } from '../shared/session.ts'
import { barredWhen } from '../ui/barred.ts'
import { toFirstComplaint } from '../ui/complaint.ts'
import { LinkButton } from '../ui/link.tsx'
import { Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { useUnsavedGuard } from '../shared/unsaved.ts'
import { Accounts } from './accounts.tsx'
import classes from './customers.module.css'
import { complaintsOf, CustomerFields } from './fields.tsx'
import { type CustomerEdits, editsOf, formOf, unsent } from './form.ts'
import { codeOf } from './newCustomer.tsx'
import { shownName } from './rows.tsx'

export function CustomerPage({ id }: { id: number }) {
  const { t } = useTranslation('customers')
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
            variant="default"
            leftSection={<IconArrowLeft size={18} aria-hidden />}
          >
            {t('allCustomers')}
          </LinkButton>
          {customer && <ActFor customer={customer} />}
        </>
      }
    >
      {customer ? (
        <>
          <Text size="sm" c="dimmed" mb="sm">
            {[
              t('vehicles', { count: customer.vehicles }),
              t('tyres', { count: customer.tyres }),
              t('inStock', { count: customer.in_stock }),
            ].join(' · ')}
          </Text>
          <div className={classes.page}>
            <CustomerData customer={customer} />
            <section aria-labelledby="accounts" className={classes.section}>
              <Title order={2} id="accounts" mb="xs">
                {t('accounts')}
              </Title>
              <Accounts of={id} />
            </section>
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

/** Its vehicles, tyres and operations are on the screens that work on behalf of a customer (SPEC §6). */
function ActFor({ customer }: { customer: ListedCustomer }) {
  const { t } = useTranslation('common')
  const { username } = useWho()
  const navigate = useNavigate()
  const router = useRouter()
  return (
    <Button
      leftSection={<IconUserCheck size={18} aria-hidden />}
      onClick={async () => {
        // Whatever is not saved asks on this way out; who stays acts for whom they did.
        await navigate({ to: '/fleet' })
        if (router.state.location.pathname !== '/fleet') return
        actFor(username, { seq_id: customer.seq_id, name: shownName(customer), city: customer.city })
      }}
    >
      {t('actFor', { name: shownName(customer) })}
    </Button>
  )
}

function CustomerData({ customer }: { customer: ListedCustomer }) {
  const { t } = useTranslation(['customers', 'fleet', 'config', 'failures'])
  const save = useCall(calls.save, { doing: 'customers:updating', done: 'customers:updated' })
  const [edits, setEdits] = useState<CustomerEdits | null>(null)
  const [tried, setTried] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  useUnsavedGuard(edits !== null, t('customers:unsaved'))
  const saved = formOf(customer)
  const form = { ...saved, ...edits }

  async function send(event: FormEvent) {
    event.preventDefault()
    if (save.isPending || !edits) return
    setTried(true)
    if (Object.keys(complaintsOf(form)).length > 0) return toFirstComplaint(element)
    try {
      await save.mutateAsync({ seq_id: customer.seq_id, ...edits })
      setEdits(now => unsent(now, edits))
      setTried(false)
    } catch {
      // Told in a toast, and at its field.
      toFirstComplaint(element)
    }
  }
  return (
    <Paper className={classes.data}>
      <form ref={element} onSubmit={event => void send(event)} noValidate className={classes.form}>
        <CustomerFields
          form={form}
          change={next => setEdits(editsOf(saved, next))}
          tried={tried}
          refused={{ error: save.error, code: codeOf(save.variables?.code) }}
        />
        <Group justify="flex-end" gap="xs">
          <Text size="sm" c="dimmed" role="status">
            {edits && t('fleet:unsaved')}
          </Text>
          <Button
            variant="default"
            onClick={() => {
              setEdits(null)
              setTried(false)
            }}
            {...barredWhen(!edits || save.isPending)}
          >
            {t('fleet:discard')}
          </Button>
          <Button type="submit" loading={save.isPending} {...barredWhen(!edits)}>
            {t('fleet:save')}
          </Button>
        </Group>
      </form>
    </Paper>
  )
}
