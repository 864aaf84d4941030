/** The state of the card on this page, its message, and the wheels that this device knows. */
import { useRef, useState } from 'react'
import { cards, type Card, type CardWheel } from '#contract/cards.ts'
import { answerTo, keyOf, queryClient } from '../shared/api.ts'
import { useRemembered } from '../shared/hooks.ts'
import type { ScanMessage } from '../scanning/scanMessage.tsx'
import { play, type Sound } from '../scanning/sounds.ts'
import { uuid } from '../ui/uuid.ts'
import { emptyCard, type Shown } from './cardReducer.ts'

/** Reads without a toast, and without going to the login screen. */
export const quiet = { muted: true } as const

/** A wheel as its card last showed it on this device. */
export const lastKnown = (tyre: number): CardWheel | null =>
  queryClient.getQueryData<Card>(keyOf(cards.read, { tyre }))?.wheels[0] ?? null

/** The server's card of a wheel; `null` for an unknown one. Rejects when the server can't be reached. */
export const fetchWheel = async (tyre: number): Promise<CardWheel | null> => {
  const card = await queryClient.fetchQuery({ ...answerTo(cards.read, { tyre }, quiet), staleTime: 0 })
  return card.wheels[0] ?? null
}

/** The state of the card: `shown` as it is rendered, `now` as it is. */
export function useCore() {
  const [muted] = useRemembered('intakeMuted', false)
  const [shown, setShown] = useState(emptyCard)
  const latest = useRef(shown)
  const now = () => latest.current
  const change = (part: Partial<Shown>) => {
    latest.current = { ...latest.current, ...part }
    setShown(latest.current)
  }
  /** Shows a message with its sound, in place of the one before. */
  const say = (sound: Sound, words: string, { silent = false } = {}): ScanMessage => {
    if (!muted && !silent) play(sound)
    const message = { id: uuid(), sound, words }
    change({ message })
    return message
  }
  return {
    shown,
    now,
    change,
    say,
    /** Replaces a message that was shown while an answer was on its way; `null` when a newer one has taken its place. */
    sayInstead: ({ id }: ScanMessage, sound: Sound, words: string): ScanMessage | null =>
      now().message?.id === id ? say(sound, words) : null,
    /** The wheel that is acted on, as it is known now. */
    current(): CardWheel | null {
      const { query, chosen } = now()
      if (!query) return null
      const wheels = queryClient.getQueryData<Card>(keyOf(cards.read, query))?.wheels ?? []
      const only = wheels.length === 1 ? wheels[0] : undefined
      return wheels.find(({ db_id }) => db_id === chosen) ?? only ?? null
    },
  }
}
export type CardCore = ReturnType<typeof useCore>
