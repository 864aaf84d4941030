/** The webhook endpoints that customers have added: an administrator sees that they exist, and may remove one (docs/product/messages.md "Webhooks"). */
import { Stack, Text, Title } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { type CustomersEndpoint, webhooks as calls } from '#contract/webhooks.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { useAnswer, useCall } from '../shared/api.ts'
import { RowAction } from '../shared/rowAction.tsx'
import { Failed, Placeholders } from '../shared/screen.tsx'
import { State } from './state.tsx'

export function CustomersWebhooks() {
  const { t } = useTranslation('webhooks')
  const endpoints = useAnswer(calls.ofcustomers, {})
  const remove = useCall(calls.remove, { done: 'webhooks:removed' })
  if (!endpoints.data)
    return endpoints.isError ? <Failed error={endpoints.error} retry={endpoints.refetch} /> : <Placeholders rows={1} />
  if (endpoints.data.length === 0) return null
  async function askToRemove({ _id, host }: CustomersEndpoint) {
    const sure = await confirmFirst({
      title: t('removeNamed', { host }),
      text: t('removeText'),
      confirm: t('remove'),
      danger: true,
    })
    if (sure) remove.mutate({ _id })
  }
  return (
    <Stack gap="xs" mt="sm">
      <Title order={3} size="h5">
        {t('ofCustomers')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('ofCustomersText')}
      </Text>
      <DataTable
        columns={[
          {
            id: 'customer',
            header: t('column.customer'),
            render: ({ name, host }) => (
              <>
                <strong>{name}</strong>
                <Text size="xs" c="dimmed" translate="no" style={{ overflowWrap: 'anywhere' }}>
                  {host}
                </Text>
              </>
            ),
            area: 'customer',
          },
          { id: 'state', header: t('column.state'), render: endpoint => <State endpoint={endpoint} />, area: 'state' },
          {
            id: 'remove',
            header: '',
            render: endpoint => (
              <RowAction
                icon={IconTrash}
                label={t('removeNamed', { host: endpoint.host })}
                tip={t('remove')}
                danger
                run={() => void askToRemove(endpoint)}
              />
            ),
            align: 'end',
            area: 'remove',
          },
        ]}
        rows={endpoints.data}
        keyOf={({ _id }) => _id}
        label={t('ofCustomers')}
        phone={{ areas: ['customer remove', 'state state'], columns: 'minmax(0, 1fr) auto' }}
        frame
      />
    </Stack>
  )
}
