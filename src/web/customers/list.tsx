/** Customers. */
import { Button, Group, Pagination, Text } from '@mantine/core'
import { IconBuilding, IconDownload, IconPlus, IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { customers as calls, customersPerPage } from '#contract/customers.ts'
import { labelled } from '../i18n.ts'
import { customersSearch } from '../searchParams.ts'
import { ask, messageOf, useAnswer } from '../shared/api.ts'
import { type ListAction, ListLine } from '../ui/listLine.tsx'
import { FilterField } from '../ui/filterField.tsx'
import { FormDialog } from '../ui/form/formDialog.tsx'
import { useToday } from '../shared/hooks.ts'
import { saveCsvText } from '../shared/saveCsv.ts'
import { notify } from '../ui/notify.ts'
import { Empty, Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { ViewMenu } from '../views/viewMenu.tsx'
import { CustomerPage } from './customer.tsx'
import classes from './customers.module.css'
import { ImportDialog } from './importDialog.tsx'
import { NewCustomer } from './newCustomer.tsx'
import { CustomerTable } from './customerTable.tsx'

export function Customers() {
  const { id, tab } = useSearch({ from: '/admin/customers' })
  if (tab) return <Navigate to="/admin/config" search={{ page: 'team' }} hash="administrators" replace />
  return id === undefined ? <Overview /> : <CustomerPage key={id} id={id} />
}

function Overview() {
  const { t } = useTranslation('customers')
  const navigate = useNavigate()
  const [adding, setAdding] = useState(false)
  const [importing, setImporting] = useState(false)
  return (
    <Screen
      title={t('title')}
      actions={
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
          {t('newCustomer')}
        </Button>
      }
    >
      <CustomerList add={() => setAdding(true)} importFile={() => setImporting(true)} />
      <FormDialog
        opened={adding}
        onClose={() => setAdding(false)}
        title={t('newCustomer')}
        size="44rem"
        long
        lost={t('unsaved')}
      >
        {dialog => (
          <NewCustomer
            dialog={dialog}
            onMade={({ seq_id: id }) => void navigate({ to: '/admin/customers', search: { id } })}
          />
        )}
      </FormDialog>
      <ImportDialog opened={importing} onClose={() => setImporting(false)} />
    </Screen>
  )
}

/** Saves all customers as a CSV file. */
function useExport(): ListAction {
  const { t } = useTranslation(['customers', 'common'])
  const today = useToday()
  const fetched = useMutation({
    mutationFn: () => ask(calls.export, {}),
    onSuccess: ({ csv }) => {
      saveCsvText(`${t('fileName')}-${today}`, csv)
      notify.success(t('common:csv.saved'))
    },
    onError: error => notify.error(messageOf(error)),
  })
  return { label: t('common:csv.save'), icon: IconDownload, busy: fetched.isPending, run: () => fetched.mutate() }
}

type CustomerListProps = { add: () => void; importFile: () => void }

/** Search and pages are in the address, so that going back from a customer shows the same rows. */
function CustomerList({ add, importFile }: CustomerListProps) {
  const { t } = useTranslation(['customers', 'common'])
  const { filter = '', before = [] } = useSearch({ from: '/admin/customers' })
  const navigate = useNavigate()
  const after = before.at(-1)
  const page = useAnswer(
    calls.list,
    { ...(filter.trim() !== '' && { search: filter }), ...(after !== undefined && { last_customer: after }) },
    { keep: true },
  )
  const goTo = (next: { filter: string; before: readonly number[] }, resetScroll: boolean) =>
    void navigate({
      to: '/admin/customers',
      search: {
        ...(next.filter !== '' && { filter: next.filter }),
        ...(next.before.length > 0 && { before: [...next.before] }),
      },
      replace: true,
      resetScroll,
    })
  return (
    <>
      <ListLine
        search={
          <FilterField
            label={t('customers:filterLabel')}
            placeholder={t('customers:filter')}
            short={t('customers:filterShort')}
            value={filter}
            settle={wanted => goTo({ filter: wanted, before: [] }, false)}
            className={classes.filter}
          />
        }
        views={
          <ViewMenu
            list="customers"
            filter={filter === '' ? {} : { filter }}
            open={view => void navigate({ to: '/admin/customers', search: customersSearch(view) })}
          />
        }
        status={
          page.data && (
            <span role="status">
              {filter.trim() === ''
                ? t('customers:count', { count: page.data.total })
                : t('customers:found', { count: page.data.total })}
            </span>
          )
        }
        actions={[useExport()]}
        more={[{ label: t('customers:import'), icon: IconUpload, run: importFile }]}
      />
      {page.data ? (
        <>
          {page.data.customers.length === 0 ? (
            filter.trim() === '' ? (
              <Empty text={t('customers:empty')} icon={IconBuilding}>
                <Button variant="default" leftSection={<IconPlus size={18} aria-hidden />} onClick={add}>
                  {t('customers:newCustomer')}
                </Button>
              </Empty>
            ) : (
              <Empty text={t('customers:noneFound')} icon={IconBuilding} />
            )
          ) : (
            <CustomerTable customers={page.data.customers} />
          )}
          <Pages
            total={Math.ceil(page.data.total / customersPerPage)}
            before={before}
            last={page.data.customers.at(-1)?.seq_id}
            waiting={page.isPlaceholderData}
            goTo={next => goTo({ filter, before: next }, true)}
          />
        </>
      ) : page.isError ? (
        <Failed error={page.error} retry={page.refetch} />
      ) : (
        <Placeholders rows={10} />
      )}
    </>
  )
}

type PagesProps = {
  total: number
  before: readonly number[]
  last: number | undefined
  waiting: boolean
  goTo: (before: readonly number[]) => void
}

/** The next page begins after the last customer of this one; those before are known by where they began. */
function Pages({ total, before, last, waiting, goTo }: PagesProps) {
  const { t } = useTranslation(['customers', 'common'])
  const here = before.length + 1
  if (total <= 1 && here === 1) return null
  return (
    <Group justify="space-between" mt="sm">
      <Text size="sm" c="dimmed">
        {labelled(t('customers:customersPerPage'), customersPerPage)}
      </Text>
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {t('customers:pageOf', { page: here, pages: Math.max(total, here) })}
        </Text>
        <Pagination.Root
          size="sm"
          total={Math.max(total, here)}
          value={here}
          disabled={waiting}
          onChange={next =>
            goTo(next > here ? (last === undefined ? before : [...before, last]) : before.slice(0, next - 1))
          }
        >
          <Group gap={5}>
            <Pagination.First aria-label={t('common:page.first')} />
            <Pagination.Previous aria-label={t('common:page.previous')} />
            <Pagination.Next aria-label={t('common:page.next')} />
          </Group>
        </Pagination.Root>
      </Group>
    </Group>
  )
}
