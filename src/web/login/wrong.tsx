import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { messageOf, Refused } from '../shared/api.ts'

/** The server's message, or the general one; below it the code, when there is one. */
export function Wrong({ error }: { error: unknown }) {
  const { t } = useTranslation()
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
      <Text size="sm">{messageOf(error)}</Text>
      {error instanceof Refused && error.status > 0 && (
        <Text size="xs" mt={4}>
          {t('errorCode', { code: error.code })}
        </Text>
      )}
    </Alert>
  )
}
