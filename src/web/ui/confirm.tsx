/** A question before something that can't be taken back (docs/product/calls.md "Messages"). */
import { Button, Group, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from './texts.ts'
import classes from './confirm.module.css'
import { toastMs } from './notify.ts'
import { useWhenGone } from './hooks.ts'
import { useCountdown } from './useCountdown.ts'
import { uuid } from './uuid.ts'

type Question = {
  title: string
  /** The subject, where the title doesn't name it. */
  about?: ReactNode
  text?: ReactNode
  /** The verb on the confirm button. */
  confirm: string
  danger?: boolean
  /** The label of the other button, where 'Cancel' would read as the action itself. */
  keep?: string
}

/** A question as a device without a pointer answers it: a scanner, whose keys press no button. */
type ScannedQuestion = {
  /** Closes the question without an answer; the caller says where it is asked again. */
  putOff(): void
  /** The button that does not go ahead. */
  goBack(): void
  /** Presses the confirm button; `null` while a choice is missing. */
  answer: (() => void) | null
}
let scanned: ScannedQuestion | null = null
/** The question that scans answer or put off, if one is open. */
export const questionOfScans = (): ScannedQuestion | null => scanned

let asking = false
let isOnTop = false
const listeners = new Set<() => void>()
function setAsking(now: boolean) {
  asking = now
  const notify = () => {
    isOnTop = asking
    for (const listener of listeners) listener()
  }
  // The Escape that answers a question is over before a dialog beneath it listens to that key again.
  if (now) notify()
  else setTimeout(notify)
}

const snapshot = () => isOnTop

/** Whether a question is open above everything else. */
export const useQuestionOpen = (): boolean =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    snapshot,
    snapshot,
  )

/**
 * Asks, and answers whether to go ahead. Without any answer it closes after 7.5 s as a no; a thin line shows the time. A pointer
 * inside, a key of a person or a move of the focus stops the clock (WCAG 2.2.1); keys of a scanner don't. While a question is
 * open the answer to any other is no: the second click of a double click asks nothing and goes ahead with nothing.
 */
export const confirmFirst = (question: Question): Promise<boolean> =>
  askCustom<boolean>({
    title: question.title,
    size: 'sm',
    no: false,
    render: close => <Choice {...question} close={close} />,
    bare: !question.text && !question.about,
  })

type CustomQuestion<T> = {
  title: string
  size: string
  /** The answer given by Escape, the cross, a click outside the question and its timeout. */
  no: T
  /** Renders the question, and closes it with an answer. */
  render: (close: (reply: T) => void) => ReactNode
  /** Whether a button is the first thing below the title, whose ring must not be cut off. */
  bare?: boolean
  /** Scans answer it (`useScannedAnswer`), or put it off, which closes it as `no` after this. */
  onPutOff?: () => void
}

/** Asks with a face of its own, under the rules of `confirmFirst`. */
export function askCustom<T>({
  title,
  size,
  no: dismissValue,
  render,
  bare = false,
  onPutOff,
}: CustomQuestion<T>): Promise<T> {
  if (asking) return Promise.resolve(dismissValue)
  setAsking(true)
  return new Promise<T>(resolve => {
    let answered = false
    const answer = (reply: T) => {
      // A closed dialog says no once more, perhaps when the next question is open already.
      if (answered) return
      answered = true
      scanned = null
      setAsking(false)
      resolve(reply)
    }
    const modalId = uuid()
    const close = (reply: T) => {
      answer(reply)
      modals.close(modalId)
    }
    const goBack = () => close(dismissValue)
    scanned = onPutOff
      ? {
          putOff() {
            onPutOff()
            goBack()
          },
          goBack,
          answer: null,
        }
      : null
    modals.open({
      modalId,
      title: <Title text={title} />,
      size,
      onClose: () => answer(dismissValue),
      children: (
        <Timed close={goBack} bare={bare}>
          {render(close)}
        </Timed>
      ),
    })
  })
}

/** Answers the open question when the confirm command is scanned, while this component is mounted; `null`: no answer yet. */
export function useScannedAnswer(answer: (() => void) | null): void {
  useEffect(() => {
    if (scanned) scanned.answer = answer
  })
}

const keysOfScanners = new Set(['Shift', 'Alt', 'AltGraph', 'Control', 'CapsLock', 'Unidentified', 'Dead', 'Process'])
/** The keys of a person at a question. Of those that make characters only the ones that go into a field are: a scanner types them anywhere. */
const isOfPerson = ({ key, target }: KeyboardEvent): boolean =>
  key === ' ' ||
  (key.length > 1 && !keysOfScanners.has(key)) ||
  (target instanceof Element && target.matches('textarea, input:not([type="checkbox"], [type="radio"])'))

/** The title of a question: a plate in it stays on one line. */
function Title({ text }: { text: string }) {
  return text.split(' ').flatMap((word, nth) => [
    nth > 0 && ' ',
    /\d/.test(word) && word.includes('-') ? (
      <span key={nth} className={classes.whole}>
        {word}
      </span>
    ) : (
      word
    ),
  ])
}

/** Closes a question when its time is over. */
function Timed({ close, bare, children }: { close: () => void; bare: boolean; children: ReactNode }) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const [hovered, setHovered] = useState(false)
  const [touched, setTouched] = useState(false)
  const paused = hovered || touched
  useCountdown({ ms: toastMs, paused, end: close })

  // Taken away with its screen, as by an expired session, it is a no: a question without an answer would refuse all others.
  useWhenGone(close)

  useEffect(() => {
    const dialog = box.current?.closest('[role="dialog"]')
    if (!dialog) return
    const touch = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || isOfPerson(event)) setTouched(true)
    }
    const enter = () => setHovered(true)
    const leave = () => setHovered(false)
    dialog.addEventListener('keydown', touch)
    dialog.addEventListener('pointerdown', touch)
    dialog.addEventListener('pointermove', enter)
    dialog.addEventListener('pointerleave', leave)
    return () => {
      dialog.removeEventListener('keydown', touch)
      dialog.removeEventListener('pointerdown', touch)
      dialog.removeEventListener('pointermove', enter)
      dialog.removeEventListener('pointerleave', leave)
    }
  }, [])

  return (
    <Stack gap="md" pt={bare ? 'xs' : 0} ref={box}>
      {children}
      {/* a thin line, and its text for screen readers and for who stops at it with the keyboard */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it shows its text */}
      <p className={classes.closing} tabIndex={0}>
        <span>{t('confirmClosing')}</span>
      </p>
      <div className={classes.clock} data-paused={paused || undefined} aria-hidden />
    </Stack>
  )
}

function Choice({ about, text, confirm, danger = false, keep, close }: Question & { close: (yes: boolean) => void }) {
  const { t } = useTranslation()
  return (
    <>
      {about}
      {text && <Text size="sm">{text}</Text>}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => close(false)} data-autofocus>
          {keep ?? t('cancel')}
        </Button>
        <Button {...(danger && { color: 'red' })} onClick={() => close(true)}>
          {confirm}
        </Button>
      </Group>
    </>
  )
}
