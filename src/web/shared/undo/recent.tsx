/** The recent actions, each with 'Undo' or the reason why it can't be undone (docs/product/screens.md "Taking back"). */
import { Button, Drawer, Text } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { usePhone } from '../../ui/usePhone.ts'
import { formatMinute } from '../format.ts'
import { Empty } from '../screen.tsx'
import { isFullConfig, useBranding, useWho } from '../session.ts'
import { textOf } from './actions.ts'
import { type Done, useDone } from './history.ts'
import classes from './recent.module.css'
import { takeBack } from './undo.ts'

const deviceZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

export function Recent({ close }: { close: () => void }) {
  const { t } = useTranslation('undo')
  const { username } = useWho()
  const done = useDone(username)
  return (
    <Drawer opened onClose={close} title={t('title')} position="right" size={usePhone() ? '100%' : 'sm'}>
      {done.length === 0 ? (
        <Empty text={t('empty')} />
      ) : (
        <>
          <Text size="sm" c="dimmed" mb="sm">
            {t('text')}
          </Text>
          <ol className={classes.list} aria-label={t('list')}>
            {done.map(action => (
              <Entry key={action.id} action={action} owner={username} />
            ))}
          </ol>
        </>
      )}
    </Drawer>
  )
}

function Entry({ action, owner }: { action: Done; owner: string }) {
  const { t } = useTranslation('undo')
  const site = useBranding()
  const [busy, setBusy] = useState(false)
  const { id, at, state, why } = action
  const what = textOf(action) ?? t('unknown')
  const time = new Date(at)
  // a superuser has no site, and so the device's zone
  const zone = isFullConfig(site) ? site.time_zone : deviceZone
  async function undo() {
    setBusy(true)
    await takeBack(owner, id)
    setBusy(false)
  }
  return (
    <li className={classes.entry} data-done={state}>
      <div>
        <Text size="sm">{what}</Text>
        <Text size="xs" c="dimmed">
          <time dateTime={time.toISOString()}>{formatMinute(time.toISOString(), zone)}</time>
          {state === 'undone' && ` · ${t('undone')}`}
        </Text>
        {state === 'refused' && why !== undefined && (
          <Text size="xs" c="var(--mantine-color-error)">
            {t('cannot', { why })}
          </Text>
        )}
      </div>
      {state === 'open' && (
        <Button
          variant="default"
          size="compact-sm"
          loading={busy}
          leftSection={<IconArrowBackUp size={16} aria-hidden />}
          aria-label={t('undoThis', { what })}
          onClick={() => void undo()}
        >
          {t('undo')}
        </Button>
      )}
    </li>
  )
}
