/** The scans of a screen that the server answers one by one: waves and the gate. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Answer, Call, RawInput } from '#contract/call.ts'
import type { Label } from '#domain/barcode.ts'
import { ask, messageOf, Refused } from '../api.ts'
import { useRemembered } from '../hooks.ts'
import { useLatest } from '../../ui/hooks.ts'
import { uuid } from '../../ui/uuid.ts'
import type { Said } from './said.tsx'
import { scanFeed } from './scanFeed.ts'
import { play } from './sounds.ts'

export type Spoken = Omit<Said, 'id'>

/**
 * Listens for scans and hands them over one after the other, each when the one before is answered; `null` is a scan that is no label
 * of ours. What `handle` returns is said, and so is why it failed. `run` does the same for a button.
 */
export function useScanWork(handle: (label: Label | null) => Promise<Spoken>) {
  const [said, setSaid] = useState<Said | null>(null)
  const [muted] = useRemembered('intakeMuted', false)
  const pending = useRef(Promise.resolve())
  const work = useLatest(async (doing: () => Promise<Spoken>) => {
    const spoken = await doing().catch((error: unknown): Spoken => ({ sound: 'refused', words: messageOf(error) }))
    if (!muted) play(spoken.sound)
    setSaid({ id: uuid(), ...spoken })
  })
  const latest = useLatest(handle)
  const run = useCallback(
    (doing: () => Promise<Spoken>) => {
      pending.current = pending.current.then(() => work.current(doing))
      return pending.current
    },
    [work],
  )
  useEffect(() => {
    const take = (label: Label | null) => void run(() => latest.current(label))
    return scanFeed.handle({ label: take, unreadable: () => take(null) })
  }, [run, latest])
  return { said, run, take: (label: Label) => run(() => latest.current(label)) }
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
