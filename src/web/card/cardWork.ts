/** The steps between a scan on any screen and its card (docs/product/warehouse.md "The card of a scan"). */
import { useQueries } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Answer } from '#contract/call.ts'
import { cards, type Card, type CardWheel } from '#contract/cards.ts'
import { damages } from '#contract/damages.ts'
import { operations } from '#contract/operations.ts'
import { tyres as tyreCalls } from '#contract/tyres.ts'
import type { Operation } from '#contract/wire.ts'
import { type Command, isCommand, isLocation, type Label } from '#domain/warehouse/barcode.ts'
import {
  type CardAction,
  governingDepth,
  mainAction,
  maxReadings,
  maxTypedLength,
  scanActions,
} from '#domain/warehouse/card.ts'
import {
  cardState,
  commandEffect,
  type CommandEffect,
  type Declaration,
  type Finish,
  finishOf,
  saidToBeMissing,
  standing,
} from '#domain/warehouse/cardCommand.ts'
import { type DamageCode, damageCodes } from '#domain/warehouse/damage.ts'
import { mayConfirmMissing } from '#domain/operations/operation.ts'
import { numberIn } from '#domain/texts/number.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { clampDepth, isOfferedType, type OfferedType } from '#domain/tyres/tyre.ts'
import { locationName } from '../shared/format.ts'
import { answerTo, invalidate, keyOf, messageOf, queryClient, Refused, useAnswer, useCall } from '../shared/api.ts'
import { isLost } from '../shared/connection.ts'
import { inTime } from '../shared/inTime.ts'
import { cachedOperation, applyMarked, useDesk, useSubmitted } from '../handling/desk.ts'
import { usePutOff } from '../handling/putOff.ts'
import { useRemembered, useToday } from '../shared/hooks.ts'
import { useLabels } from '../labels/labels.ts'
import type { ScanMessage } from '../scanning/scanMessage.tsx'
import { onMarked } from '../scanning/scanSender.ts'
import { useAnswered, useScans } from '../scanning/scans.ts'
import { play, type Sound } from '../scanning/sounds.ts'
import { useSite, useWho } from '../shared/session.ts'
import { remember } from '../shared/undo/history.ts'
import { takeBack as takeBackKept } from '../shared/undo/undo.ts'
import { questionOfScans } from '../ui/confirm.tsx'
import { useLatest } from '../ui/hooks.ts'
import { uuid } from '../ui/uuid.ts'
import { emptyHand, type Hand, type Held, learn, letGo, type Spot, takeSpot, takeWheel } from './hand.ts'
import { type Before, type Done, wayBack } from './wayBack.ts'

/** The input of a card's query. */
type CardQuery = { tyre: number } | { location: number } | { typed: string }

type Shown = {
  query: CardQuery | null
  /** The wheel that is acted on, where a card has several. */
  chosen: number | null
  hand: Hand
  message: ScanMessage | null
  /** The last action, which Undo takes back. */
  done: Done | null
  /** Declarations made on this card, which the wheels' own cards may not show yet. */
  declared: ReadonlyMap<number, Declaration>
  /** The readings of the wheel that is being measured. */
  readings: readonly number[] | null
  /** The panel that is open below the wheel instead of its buttons. */
  panel: 'damage' | 'refit' | null
  /** The text in the search field, or in the field for the depth. */
  typed: string | null
}
const nothing: Shown = {
  query: null,
  chosen: null,
  hand: emptyHand,
  message: null,
  done: null,
  declared: new Map(),
  readings: null,
  panel: null,
  typed: null,
}

const quiet = { muted: true } as const

/** A wheel as its card last showed it on this device. */
const lastKnown = (tyre: number): CardWheel | null =>
  queryClient.getQueryData<Card>(keyOf(cards.read, { tyre }))?.wheels[0] ?? null

/** The server's card of a wheel; `null` for an unknown one. Rejects when the server can't be reached. */
const fetchWheel = async (tyre: number): Promise<CardWheel | null> => {
  const card = await queryClient.fetchQuery({ ...answerTo(cards.read, { tyre }, quiet), staleTime: 0 })
  return card.wheels[0] ?? null
}

/** Actions that are for all wheels in hand. The others are for one. */
const forSeveral: readonly CardAction[] = ['store', 'load', 'dispose', 'pick', 'find', 'unscan']

