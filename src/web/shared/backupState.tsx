/** How old the latest backup is, for whoever runs the portal or a site of it: what is wrong above all else, what is well below it. */
import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { backups } from '#contract/backups.ts'
import { useAnswer } from './api.ts'
import { deviceTimeZone, formatMinute } from './format.ts'
import { useWho } from './session.ts'

const nothing = {}

/** The latest backup, and whether something is wrong with them. An administrator whose operator takes backups in another way need not know of these. */
export function useBackups() {
  const superuser = useWho().type === 'superuser'
  const { data, isPending } = useAnswer(backups.latest, nothing)
  const known = data && (data.on || superuser) ? data : undefined
  return {
    isPending,
    known,
    wrong: known !== undefined && (!known.on || known.late || known.problem !== ''),
    at: known?.latest ? formatMinute(known.latest, deviceTimeZone()) : '',
  }
}

/** Backups that are off, late or failed. Stands above what else the screen shows. */
export function BackupAlert() {
  const { t } = useTranslation('common')
  const { known, wrong, at } = useBackups()
  if (!known || !wrong) return null
  const { on, late, problem } = known
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

/** When the latest backup was taken, where nothing is wrong. Stands below what else the screen shows. */
export function LatestBackup() {
  const { t } = useTranslation('common')
  const { known, wrong, at } = useBackups()
  if (!known || wrong) return null
  return (
    <Text size="sm" c="dimmed">
      {at ? t('backup.latest', { at }) : t('backup.first')}
    </Text>
  )
}
