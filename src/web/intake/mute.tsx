import { ActionIcon, Tooltip } from '@mantine/core'
import { IconVolume, IconVolumeOff } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import type { IntakeWork } from './intakeWork.ts'
import { play } from '../scanning/sounds.ts'

/** Switches sounds on or off; plays one when switched on. */
export function Mute({ work: { muted, setMuted } }: { work: Pick<IntakeWork, 'muted' | 'setMuted'> }) {
  const { t } = useTranslation('intake')
  return (
    <Tooltip label={t(muted ? 'soundOff' : 'soundOn')}>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('sounds')}
        aria-pressed={!muted}
        onClick={() => {
          setMuted(!muted)
          if (muted) play('found')
        }}
      >
        {muted ? <IconVolumeOff size={18} aria-hidden /> : <IconVolume size={18} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  )
}