const typeOfScan = (action: CardAction): OfferedType | null =>
  (Object.keys(scanActions) as OfferedType[]).find(type => scanActions[type] === action) ?? null

function beforeOf(tyre: number, wheel: CardWheel | null | undefined, scan: boolean): Before {
  const type = wheel?.operation?.scanned && !scan ? wheel.operation.type : null
  return {
    tyre,
    spot: wheel?.location ?? wheel?.kept_location ?? null,
    scan,
    ...(type && isOfferedType(type) && { scannedFor: type }),
  }
}

/** The state and the actions of scan cards, for warehouse staff. */
export function useCardWork() {
  const { t, i18n } = useTranslation(['card', 'intake', 'common'])
  const site = useSite()
  const who = useWho()
  const today = useToday()
  const [muted] = useRemembered('intakeMuted', false)
  const { sender, queue, state, add } = useScans()
  const [shown, setShown] = useState(nothing)
  const now = useRef(shown)
  const change = (part: Partial<Shown>) => {
    now.current = { ...now.current, ...part }
    setShown(now.current)
  }
  const desk = useDesk()
  const putOff = usePutOff()
  const labels = useLabels()
  const unscan = useCall(operations.unscan)
  const report = useCall(damages.report)
  const measure = useCall(tyreCalls.measure, { shown: ['tyre.deeper'] })

  // the list of the day is on the device from the first card on
  const list = useSubmitted(quiet)
  const card = useAnswer(cards.read, shown.query ?? { tyre: 1 }, {
    ...quiet,
    enabled: shown.query !== null,
    keep: false,
  })
  const heldCards = useQueries({
    queries: shown.hand.wheels.map(({ tyre }) => answerTo(cards.read, { tyre }, quiet)),
  })
  const wheelsInHand = heldCards.flatMap(({ data }) => data?.wheels[0] ?? [])

  const say = (sound: Sound, words: string, { silent = false } = {}): ScanMessage => {
    if (!muted && !silent) play(sound)
    const message = { id: uuid(), sound, words }
    change({ message })
    return message
  }
  /** Replaces a message that was shown while an answer was on its way, unless a newer one has taken its place. */
  const sayInstead = ({ id }: ScanMessage, sound: Sound, words: string): ScanMessage | null =>
    now.current.message?.id === id ? say(sound, words) : null
  const declare = (tyres: readonly number[], declaration: Declaration | null) => {
    const declared = new Map(now.current.declared)
    for (const tyre of tyres)
      if (declaration) declared.set(tyre, declaration)
      else declared.delete(tyre)
    change({ declared })
  }

  useEffect(() => onMarked(applyMarked), [])

  useAnswered(queue, records => {
    const refused = records.find(record => record.state === 'refused')
    if (!refused) return
    say('refused', refused.reason?.kind === 'refused' ? refused.reason.message : t('intake:reason.gone'))
    void invalidate(['cards.read'])
  })

  /** The facts about a wheel: from its card, else from the list of the day. */
  const knownOf = (tyre: number) => {
    const wheel = lastKnown(tyre)
    const entry = list.data?.flatMap(operation =>
      operation.tyres.some(candidate => candidate.db_id === tyre)
        ? [{ operation, tyre: operation.tyres.find(candidate => candidate.db_id === tyre) }]
        : [],
    )[0]
    return { wheel, entry }
  }

  /** The scan of a wheel for the operation that has it. */
  const scanFor = (type: OfferedType, tyre: number) => {
    const { wheel, entry } = knownOf(tyre)
    add({
      kind: 'scan',
      outcome: 'found',
      type,
      tyreId: tyre,
      tyre: entry?.tyre ?? null,
      operation: entry
        ? {
            _id: entry.operation._id,
            companyname: entry.operation.user.companyname,
            services: entry.operation.services,
            tyres: entry.operation.tyres.length,
          }
        : null,
      ...(wheel && { known: wheel }),
    })
  }

  /** Wheels are put on a place; those of a storage that were not scanned are scanned for it by that. */
  const put = (wheels: readonly Held[], { location, rack }: Spot) => {
    const facts = wheels.map(wheel => ({ ...wheel, ...knownOf(wheel.tyre) }))
    const unfit = facts.filter(({ wheel }) => wheel && !wheel.actions.includes('place'))
    if (unfit.length > 0) return say('misplaced', t('notPlaced', { count: unfit.length }))
    const coming = facts.filter(({ wheel, entry }) =>
      wheel ? wheel.actions.includes('store') : entry?.operation.type === 'to_stock' && !entry.tyre?.scanned,
    )
    for (const { tyre } of coming) scanFor('to_stock', tyre)
    const tyres = wheels.map(({ tyre }) => tyre)
    add({ kind: 'place', outcome: 'location', place: { location, rack, tyres, plate: wheels[0]?.plate ?? null } })
    const before = facts.map(wheel => beforeOf(wheel.tyre, wheel.wheel, coming.includes(wheel)))
    change({ done: { action: 'place', wheels: before } })
    say('location', t('put', { count: tyres.length, place: rack ?? `#${location}` }))
    void queue.send()
  }

  /** The wheels that an action is for: those in hand of which it is possible, when the chosen one is among them; else that one. */
  const targetsOf = (action: CardAction, chosen: CardWheel): readonly CardWheel[] => {
    const alone = !forSeveral.includes(action)
    const inHand = now.current.hand.wheels.some(({ tyre }) => tyre === chosen.db_id)
    if (alone || !inHand) return [chosen]
    const wheels = now.current.hand.wheels.flatMap(({ tyre }) =>
      tyre === chosen.db_id ? chosen : (lastKnown(tyre) ?? []),
    )
    return wheels.filter(({ actions }) => actions.includes(action))
  }

  const act = (action: CardAction, chosen: CardWheel) => {
    const wheels = targetsOf(action, chosen)
    const tyres = wheels.map(({ db_id }) => db_id)
    const count = tyres.length
    const type = typeOfScan(action)
    const declaration = action === 'miss' ? 'missing' : type ? 'scanned' : null
    if (declaration || action === 'find' || action === 'unscan') declare(tyres, declaration)
    // a missing wheel is no longer in hand
    if (action === 'miss') change({ hand: letGo(now.current.hand, tyres) })
    const done: Done = { action, wheels: wheels.map(wheel => beforeOf(wheel.db_id, wheel, type !== null)) }
    if (type) {
      for (const tyre of tyres) scanFor(type, tyre)
      change({ done })
      say('found', t(`did.${type}`, { count }))
      return void queue.send()
    }
    if (action === 'pick' || action === 'miss' || action === 'find') {
      add({ kind: 'step', outcome: 'stepped', step: { step: action, tyres }, tyreId: null, known: chosen })
      change({ done })
      say('stepped', t(`did.${action}`, { count }))
      return void queue.send()
    }
    if (action === 'measure') {
      measure.reset()
      return change({ readings: [], panel: null, typed: null })
    }
    if (action === 'damage' || action === 'refit') return change({ panel: action, readings: null, typed: null })
    if (action === 'label') return void labels.print(wheels, `${chosen.license_plate}-${chosen.db_id}`)
    if (action === 'unscan') return void takeBack(tyres)
    return undefined
  }

  /** Whether the damage was recorded: each kind once, until that has ended. */
  const reportDamage = async (wheel: CardWheel, code: DamageCode, note = ''): Promise<boolean> => {
    if (wheel.damages.includes(code)) {
      say('duplicate', t('damageKnown', { damage: t(`common:damage.${code}`) }))
      return false
    }
    try {
      declare([wheel.db_id], 'damaged')
      await report.mutateAsync({ db_id: wheel.db_id, code, note })
      say('stepped', t('did.damage', { damage: t(`common:damage.${code}`) }))
      return true
    } catch (error) {
      say('refused', messageOf(error))
      return false
    }
  }

  const takeBack = async (tyres: readonly number[], words = t('did.unscan', { count: tyres.length })) => {
    const { done } = now.current
    await queue.send()
    try {
      await unscan.mutateAsync({ tyres: [...tyres] })
      // something else may have been done by now
      if (now.current.done === done) change({ done: null })
      say('stepped', words)
    } catch {
      // a toast says so
    }
  }

  const undo = () => {
    const { done } = now.current
    if (!done) return say('not_now', t('nothingToUndo'))
    if (done.kept !== undefined) {
      change({ done: null })
      return void takeBackKept(who.username, done.kept)
    }
    const { scans, spots, found: foundTyres, rescans, left } = wayBack(done)
    declare(
      done.wheels.map(({ tyre }) => tyre),
      null,
    )
    for (const { tyre, type } of rescans) scanFor(type, tyre)
    for (const [location, tyres] of spots)
      add({ kind: 'place', outcome: 'location', place: { location, rack: null, tyres, plate: null } })
    if (foundTyres.length > 0) add({ kind: 'step', outcome: 'stepped', step: { step: 'find', tyres: foundTyres } })
    const undone = left > 0 ? t('undoneSome', { count: left }) : t('undone')
    if (scans.length > 0) {
      // the others are in the queue: if it fails, only the scans are left to take back
      change({ done: { ...done, wheels: done.wheels.filter(({ scan }) => scan) } })
      return void takeBack(scans, scans.length === done.wheels.length ? undefined : undone)
    }
    if (spots.size === 0 && foundTyres.length === 0) return say('not_now', t('nothingToUndo'))
    change({ done: null })
    say('stepped', undone)
    return void queue.send()
  }

  /** The wheel whose depth is on its way to the server. */
  const recording = useRef<number | null>(null)
  const record = async (wheel: CardWheel, deeper: boolean) => {
    const depth = governingDepth(now.current.readings ?? [])
    if (depth === null || recording.current === wheel.db_id) return
    recording.current = wheel.db_id
    const readings = [{ db_id: wheel.db_id, profile_depth: depth, profile_date: today }]
    try {
      await measure.mutateAsync({ readings, ...(deeper && { deeper }) })
      const kept = remember(who.username, 'depth', { plate: wheel.license_plate, readings })
      const done: Done = { action: 'measure', wheels: [beforeOf(wheel.db_id, wheel, false)], kept }
      // another wheel may have been scanned meanwhile
      if (current()?.db_id === wheel.db_id) change({ readings: null, panel: null, typed: null, done })
      say('stepped', t('did.measure', { depth: depth.toLocaleString(i18n.language) }))
    } catch (error) {
      if (error instanceof Refused && error.code === 'tyre.deeper') say('not_now', messageOf(error))
    } finally {
      if (recording.current === wheel.db_id) recording.current = null
    }
  }

  /** A reading that was typed, or that a gauge sent; the third one, or Enter without one, records them. */
  const takeReading = (text: string, wheel: CardWheel) => {
    const readings = now.current.readings ?? []
    if (text.trim() === '' && readings.length > 0) return void record(wheel, false)
    const depth = numberIn(text, { whole: false, language: i18n.language, most: 10 })
    if (depth === null || clampDepth(depth) !== depth) return say('not_now', t('noDepth'))
    change({ readings: [...readings, depth].slice(0, maxReadings), typed: null })
    if (now.current.readings?.length === maxReadings) void record(wheel, false)
    return undefined
  }

  /** The wheel that is acted on, as it is known now. */
  const current = (): CardWheel | null => {
    const { query, chosen } = now.current
    if (!query) return null
    const wheels = queryClient.getQueryData<Card>(keyOf(cards.read, query))?.wheels ?? []
    const only = wheels.length === 1 ? wheels[0] : undefined
    return wheels.find(({ db_id }) => db_id === chosen) ?? only ?? null
  }

  const mayMiss = mayConfirmMissing(who, site)
  const declarationOf = ({ db_id }: CardWheel): Declaration | null => now.current.declared.get(db_id) ?? null
  const stateOf = (wheel: CardWheel | null) => {
    const { readings, panel } = now.current
    const question = questionOfScans()
    return cardState({
      question: question && { answerable: question.answer !== null },
      wheel,
      readings: readings && readings.length,
      panel: panel !== null,
      declared: wheel && declarationOf(wheel),
    })
  }
  /** The next step of a wheel's operation, as far as this device knows. */
  const finish = (wheel: CardWheel): Finish => {
    const declared = declarationOf(wheel)
    const isLeft = declared === 'missing' || (declared === 'damaged' && !wheel.operation?.scanned)
    return finishOf(standing(wheel, declared), { declared: isLeft, mayMiss })
  }

  /** Continues the operation of a wheel, once the server has all its scans. */
  const confirmOperation = async (wheel: CardWheel) => {
    if (!wheel.operation) return say('not_now', t('nothingToConfirm'))
    const saying = say('unchecked', t('checking'), { silent: true })
    await queue.send()
    if (queue.snapshot().waiting.length > 0) return sayInstead(saying, 'not_now', t('intake:confirmLater'))
    const fresh = (await fetchWheel(wheel.db_id).catch(() => null)) ?? wheel
    const stands = standing(fresh, declarationOf(fresh))
    const how = finish(fresh)
    if (how === 'desk')
      return sayInstead(saying, 'not_now', t('deskFinishes', { plate: formatPlate(fresh.license_plate) }))
    if (how === 'scan' && stands) {
      const count = stands.tyre_count - stands.done - stands.missing
      return sayInstead(saying, 'not_now', t('stillToScan', { count }))
    }
    const _id = fresh.operation?._id ?? 0
    const operation = cachedOperation(_id) ?? (await list.refetch()).data?.find(candidate => candidate._id === _id)
    if (how === 'nothing' || !operation) return sayInstead(saying, 'not_now', t('nothingToConfirm'))
    const missing = saidToBeMissing(
      operation.tyres.map(({ db_id }) => db_id),
      { missing: fresh.operation?.missing ?? [], declared: now.current.declared },
    )
    if (now.current.message?.id === saying.id) change({ message: null })
    return desk.confirm(operation, missing)
  }

  const close = () => change({ ...nothing })

  const refuse = (words: string) => () => say('not_now', words)
  /** Runs a command, by its effect (`commandEffect`). */
  const command = (what: Command) => {
    const wheel = current()
    const question = questionOfScans()
    const press = (action: CardAction | null) => () => wheel && action && act(action, wheel)
    const effects: Record<CommandEffect, () => unknown> = {
      main: press(wheel && mainAction(wheel.actions)),
      miss: press('miss'),
      label: press('label'),
      measure: press('measure'),
      damage: press('damage'),
      // the next scan answers its question, or puts it off: it does not wait for this one
      finish: () => void (wheel && confirmOperation(wheel)),
      record: () => void (wheel && record(wheel, measure.error?.code === 'tyre.deeper')),
      report() {
        const code = damageCodes.find(damageCode => damageCode === what)
        if (wheel && code) void reportDamage(wheel, code)
      },
      undo,
      close,
      answer: () => question?.answer?.(),
      go_back: () => question?.goBack(),
      put_off() {
        question?.putOff()
        close()
      },
      choose_first: refuse(t('chooseFirst')),
      no_reading: refuse(t('noReading')),
      nothing: refuse(t('nothingToConfirm')),
      not_now: refuse(t('notNow')),
    }
    return effects[commandEffect(what, stateOf(wheel), wheel?.actions ?? [])]()
  }

  /** The wheels in hand that the server has not answered yet, each with its pending answer and the message shown meanwhile. */
  const late = useRef(new Map<number, { answer: Promise<unknown>; saying: ScanMessage }>())

  // a late answer, also after a lost connection, replaces the message and the assumption made in its place
  const arrive = useLatest((tyre: number, wheel: CardWheel | null) => {
    const { hand } = now.current
    const heldWheel = wheel && { tyre, vehicle: wheel.flt_id, plate: wheel.license_plate }
    change({ hand: heldWheel ? learn(hand, heldWheel) : letGo(hand, [tyre]) })
    const saying = late.current.get(tyre)?.saying
    late.current.delete(tyre)
    if (saying)
      sayInstead(saying, heldWheel ? 'found' : 'missing', t(`intake:outcome.${heldWheel ? 'found' : 'missing'}`))
  })
  useEffect(() => {
    for (const [nth, { tyre, vehicle }] of shown.hand.wheels.entries()) {
      const data = heldCards[nth]?.data
      if (vehicle === null && data) arrive.current(tyre, data.wheels[0] ?? null)
    }
  })

  const scanWheel = async (tyre: number) => {
    change({ query: { tyre }, chosen: tyre, ...keptFor(tyre), readings: null, panel: null, typed: null })
    const asking = fetchWheel(tyre)
    asking.catch(() => {})
    // without a network there is nothing to wait for
    const answered = await (isLost() ? undefined : inTime(asking.catch(() => 'failed' as const)))
    if (answered === null) return say('missing', t('intake:outcome.missing'))
    const isLate = answered === undefined && !isLost()
    const wheel = answered === undefined || answered === 'failed' ? lastKnown(tyre) : answered
    const heldWheel = heldOf(tyre, wheel)
    if (isLate && heldWheel.vehicle === null && now.current.hand.spot) {
      // slow is not lost: a place in hand takes the wheel once it is known
      say('unchecked', t('slowCard'))
      const lateWheel = await asking.catch(() => undefined)
      return lateWheel === null ? say('missing', t('intake:outcome.missing')) : takeUp(heldOf(tyre, lateWheel ?? null))
    }
    if (takeUp(heldWheel)) return undefined
    if (heldWheel.vehicle !== null) return say('found', t('intake:outcome.found'))
    const saying = say('unchecked', t(isLate ? 'slowCard' : 'offlineCard'))
    late.current.set(tyre, { answer: asking, saying })
    if (!isLate) return undefined
    void asking.catch(() => {
      // it was lost after all
      const instead = sayInstead(saying, 'unchecked', t('offlineCard'))
      if (instead) late.current.set(tyre, { answer: asking, saying: instead })
    })
    return undefined
  }

  /** The state that a card keeps when a wheel is scanned: a wheel whose label was scanned is here, and a damaged one was looked at. */
  const keptFor = (tyre: number): Pick<Shown, 'done' | 'declared'> => {
    const { done, declared } = now.current
    const kept = [...declared].filter(([other, what]) => what === 'scanned' || (what === 'missing' && other !== tyre))
    return { done: done?.wheels.some(wheel => wheel.tyre === tyre) ? done : null, declared: new Map(kept) }
  }

  /** A wheel as it is held: whose it is, as far as its card or the list of the day says. */
  const heldOf = (tyre: number, wheel: CardWheel | null): Held => {
    const { entry } = knownOf(tyre)
    return {
      tyre,
      vehicle: wheel?.flt_id ?? entry?.operation.flt_id ?? null,
      plate: wheel?.license_plate ?? entry?.tyre?.license_plate ?? null,
    }
  }

  /** Takes a wheel in hand; whether it was put on the place in hand by that. */
  const takeUp = (wheel: Held): boolean => {
    const taken = takeWheel(now.current.hand, wheel)
    change({ hand: taken.hand })
    if (taken.put) put(taken.put.wheels, taken.put.spot)
    return taken.put !== null
  }

  const scanSpot = async (location: number) => {
    // slow is not lost: where the wheels in hand belong is not guessed
    const waits = now.current.hand.wheels.flatMap(({ tyre, vehicle }) =>
      vehicle === null ? (late.current.get(tyre)?.answer ?? []) : [],
    )
    if (waits.length > 0 && !isLost()) {
      say('unchecked', t('slowPlace'))
      await Promise.allSettled(waits)
      for (const { tyre, vehicle } of now.current.hand.wheels) {
        const arrived = vehicle === null && queryClient.getQueryData<Card>(keyOf(cards.read, { tyre }))
        if (arrived) arrive.current(tyre, arrived.wheels[0] ?? null)
      }
    }
    const all = queryClient.getQueryData<Answer<typeof cards.read>>(keyOf(cards.read, { location }))
    const places = queryClient.getQueriesData<{ _id: number; stock_rack: string; stock_site_name: string }[]>({
      predicate: ({ queryKey }) => (queryKey[0] as { name?: string }).name === 'locations.all',
    })
    const place = places.flatMap(([, rows]) => rows ?? []).find(({ _id }) => _id === location) ?? all?.location
    const rack = place ? locationName(place) : null
    const taken = takeSpot(now.current.hand, { location, rack })
    change({
      query: { location },
      chosen: null,
      hand: taken.hand,
      done: null,
      readings: null,
      panel: null,
      typed: null,
    })
    if (taken.put) return put(taken.put.wheels, taken.put.spot)
    return say('location', t('intake:outcome.location'))
  }

  // one scan after the other: a place may follow its wheels before the server has answered
  const pending = useRef(Promise.resolve<unknown>(null))
  const handlers = useLatest({
    label(label: Label): unknown {
      if (isCommand(label)) return command(label.command)
      // no answer: the question comes up again where its operation is ready to be confirmed
      questionOfScans()?.putOff()
      if (label.site !== site.site_number) {
        change({ ...nothing, hand: now.current.hand })
        return say('other_site', t('intake:reason.other_site', { site: label.site }))
      }
      return isLocation(label) ? scanSpot(label.location) : scanWheel(label.tyre)
    },
    unreadable: (text: string) => find(text),
    typed(text: string) {
      // the card was closed before its Enter came
      if (text === '\n' && now.current.typed === null) return
      const wheel = current()
      const whole = (now.current.typed ?? '') + text.replace('\n', '')
      change({ typed: whole })
      if (!text.endsWith('\n')) return
      if (wheel && now.current.readings) takeReading(whole, wheel)
      else void find(whole)
    },
  })

  /** Looks up typed text, or a scanned code that is not one of our labels. */
  const find = async (text: string) => {
    const typed = text.trim().slice(0, maxTypedLength)
    if (typed === '') return
    change({ query: { typed }, chosen: null, hand: emptyHand, done: null, readings: null, panel: null, typed: null })
    try {
      const answer = await queryClient.fetchQuery({ ...answerTo(cards.read, { typed }, quiet), staleTime: 0 })
      const [only, ...others] = answer.wheels
      if (only && others.length === 0) change({ chosen: only.db_id })
      const any = only ?? answer.document ?? answer.article
      say(
        any ? 'found' : 'missing',
        any ? t('foundCount', { count: answer.wheels.length }) : t('nothingFound', { typed }),
      )
    } catch (error) {
      const before = queryClient.getQueryData<Card>(keyOf(cards.read, { typed }))
      if (!before) return say('refused', messageOf(error))
      // the last answer, with its age
      const [only, ...others] = before.wheels
      if (only && others.length === 0) change({ chosen: only.db_id })
      say('found', t('foundCount', { count: before.wheels.length }))
    }
  }

  return {
    shown,
    state,
    sender,
    queue,
    card,
    held: wheelsInHand,
    act,
    close,
    stateOf,
    finish,
    confirmOperation: (wheel: CardWheel) => void confirmOperation(wheel),
    /** The operations whose question was put off, without one. */
    readyBut: (operation: number | null) =>
      putOff.flatMap(_id => list.data?.find(candidate => candidate._id === _id && _id !== operation) ?? []),
    waiting: new Set(state.waiting.flatMap(({ tyreId }) => tyreId ?? [])),
    confirmReady: (operation: Operation) => void desk.confirm(operation),
    undo,
    find: (text: string) => void find(text),
    canUndo: shown.done !== null,
    record: (wheel: CardWheel) => void record(wheel, measure.error?.code === 'tyre.deeper'),
    takeReading,
    /** The depth is greater than an earlier one: it is recorded only when the user insists. */
    isDeeper: measure.error?.code === 'tyre.deeper',
    busy: measure.isPending || unscan.isPending || report.isPending,
    reportDamage,
    openDamage: () => change({ panel: 'damage', readings: null, typed: null }),
    closePanel: () => change({ panel: null }),
    refitted: (plate: string, position: string) => {
      change({ panel: null, hand: emptyHand })
      say('stepped', t('did.refit', { plate, position }))
    },
    type: (text: string | null) => change({ typed: text }),
    openFind: () => change({ query: null, done: null, readings: null, panel: null, typed: '' }),
    choose: (wheel: CardWheel) => {
      change({ chosen: wheel.db_id, readings: null, panel: null })
    },
    stopMeasuring: () => change({ readings: null, panel: null, typed: null }),
    dropReading: () => change({ readings: (now.current.readings ?? []).slice(0, -1) }),
    handlers: useLatest({
      label: (label: Label) => {
        pending.current = pending.current.then(() => handlers.current.label(label)).catch(() => {})
      },
      unreadable: (text: string) => {
        pending.current = pending.current.then(() => handlers.current.unreadable(text)).catch(() => {})
      },
      typed: (text: string) => handlers.current.typed(text),
    }),
  }
}
export type CardWork = ReturnType<typeof useCardWork>
