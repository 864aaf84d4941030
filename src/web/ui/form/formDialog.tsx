import { Modal, type ModalProps } from '@mantine/core'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../texts.ts'
import { confirmFirst, useQuestionOpen } from '../confirm.tsx'
import { usePhone } from '../usePhone.ts'

/** What the form in a dialog needs of it. */
export type DialogControls = {
  /** Says whether anything was typed that would be lost. */
  setDirty: (dirty: boolean) => void
  /** Closes, after a question when something was typed. */
  cancel: () => void
  /** Closes: what was typed is saved. */
  close: () => void
}

type FormDialogProps = Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'size' | 'fullScreen'> & {
  /** More than about four fields: it has the whole screen of a phone. */
  long?: boolean
  /** What is lost when the dialog is closed over something typed. */
  lost: string
  /** Other words for that question. */
  question?: { title: string; confirm: string; keep: string }
  children: (dialog: DialogControls) => ReactNode
}

/**
 * Puts the focus on the first field of what came after its dialog, unless somebody has put it on another one. A dialog
 * looks for that field when it opens, and then there was none. Stands beside what suspends.
 */
export function FocusWhenLoaded() {
  const mark = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const dialog = mark.current?.closest('[role="dialog"]')
    const elsewhere = document.activeElement?.matches('input, textarea, select')
    if (!elsewhere) dialog?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
  }, [])
  return <span ref={mark} hidden />
}

/** A value that can be read before the next rendering: an Escape may follow a letter at once. */
function flag() {
  let value = false
  return { set: (now: boolean) => void (value = now), get: () => value }
}

/**
 * A dialog with a form. A click beside it, Escape, the cross and Cancel throw nothing away without asking.
 * While any question stands above it, Escape is an answer to that one.
 */
export function FormDialog({
  onClose,
  lost,
  question,
  long = false,
  fullScreen = false,
  children,
  ...dialog
}: FormDialogProps) {
  const { t } = useTranslation()
  const [dirty, setDirty] = useState(false)
  const [latest] = useState(flag)
  const note = useCallback(
    (now: boolean) => {
      latest.set(now)
      setDirty(now)
    },
    [latest],
  )
  const asking = useQuestionOpen()
  const phone = usePhone()
  function close() {
    note(false)
    onClose()
  }
  async function cancel() {
    if (asking) return
    const sure =
      !latest.get() ||
      (await confirmFirst({
        title: question?.title ?? t('unsaved.question'),
        text: lost,
        confirm: question?.confirm ?? t('unsaved.leave'),
        keep: question?.keep ?? t('unsaved.stay'),
        danger: true,
      }))
    if (sure) close()
  }
  return (
    <Modal
      {...dialog}
      fullScreen={fullScreen || (long && phone)}
      onClose={() => void cancel()}
      closeOnClickOutside={!dirty}
      closeOnEscape={!asking}
      // A closed dialog would take the focus back to its opener after every question that is answered elsewhere.
      trapFocus={!asking || !dialog.opened}
    >
      {children({ setDirty: note, cancel: () => void cancel(), close })}
    </Modal>
  )
}
