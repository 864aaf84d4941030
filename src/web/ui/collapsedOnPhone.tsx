/** Controls shown in place on a desk, and on a phone behind one button, in a sheet from below. */
import { ActionIcon, Button, Drawer, Stack } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from './texts.ts'
import classes from './collapsedOnPhone.module.css'
import { usePhone } from './usePhone.ts'

type CollapsedOnPhoneProps = {
  /** The name of the button and of the sheet. */
  label: string
  icon: ReactNode
  /** How many of the controls are set; the button says it. */
  count?: number
  /** The sheet closes when one is pressed: they are actions, not choices. */
  closes?: boolean
  children: ReactNode
}

export function CollapsedOnPhone(props: CollapsedOnPhoneProps) {
  const phone = usePhone()
  return phone ? <Sheet {...props} /> : props.children
}

/** A button, and the controls behind it in a sheet from below. */
export function Sheet({ label, icon, count = 0, closes = false, children }: CollapsedOnPhoneProps) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  const [chosen, setChosen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const controls = useRef<HTMLDivElement>(null)

  /** The focus is on nothing, or on an element that closes with the sheet. */
  const isFocusLost = () =>
    document.activeElement === document.body || controls.current?.contains(document.activeElement) === true

  function closeAfter({ target }: { target: EventTarget }) {
    if (!(target instanceof Element) || target.closest('button, a') === null) return
    setChosen(true)
    setOpened(false)
  }
  return (
    <>
      <ActionIcon
        ref={button}
        variant="default"
        size={44}
        aria-label={count > 0 ? `${label} (${count})` : label}
        aria-haspopup="dialog"
        className={classes.button ?? ''}
        data-count={count > 0 ? count : undefined}
        onClick={() => {
          setChosen(false)
          setOpened(true)
        }}
      >
        {icon}
      </ActionIcon>
      <Drawer
        opened={opened}
        onClose={() => setOpened(false)}
        position="bottom"
        size="auto"
        title={label}
        // a dialog that an action opens takes the focus; without one it comes back here
        returnFocus={!chosen}
        onExitTransitionEnd={() => isFocusLost() && button.current?.focus()}
        classNames={{ content: classes.content ?? '', body: classes.body ?? '' }}
      >
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- listens for its buttons, which handle keys */}
        <div ref={controls} onClick={closes ? closeAfter : undefined}>
          <Stack gap="sm" className={classes.controls ?? ''}>
            {children}
          </Stack>
        </div>
        {!closes && (
          <Button fullWidth mt="md" onClick={() => setOpened(false)}>
            {t('done')}
          </Button>
        )}
      </Drawer>
    </>
  )
}
