/** The webhook endpoints of the site, or of a customer: listed, tried, and their secrets shown once (docs/product/messages.md "Webhooks"). */
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import {
  IconAlertTriangle,
  IconEdit,
  IconKey,
  IconListDetails,
  IconSend,
  IconTrash,
  IconWebhook,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { webhooks as calls, type WebhookEndpoint } from '#contract/webhooks.ts'
import { labelled } from '../i18n.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { Failed, Placeholders } from '../shared/screen.tsx'
import { OnceToken } from '../tokens/onceToken.tsx'
import { confirmFirst } from '../ui/confirm.tsx'
import { Address } from '../ui/address.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { FormDialog } from '../ui/form/formDialog.tsx'
import { notify } from '../ui/notify.ts'
import { RowAction } from '../shared/rowAction.tsx'
import { CustomersWebhooks } from './customersWebhooks.tsx'
import { State } from './state.tsx'
import { WebhookForm } from './webhookForm.tsx'
import { WebhookLog } from './webhookLog.tsx'

const hostOf = ({ url }: WebhookEndpoint): string => new URL(url).host

type Secret = { secret: string; rotated: boolean }

export function Webhooks({ owner }: { owner: 'account' | 'site' }) {
  const { t } = useTranslation('webhooks')
  const answer = useAnswer(calls.list, {})
  const [editing, setEditing] = useState<WebhookEndpoint | 'new' | null>(null)
  const [logged, setLogged] = useState<WebhookEndpoint | null>(null)
  const [newSecret, setNewSecret] = useState<Secret | null>(null)
  if (!answer.data)
    return answer.isError ? <Failed error={answer.error} retry={answer.refetch} /> : <Placeholders rows={2} />
  if (!answer.data.available)
    return (
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
        {t('unavailable')}
      </Alert>
    )
  return (
    <Stack gap="sm">
      <Endpoints endpoints={answer.data.endpoints} onEdit={setEditing} onLog={setLogged} onSecret={setNewSecret} />
      <Group>
        <Button variant="default" leftSection={<IconWebhook size={18} aria-hidden />} onClick={() => setEditing('new')}>
          {t('new')}
        </Button>
      </Group>
      {owner === 'site' && <CustomersWebhooks />}
      <FormDialog
        opened={editing !== null}
        onClose={() => setEditing(null)}
        title={t(editing === 'new' ? 'new' : 'edit')}
        size="34rem"
        long
        lost={t('unsaved')}
      >
        {dialog =>
          editing && (
            <WebhookForm
              endpoint={editing === 'new' ? null : editing}
              dialog={dialog}
              onMade={secret => setNewSecret({ secret, rotated: false })}
            />
          )
        }
      </FormDialog>
      <Modal
        opened={logged !== null}
        onClose={() => setLogged(null)}
        title={logged && t('logOf', { host: hostOf(logged) })}
        size="48rem"
      >
        {logged && <WebhookLog endpoint={logged._id} />}
      </Modal>
      <Modal
        opened={newSecret !== null}
        onClose={() => setNewSecret(null)}
        title={t('secret')}
        size="32rem"
        // it is shown once: the dialog can't be closed by accident
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
      >
        {newSecret && (
          <OnceToken
            token={newSecret.secret}
            text={[t('secretText'), ...(newSecret.rotated ? [t('rotateText')] : [])].join(' ')}
            onKept={() => setNewSecret(null)}
          />
        )}
      </Modal>
    </Stack>
  )
}

type EndpointsProps = {
  endpoints: readonly WebhookEndpoint[]
  onEdit: (endpoint: WebhookEndpoint) => void
  onLog: (endpoint: WebhookEndpoint) => void
  onSecret: (secret: Secret) => void
}

function Endpoints({ endpoints, onEdit, onLog, onSecret }: EndpointsProps) {
  const { t } = useTranslation('webhooks')
  const rotate = useCall(calls.rotate)
  const remove = useCall(calls.remove, { done: 'webhooks:removed' })
  const test = useCall(calls.test)
  async function askToRotate(endpoint: WebhookEndpoint) {
    const sure = await confirmFirst({
      title: t('rotate'),
      about: <Text size="sm">{hostOf(endpoint)}</Text>,
      text: t('rotateText'),
      confirm: t('rotate'),
    })
    if (sure) rotate.mutate({ _id: endpoint._id }, { onSuccess: ({ secret }) => onSecret({ secret, rotated: true }) })
  }
  async function askToRemove(endpoint: WebhookEndpoint) {
    const sure = await confirmFirst({
      title: t('removeNamed', { host: hostOf(endpoint) }),
      text: t('removeText'),
      confirm: t('remove'),
      danger: true,
    })
    if (sure) remove.mutate({ _id: endpoint._id })
  }
  const sendTest = ({ _id }: WebhookEndpoint): void =>
    test.mutate(
      { _id },
      {
        onSuccess: ({ status, answer, problem, ms }) => {
          if (problem !== '') notify.error(t(`problem.${problem}`))
          else if (status !== null && status < 300) notify.success(t('testTaken', { status, ms }))
          else notify.error(t('testRefused', { status, answer: answer.slice(0, 100) }))
        },
      },
    )
  return (
    <DataTable
      columns={[
        {
          id: 'url',
          header: t('column.url'),
          render: ({ url, kinds }) => (
            <>
              <Text size="sm" fw={600} translate="no" style={{ overflowWrap: 'break-word' }}>
                <Address url={url} />
              </Text>
              <Text size="xs" c="dimmed">
                {t('kindCount', { count: kinds.length })}
              </Text>
            </>
          ),
          area: 'url',
        },
        { id: 'state', header: t('column.state'), render: endpoint => <State endpoint={endpoint} />, area: 'state' },
        {
          id: 'actions',
          header: '',
          render: endpoint => {
            const host = hostOf(endpoint)
            const named = (action: string): string => labelled(action, host)
            return (
              <Group gap={2} wrap="nowrap" justify="flex-end">
                <RowAction
                  icon={IconSend}
                  label={named(t('test'))}
                  tip={t('test')}
                  loading={test.isPending && test.variables._id === endpoint._id}
                  run={() => sendTest(endpoint)}
                />
                <RowAction icon={IconListDetails} label={named(t('log'))} tip={t('log')} run={() => onLog(endpoint)} />
                <RowAction
                  icon={IconEdit}
                  label={t('editNamed', { host })}
                  tip={t('edit')}
                  run={() => onEdit(endpoint)}
                />
                <RowAction
                  icon={IconKey}
                  label={named(t('rotate'))}
                  tip={t('rotate')}
                  run={() => void askToRotate(endpoint)}
                />
                <RowAction
                  icon={IconTrash}
                  label={t('removeNamed', { host })}
                  tip={t('remove')}
                  danger
                  run={() => void askToRemove(endpoint)}
                />
              </Group>
            )
          },
          align: 'end',
          area: 'actions',
        },
      ]}
      rows={endpoints}
      keyOf={({ _id }) => _id}
      empty={t('none')}
      phone={{ areas: ['url', 'state', 'actions'], columns: 'minmax(0, 1fr)' }}
      frame
    />
  )
}
