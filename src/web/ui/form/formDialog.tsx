import { Modal, type ModalProps } from '@mantine/core'
import { useBlocker, useRouter } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../texts.ts'
import { confirmFirst, useQuestionOpen } from '../confirm.tsx'
import { usePhone } from '../usePhone.ts'
import { type Closing, type Loss, onClosing } from './loss.ts'

/** The controls of a dialog that its form uses. */
export type DialogControls = {
  /** Names the input that would be lost. */
  setLoss: (loss: Loss) => void
  /** Closes by its button, after a question when much was typed. */
  cancel: () => void
  /** Closes the dialog after saving. */
  close: () => void
}

type FormDialogProps = Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'size' | 'fullScreen'> & {
  /** More than about four fields: it has the whole screen of a phone. */
  long?: boolean
  /** Names the input that is lost when the dialog is closed over it. */
  lost: string
  /** Other words for that question. */
  question?: { title: string; confirm: string; keep: string }
  children: (dialog: DialogControls) => ReactNode
}

/**
 * Focuses the first field of content that loads after its dialog, unless the user has focused another one. A dialog looks for that field when it
 * opens, before it exists. Render it beside the content that suspends.
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
function latestLoss() {
  let value: Loss = 'nothing'
  return { set: (now: Loss) => void (value = now), get: () => value }
}

/** Asks before the browser's Back or Forward takes the screen away beneath a dialog. A form that leaves the screen itself has saved. */
function BackGuard({ asks, leave }: { asks: boolean; leave: () => Promise<boolean> }) {
  useBlocker({
    disabled: !asks,
    enableBeforeUnload: false,
    shouldBlockFn: async ({ action }) => action !== 'PUSH' && action !== 'REPLACE' && !(await leave()),
  })
  return null
}

/**
 * A dialog with a form. It asks before much is lost (`onClosing`). While any question stands above it, Escape is an answer to that one.
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
  const [loss, setLoss] = useState<Loss>('nothing')
  const [latest] = useState(latestLoss)
  const note = useCallback(
    (now: Loss) => {
      latest.set(now)
      setLoss(now)
    },
    [latest],
  )
  const asking = useQuestionOpen()
  const phone = usePhone()
  // questions stand outside of the router
  const router = useRouter({ warn: false }) as object | undefined
  function close() {
    note('nothing')
    onClose()
  }
  /** Whether it closes. */
  async function leave(closing: Closing): Promise<boolean> {
    if (asking) return false
    const sure =
      onClosing(closing, latest.get()) === 'closes' ||
      (await confirmFirst({
        title: question?.title ?? t('unsaved.question'),
        text: lost,
        confirm: question?.confirm ?? t('unsaved.leave'),
        keep: question?.keep ?? t('unsaved.stay'),
        danger: true,
      }))
    if (sure) close()
    return sure
  }
  return (
    <Modal
      {...dialog}
      fullScreen={fullScreen || (long && phone)}
      onClose={() => void leave('dismiss')}
      closeOnClickOutside={onClosing('outside', loss) === 'closes'}
      closeOnEscape={!asking}
      // A closed dialog would take the focus back to its opener after every question that is answered elsewhere.
      trapFocus={!asking || !dialog.opened}
    >
      {router && <BackGuard asks={onClosing('dismiss', loss) === 'asks'} leave={() => leave('dismiss')} />}
      {children({ setLoss: note, cancel: () => void leave('cancel'), close })}
    </Modal>
  )
}
