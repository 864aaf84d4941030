import { Modal, type ModalProps } from '@mantine/core'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { confirmFirst, useAsking } from './confirm.tsx'

/** What the form in a dialog holds. */
export type FormInDialog = {
  /** Says whether anything was typed that would be lost. */
  entered: (entered: boolean) => void
  /** Closes, after a question when something was typed: for Cancel. */
  leave: () => void
  /** Closes: what was typed is kept now. */
  done: () => void
}

type FormDialogProps = Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'size' | 'fullScreen'> & {
  /** What is lost when it is left. */
  lost: string
  children: (dialog: FormInDialog) => ReactNode
}

/** What is so at this moment: an Escape right after a letter comes before the next rendering. */
function flag() {
  let now = false
  return { say: (so: boolean) => void (now = so), said: () => now }
}

/**
 * A dialog in which something is typed. A click beside it, Escape, the cross and Cancel throw nothing away without asking.
 * While any question stands above it, Escape is an answer to that one.
 */
export function FormDialog({ onClose, lost, children, ...dialog }: FormDialogProps) {
  const { t } = useTranslation()
  const [entered, setEntered] = useState(false)
  const [holds] = useState(flag)
  const tell = useCallback(
    (now: boolean) => {
      holds.say(now)
      setEntered(now)
    },
    [holds],
  )
  const asking = useAsking()
  function done() {
    tell(false)
    onClose()
  }
  async function leave() {
    if (asking) return
    const sure =
      !holds.said() ||
      (await confirmFirst({
        title: t('unsaved.question'),
        text: lost,
        confirm: t('unsaved.leave'),
        keep: t('unsaved.stay'),
        danger: true,
      }))
    if (sure) done()
  }
  return (
    <Modal
      {...dialog}
      onClose={() => void leave()}
      closeOnClickOutside={!entered}
      closeOnEscape={!asking}
      // one that is closed would take the focus back to where it was opened, after every question that is answered elsewhere
      trapFocus={!asking || !dialog.opened}
    >
      {children({ entered: tell, leave: () => void leave(), done })}
    </Modal>
  )
}

/** Tells the dialog around a form whether something was typed. `tell` is the dialog's `entered`, where there is a dialog. */
export function useEntered(entered: boolean, tell: ((entered: boolean) => void) | undefined): void {
  useEffect(() => tell?.(entered), [entered, tell])
}
