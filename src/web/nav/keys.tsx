/** Single-key shortcuts on screens without scans (docs/product/screens.md "Find"): a scanner types, and its keys must do nothing here. */
import { Kbd, Modal, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { isHotel } from '#domain/site.ts'
import { useSite } from '../shared/session.ts'
import { useLatest } from '../ui/hooks.ts'
import classes from './shell.module.css'

/** A key counts when no other one came for so many milliseconds. */
const restMs = 300

/** The filter of the list that is shown. */
const listFilter = () => document.querySelector<HTMLInputElement>('main input[type="search"]')

export function SingleKeys() {
  const { mode } = useSite()
  const navigate = useNavigate()
  const [shown, setShown] = useState(false)
  const act = useLatest((key: string): boolean => {
    if (key === '?') setShown(true)
    else if (key === '/') listFilter()?.focus()
    else if (key === 'n' && isHotel(mode)) void navigate({ to: '/wizard/step1' })
    else return false
    return true
  })
  useEffect(() => {
    let last = Number.NEGATIVE_INFINITY
    const press = (event: KeyboardEvent) => {
      const alone = event.timeStamp - last >= restMs
      last = event.timeStamp
      const typing =
        event.target instanceof HTMLElement &&
        event.target.closest('input, textarea, select, [role="dialog"], [role="menu"]')
      if (!alone || typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
      if (act.current(event.key)) event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [act])
  return shown && <Keys close={() => setShown(false)} />
}

function Keys({ close }: { close: () => void }) {
  const { t } = useTranslation('find')
  const { mode } = useSite()
  const keys = [
    ['Ctrl K', t('keys.find')],
    ['/', t('keys.filter')],
    ...(isHotel(mode) ? [['n', t('keys.new')]] : []),
    ['?', t('keys.keys')],
  ]
  return (
    <Modal opened onClose={close} title={t('keys.title')}>
      <Stack gap="sm">
        <dl className={classes.keys}>
          {keys.map(([key, what]) => (
            <div key={key}>
              <dt>
                <Kbd>{key}</Kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <Text size="sm" c="dimmed">
          {t('keys.off')}
        </Text>
      </Stack>
    </Modal>
  )
}
