/** Whether a webhook endpoint accepts its deliveries. */
import { Text } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import type { WebhookEndpoint } from '#contract/webhooks.ts'
import { formatMinute } from '../shared/format.ts'

const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
const momentOf = (moment: string): string => formatMinute(moment, timeZone)

type StateProps = { endpoint: Pick<WebhookEndpoint, 'enabled' | 'failing' | 'disabled' | 'waiting'> }

export function State({ endpoint: { enabled, failing, disabled, waiting } }: StateProps) {
  const { t } = useTranslation('webhooks')
  return (
    <>
      {enabled && failing === null ? (
        <Text size="sm" c="teal">
          {t('state.on')}
        </Text>
      ) : enabled && failing !== null ? (
        <Text size="sm" c="red">
          {t('state.failing', { since: momentOf(failing) })}
        </Text>
      ) : disabled === null ? (
        <Text size="sm" c="dimmed">
          {t('state.off')}
        </Text>
      ) : (
        <Text size="sm" c="red">
          {t('state.disabled', { since: momentOf(disabled) })}
        </Text>
      )}
      {waiting > 0 && (
        <Text size="xs" c="dimmed">
          {t('waiting', { count: waiting })}
        </Text>
      )}
    </>
  )
}
