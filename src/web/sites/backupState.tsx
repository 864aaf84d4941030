/** The age of the latest backup, for operators and administrators: a warning above all else, the plain age below it. */
import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { backups } from '#contract/backups.ts'
import { useAnswer } from '../shared/api.ts'
import { deviceTimeZone, formatMinute } from '../shared/format.ts'
import { useWho } from '../shared/session.ts'

/** The latest backup, and whether there is a problem. Hidden from administrators whose operator takes backups in another way. */
export function useBackups() {
  const superuser = useWho().type === 'superuser'
  const { data, isPending } = useAnswer(backups.latest, {})
  const backup = data && (data.on || superuser) ? data : undefined
  return {
    isPending,
    backup,
    wrong: backup !== undefined && (!backup.on || backup.late || backup.problem !== ''),
    at: backup?.latest ? formatMinute(backup.latest, deviceTimeZone()) : '',
  }
}

/** A warning about backups that are off, late or failed, above the rest of the screen. */
export function BackupAlert() {
  const { t } = useTranslation('common')
  const { backup, wrong, at } = useBackups()
  if (!backup || !wrong) return null
  const { on, late, problem } = backup
  return (
    <Alert color={late ? 'red' : 'yellow'} icon={<IconAlertTriangle aria-hidden />} role="status">
      <Text size="sm">
        {!on
          ? t('backup.off')
          : at
            ? t(late ? 'backup.late' : 'backup.latest', { at })
            : t(late ? 'backup.never' : 'backup.first')}
      </Text>
      {problem !== '' && (
        <Text size="sm" mt={4}>
          {problem}
        </Text>
      )}
    </Alert>
  )
}

/** The time of the latest backup when nothing is wrong, below the rest of the screen. */
export function LatestBackup() {
  const { t } = useTranslation('common')
  const { backup, wrong, at } = useBackups()
  if (!backup || wrong) return null
  return (
    <Text size="sm" c="dimmed">
      {at ? t('backup.latest', { at }) : t('backup.first')}
    </Text>
  )
}
