/** The state of sending scans: the timer, the waiting ones, and any problem. */
import { Alert, Button, Group, Text } from '@mantine/core'
import { IconCloudOff, IconDeviceFloppy, IconLock, IconSend, type TablerIcon } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { signInAgain } from '../shared/signInAgain.tsx'
import type { IntakeWork } from './intakeWork.ts'
import classes from './intake.module.css'
import type { SendProblem } from '../scanning/sending.ts'
import { sendIntervalS } from '../scanning/scanSender.ts'

const signs = {
  offline: IconCloudOff,
  signed_out: IconLock,
  other_account: IconLock,
  failed: IconCloudOff,
} as const satisfies Record<SendProblem, TablerIcon>

/** Ready to scan, the waiting scans with the timer, and 'Send now'. Of constant height, so that nothing shifts. */
export function SendState({ work }: { work: IntakeWork }) {
  const { t } = useTranslation('intake')
  const { queue, state, sender } = work
  const seconds = useSyncExternalStore(sender.subscribe, sender.seconds, sender.seconds)
  const waits = state.waiting.length
  return (
    <div className={classes.sending}>
      <span className={classes.state}>
        <span className={classes.ready}>
          <span className={classes.lamp} data-waits={waits > 0 || undefined} aria-hidden />
          {t('ready')}
        </span>
        <Text size="sm" c="dimmed">
          {waits > 0 ? t('waits', { count: waits }) : t(state.loaded ? 'allSent' : 'loading')}
        </Text>
      </span>
      <span className={classes.timer} role="timer" aria-label={t('timer', { seconds, cycle: sendIntervalS })}>
        <progress className={classes.timerBar} value={seconds} max={sendIntervalS} aria-hidden />
        <span aria-hidden>{t('seconds', { seconds })}</span>
      </span>
      <Button
        size="compact-sm"
        variant="default"
        className={classes.sendNow}
        leftSection={<IconSend size={16} aria-hidden />}
        disabled={waits === 0}
        loading={state.sending && waits > 0}
        onClick={() => void queue.send()}
      >
        {t('sendNow')}
      </Button>
    </div>
  )
}

/** Why scans are not sent yet, with the action that helps. */
export function SendProblems({ work }: { work: IntakeWork }) {
  const { t } = useTranslation(['intake', 'common'])
  const { state } = work
  const { problem } = state
  async function signIn() {
    if (!(await signInAgain())) return
    void work.queue.send()
    void work.retry()
  }
  const Sign = problem && signs[problem]
  return (
    <div aria-live="polite">
      {problem && Sign && (
        <Alert color="yellow" icon={<Sign aria-hidden />} title={t(`trouble.${problem}`)} mb="sm">
          <Group gap="sm" justify="space-between">
            <Text size="sm">{t('kept', { count: state.waiting.length })}</Text>
            {problem === 'signed_out' && (
              <Button size="compact-sm" onClick={() => void signIn()}>
                {t('common:signIn.again')}
              </Button>
            )}
          </Group>
        </Alert>
      )}
      {state.notPersisted && (
        <Alert color="red" icon={<IconDeviceFloppy aria-hidden />} title={t('unkept')} mb="sm">
          {t('unkeptText')}
        </Alert>
      )}
    </div>
  )
}
