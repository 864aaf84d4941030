/** Wheels and places that are scanned, and texts that are looked up: the answer of the server comes in time, late, or not at all. */
import { useQueries } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { cards, type Card, type CardWheel } from '#contract/cards.ts'
import { maxTypedLength } from '#domain/warehouse/card.ts'
import { answerTo, keyOf, messageOf, queryClient } from '../shared/api.ts'
import { isLost } from '../shared/connection.ts'
import { locationName } from '../shared/format.ts'
import { inTime } from '../shared/inTime.ts'
import type { ScanMessage } from '../scanning/scanMessage.tsx'
import { useLatest } from '../ui/hooks.ts'
import { useTranslation } from '../ui/texts.ts'
import { atRest, type CardStep, type FactsOf, heldOf, put, takeUp, wheelScanned } from './cardReducer.ts'
import { type CardCore, fetchWheel, lastKnown, quiet } from './core.ts'
import { emptyHand, type Held, learn, letGo, takeSpot } from './hand.ts'

type Parts = { core: CardCore; perform: (step: CardStep) => void; factsOf: FactsOf }

/**
 * The wheels in hand that the server has not answered yet, each with its pending answer and the message shown meanwhile. A late answer, also after a lost
 * connection, replaces the message and what was taken for granted in its place. Also answers the cards of the wheels in hand.
 */
function useLateAnswers({ shown, now, change, sayInstead }: CardCore) {
  const { t } = useTranslation('intake')
  const late = useRef(new Map<number, { answer: Promise<unknown>; saying: ScanMessage }>())
  const handCards = useQueries({
    queries: shown.hand.wheels.map(({ tyre }) => answerTo(cards.read, { tyre }, quiet)),
  })
  const arrive = useLatest((tyre: number, wheel: CardWheel | null) => {
    const { hand } = now()
    const taken = wheel && { tyre, vehicle: wheel.flt_id, plate: wheel.license_plate }
    change({ hand: taken ? learn(hand, taken) : letGo(hand, [tyre]) })
    const saying = late.current.get(tyre)?.saying
    late.current.delete(tyre)
    const outcome = taken ? 'found' : 'missing'
    if (saying) sayInstead(saying, outcome, t(`outcome.${outcome}`))
  })
  useEffect(() => {
    for (const [nth, { tyre, vehicle }] of shown.hand.wheels.entries()) {
      const data = handCards[nth]?.data
      if (vehicle === null && data) arrive.current(tyre, data.wheels[0] ?? null)
    }
  })
  return { late, arrive, inHand: handCards.flatMap(({ data }) => data?.wheels[0] ?? []) }
}

/** The stock location as one of the loaded lists has it, or its card. */
function knownPlace(location: number) {
  const card = queryClient.getQueryData<Card>(keyOf(cards.read, { location }))
  const places = queryClient.getQueriesData<{ _id: number; stock_rack: string; stock_site_name: string }[]>({
    predicate: ({ queryKey }) => (queryKey[0] as { name?: string }).name === 'locations.all',
  })
  return places.flatMap(([, rows]) => rows ?? []).find(({ _id }) => _id === location) ?? card?.location
}

/** The scans of a card, one after the other; `inHand` has the cards of the wheels in hand. Nothing here rejects. */
export function useScanned({ core, perform, factsOf }: Parts) {
  const { t } = useTranslation(['cards', 'intake'])
  const { now, change, say, sayInstead } = core
  const { late, arrive, inHand } = useLateAnswers(core)

  /** Takes a wheel in hand; whether it was put on the place in hand by that. */
  const take = (wheel: Held): boolean => {
    const step = takeUp(now(), wheel, factsOf)
    perform(step)
    return step.put
  }

  const scanWheel = async (tyre: number) => {
    change(wheelScanned(now(), tyre))
    const answer = fetchWheel(tyre)
    answer.catch(() => {})
    // without a network there is nothing to wait for
    const answered = await (isLost() ? undefined : inTime(answer.catch(() => 'failed' as const)))
    if (answered === null) return say('missing', t('intake:outcome.missing'))
    const isLate = answered === undefined && !isLost()
    const wheel = answered === undefined || answered === 'failed' ? lastKnown(tyre) : answered
    const inHandNow = heldOf(tyre, { ...factsOf(tyre), wheel })
    if (isLate && inHandNow.vehicle === null && now().hand.spot) {
      // slow is not lost: a place in hand takes the wheel once it is known
      say('unchecked', t('slowCard'))
      const arrived = await answer.catch(() => undefined)
      return arrived === null
        ? say('missing', t('intake:outcome.missing'))
        : take(heldOf(tyre, { ...factsOf(tyre), wheel: arrived ?? null }))
    }
    if (take(inHandNow)) return undefined
    if (inHandNow.vehicle !== null) return say('found', t('intake:outcome.found'))
    const saying = say('unchecked', t(isLate ? 'slowCard' : 'offlineCard'))
    late.current.set(tyre, { answer, saying })
    if (!isLate) return undefined
    void answer.catch(() => {
      // it was lost after all
      const instead = sayInstead(saying, 'unchecked', t('offlineCard'))
      if (instead) late.current.set(tyre, { answer, saying: instead })
    })
    return undefined
  }

  /** Waits for the wheels in hand whose vehicle is not known: slow is not lost, and where they belong is not guessed. */
  const waitForHand = async () => {
    const waits = now().hand.wheels.flatMap(({ tyre, vehicle }) =>
      vehicle === null ? (late.current.get(tyre)?.answer ?? []) : [],
    )
    if (waits.length === 0 || isLost()) return
    say('unchecked', t('slowPlace'))
    await Promise.allSettled(waits)
    for (const { tyre, vehicle } of now().hand.wheels) {
      const arrived = vehicle === null && queryClient.getQueryData<Card>(keyOf(cards.read, { tyre }))
      if (arrived) arrive.current(tyre, arrived.wheels[0] ?? null)
    }
  }

  const scanSpot = async (location: number) => {
    await waitForHand()
    const place = knownPlace(location)
    const taken = takeSpot(now().hand, { location, rack: place ? locationName(place) : null })
    change({ query: { location }, chosen: null, hand: taken.hand, done: null, ...atRest })
    if (taken.put) perform(put(taken.put.wheels, taken.put.spot, factsOf))
    else say('location', t('intake:outcome.location'))
  }

  /** Looks up typed text, or a scanned code that is not one of our labels. */
  const find = async (text: string) => {
    const typed = text.trim().slice(0, maxTypedLength)
    if (typed === '') return
    change({ query: { typed }, chosen: null, hand: emptyHand, done: null, ...atRest })
    const chooseOnly = ({ wheels: [only, ...others] }: Card) => {
      if (only && others.length === 0) change({ chosen: only.db_id })
    }
    try {
      const answer = await queryClient.fetchQuery({ ...answerTo(cards.read, { typed }, quiet), staleTime: 0 })
      const { wheels, document, article } = answer
      chooseOnly(answer)
      if (wheels[0] ?? document ?? article) say('found', t('foundCount', { count: wheels.length }))
      else say('missing', t('nothingFound', { typed }))
    } catch (error) {
      // the last answer, with its age
      const before = queryClient.getQueryData<Card>(keyOf(cards.read, { typed }))
      if (!before) return void say('refused', messageOf(error))
      chooseOnly(before)
      say('found', t('foundCount', { count: before.wheels.length }))
    }
  }

  return { scanWheel, scanSpot, find, inHand }
}
