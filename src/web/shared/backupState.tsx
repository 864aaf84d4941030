/** How old the latest backup is, for whoever runs the portal or a site of it. */
import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { backups } from '#contract/backups.ts'
import { useAnswer } from './api.ts'
import { deviceTimeZone, formatMoment } from './format.ts'
import { useWho } from './session.ts'

const nothing = {}

/** Says nothing until it is known; an administrator whose operator takes backups in another way need not know of these. */
export function BackupState() {
  const { t } = useTranslation('common')
  const superuser = useWho().type === 'superuser'
  const { data } = useAnswer(backups.latest, nothing)
  if (!data || (!data.on && !superuser)) return null
  const at = data.latest && formatMoment(data.latest, deviceTimeZone()).slice(0, -3)
  if (!data.on || (!data.late && data.problem === ''))
    return (
      <Text size="sm" c="dimmed">
        {!data.on ? t('backup.off') : at ? t('backup.latest', { at }) : t('backup.first')}
      </Text>
    )
  return (
    <Alert color={data.late ? 'red' : 'yellow'} icon={<IconAlertTriangle aria-hidden />} role="status">
      <Text size="sm">
        {at ? t(data.late ? 'backup.late' : 'backup.latest', { at }) : t(data.late ? 'backup.never' : 'backup.first')}
      </Text>
      {superuser && data.problem !== '' && (
        <Text size="sm" mt={4}>
          {data.problem}
        </Text>
      )}
    </Alert>
  )
}
