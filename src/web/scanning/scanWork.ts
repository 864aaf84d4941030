/** The scans of a screen that the server answers one by one: waves and the gate. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Answer, Call, RawInput } from '#contract/call.ts'
import type { Label } from '#domain/warehouse/barcode.ts'
import { maxTypedLength } from '#domain/warehouse/card.ts'
import { ask, messageOf, Refused } from '../shared/api.ts'
import { useRemembered } from '../shared/hooks.ts'
import { useLatest } from '../ui/hooks.ts'
import { useTranslation } from '../ui/texts.ts'
import { uuid } from '../ui/uuid.ts'
import type { ScanMessage } from './scanMessage.tsx'
import { scanFeed } from './scanFeed.ts'
import { play } from './sounds.ts'

export type Spoken = Omit<ScanMessage, 'id'>

/**
 * Listens for scans and passes labels on one after the other, each when the previous one is answered; a scan that is not one of our labels is
 * announced with its text. The result of `handle` is announced, and so is its failure. `run` does the same for a button, and `attempt` for a dialog:
 * it rejects after announcing a failure, so that the dialog stays open.
 */
export function useScanWork(handle: (label: Label) => Promise<Spoken>) {
  const { t } = useTranslation('intake')
  const [message, setMessage] = useState<ScanMessage | null>(null)
  const [muted] = useRemembered('intakeMuted', false)
  const pending = useRef(Promise.resolve())
  const work = useLatest(async (doing: () => Promise<Spoken>) => {
    const say = (spoken: Spoken) => {
      if (!muted) play(spoken.sound)
      setMessage({ id: uuid(), ...spoken })
    }
    try {
      say(await doing())
    } catch (error) {
      say({ sound: 'refused', words: messageOf(error) })
      throw error
    }
  })
  const latest = useLatest(handle)
  const attempt = useCallback(
    (doing: () => Promise<Spoken>) => {
      const done = pending.current.then(() => work.current(doing))
      pending.current = done.catch(() => {})
      return done
    },
    [work],
  )
  const run = useCallback((doing: () => Promise<Spoken>) => attempt(doing).catch(() => {}), [attempt])
  const take = useCallback((label: Label) => run(() => latest.current(label)), [run, latest])
  const sayUnreadable = useLatest((text: string) => {
    const words = t('notOurs', { text: text.trim().slice(0, maxTypedLength) })
    void run(() => Promise.resolve({ sound: 'unreadable', words }))
  })
  useEffect(
    () => scanFeed.handle({ label: label => void take(label), unreadable: text => sayUnreadable.current(text) }),
    [take, sayUnreadable],
  )
  return { message, run, attempt, take }
}

/** Makes a call, and once more when its answer was lost: it is idempotent. @throws Refused */
export async function askTwice<C extends Call>(call: C, input: RawInput<C>): Promise<Answer<C>> {
  try {
    return await ask(call, input)
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'network') throw error
    return ask(call, input)
  }
}
