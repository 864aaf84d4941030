/** How far an invoice is on its way to the access point, and to send it again (docs/product/money.md "Invoices"). */
import { Badge, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useTranslation } from '../../ui/texts.ts'
import { type Invoice, invoices as calls } from '#contract/invoices.ts'
import { useCall } from '../../shared/api.ts'
import { formatMinute } from '../../shared/format.ts'
import { useSite } from '../../shared/session.ts'
import classes from '../invoicing.module.css'

const colors = { none: 'gray', waiting: 'yellow', sent: 'green', refused: 'red' } as const

const stateOf = ({ sending }: Pick<Invoice, 'sending'>) => sending?.state ?? 'none'

/** The state of an invoice; a click says more of it. */
export function SendingBadge({ invoice, onClick }: { invoice: Invoice; onClick: () => void }) {
  const { t } = useTranslation('invoices')
  const state = stateOf(invoice)
  return (
    <Badge
      component="button"
      type="button"
      className={classes.sending}
      color={colors[state]}
      size="sm"
      aria-label={`Peppol: ${t(`sending.state.${state}`)}, ${invoice.number}`}
      onClick={onClick}
    >
      {`Peppol: ${t(`sending.state.${state}`)}`}
    </Badge>
  )
}

/** `maySend`: there is an access point, and the site uses it. */
export function SendingDialog({
  invoice,
  maySend,
  onClose,
}: {
  invoice: Invoice
  maySend: boolean
  onClose: () => void
}) {
  const { t } = useTranslation(['invoices', 'common'])
  const send = useCall(calls.send, { done: () => t('sending.done', { number: invoice.number }) })
  const { sending } = invoice
  const { time_zone } = useSite()
  const state = stateOf(invoice)
  const again = t(state === 'none' ? 'sending.send' : 'sending.again')
  const lines = [
    t(`sending.text.${state}`),
    sending?.problem && t(`sending.problem.${sending.problem}`, { status: sending.status, rules: sending.answer }),
    sending?.tried && t('sending.tried', { count: sending.tries, at: formatMinute(sending.tried, time_zone) }),
  ]
  return (
    <Modal opened onClose={onClose} title={t('sending.title', { number: invoice.number })}>
      <Stack gap="sm">
        {lines.filter(Boolean).map(line => (
          <Text key={line} size="sm">
            {line}
          </Text>
        ))}
        {sending && sending.status !== null && sending.answer !== '' && (
          <div>
            <Text size="sm" fw={600}>
              {t('sending.answer')}
            </Text>
            <Text size="sm" className={classes.answer}>
              {sending.answer}
            </Text>
          </div>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('common:close')}
          </Button>
          {maySend && state !== 'sent' && (
            <Button
              leftSection={<IconSend size={18} aria-hidden />}
              loading={send.isPending}
              onClick={() => send.mutate({ _id: invoice._id }, { onSuccess: onClose })}
            >
              {again}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
