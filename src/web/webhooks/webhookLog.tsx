/** The deliveries to an endpoint, and its answers. */
import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { webhookKinds, type WebhookKind } from '#domain/people/webhook.ts'
import { type WebhookDelivery, webhooks as calls } from '#contract/webhooks.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { formatMoment } from '../shared/format.ts'
import { Failed, Placeholders } from '../shared/screen.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'

const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
const momentOf = (moment: string): string => formatMoment(moment, timeZone)
const isKind = (kind: string): kind is WebhookKind => (webhookKinds as readonly string[]).includes(kind)

export function WebhookLog({ endpoint }: { endpoint: number }) {
  const { t } = useTranslation('webhooks')
  const [last, setLast] = useState<number | undefined>()
  const page = useAnswer(calls.log, { _id: endpoint, ...(last !== undefined && { last }) })
  const replay = useCall(calls.replay, { done: 'webhooks:replayed' })
  if (!page.data) return page.isError ? <Failed error={page.error} retry={page.refetch} /> : <Placeholders rows={4} />
  const { deliveries, more } = page.data
  return (
    <Stack gap="sm">
      <DataTable
        columns={[
          {
            id: 'event',
            header: t('logColumn.event'),
            render: ({ kind, at, key }) => (
              <>
                <strong>{isKind(kind) ? t(`kind.${kind}`) : kind}</strong>
                <Text size="xs" c="dimmed">
                  {momentOf(at)}
                </Text>
                <Text size="xs" c="dimmed" translate="no" style={{ overflowWrap: 'anywhere' }}>
                  {key}
                </Text>
              </>
            ),
            area: 'event',
          },
          {
            id: 'outcome',
            header: t('logColumn.outcome'),
            render: delivery => <Outcome delivery={delivery} />,
            area: 'outcome',
          },
          {
            id: 'replay',
            header: '',
            render: ({ _id, key, state }) =>
              state !== 'waiting' && (
                <Button
                  variant="subtle"
                  size="compact-md"
                  aria-label={t('replayNamed', { key })}
                  loading={replay.isPending && replay.variables._id === _id}
                  onClick={() => replay.mutate({ _id })}
                >
                  {t('replay')}
                </Button>
              ),
            align: 'end',
            area: 'replay',
          },
        ]}
        rows={deliveries}
        keyOf={({ _id }) => _id}
        empty={t('logEmpty')}
        phone={{ areas: ['event', 'outcome', 'replay'], columns: 'minmax(0, 1fr)' }}
        frame
      />
      {more && (
        <Group justify="flex-end">
          <Button variant="default" onClick={() => setLast(deliveries.at(-1)?._id)}>
            {t('older')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function Outcome({ delivery: { state, due, status, answer, problem, tries } }: { delivery: WebhookDelivery }) {
  const { t } = useTranslation('webhooks')
  return (
    <>
      <Text size="sm" c={state === 'delivered' ? 'teal' : state === 'givenUp' ? 'red' : 'dimmed'}>
        {state === 'waiting' ? t('delivery.waiting', { due: momentOf(due ?? '') }) : t(`delivery.${state}`, { status })}
      </Text>
      <Text size="xs" c="dimmed">
        {[
          t('tries', { count: tries }),
          problem !== '' ? t(`problem.${problem}`) : state === 'delivered' || status === null ? '' : String(status),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {answer !== '' && (
        <Code block translate="no" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {answer}
        </Code>
      )}
    </>
  )
}
