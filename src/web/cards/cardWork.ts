/** The card of a scan on any screen: its reducer, the calls beside it, and the scans that it listens to (docs/product/warehouse.md "The card of a scan"). */
import { useEffect, useRef } from 'react'
import { cards, type CardWheel } from '#contract/cards.ts'
import { operations } from '#contract/operations.ts'
import { type Command, isCommand, isLocation, type Label } from '#domain/warehouse/barcode.ts'
import { type CardAction, mainAction } from '#domain/warehouse/card.ts'
import { commandEffect, type CommandEffect } from '#domain/warehouse/cardCommand.ts'
import { damageCodes } from '#domain/warehouse/damage.ts'
import { applyMarked, useSubmitted } from '../handling/desk.ts'
import { say as translate } from '../i18n.ts'
import { useLabels } from '../labels/labels.ts'
import { onMarked } from '../scanning/scanSender.ts'
import { useAnswered, useScans } from '../scanning/scans.ts'
import { invalidate, useAnswer, useCall } from '../shared/api.ts'
import { useSite, useWho } from '../shared/session.ts'
import { takeBack as takeBackKept } from '../shared/undo/undo.ts'
import { questionOfScans } from '../ui/confirm.tsx'
import { useLatest } from '../ui/hooks.ts'
import { useTranslation } from '../ui/texts.ts'
import {
  act,
  atRest,
  type CardEffect,
  type CardStep,
  emptyCard,
  takeReading,
  undo,
  type WheelFacts,
} from './cardReducer.ts'
import { type CardCore, lastKnown, quiet, useCore } from './core.ts'
import { useFinishing } from './finishing.ts'
import { emptyHand } from './hand.ts'
import { useRecording } from './recording.ts'
import { useScanned } from './scanned.ts'

/** Takes the steps of the reducer: changes the state, then runs the effects in their order. */
function usePerform(core: CardCore, { add, queue }: Pick<ReturnType<typeof useScans>, 'add' | 'queue'>) {
  const { now, change, say, current } = core
  const who = useWho()
  const labels = useLabels()
  const unscan = useCall(operations.unscan)
  const recording = useRecording(core)
  const takeBack = async (tyres: readonly number[], words: string) => {
    const { done } = now()
    await queue.send()
    try {
      await unscan.mutateAsync({ tyres: [...tyres] })
      // something else may have been done by now
      if (now().done === done) change({ done: null })
      say('stepped', words)
    } catch {
      // a toast says so
    }
  }
  const run = (effect: CardEffect): unknown => {
    switch (effect.kind) {
      case 'keep':
        return add(effect.record)
      case 'send':
        return queue.send()
      case 'say':
        return say(effect.sound, translate(effect.text.key, effect.text.params))
      case 'unscan':
        return takeBack(effect.tyres, translate(effect.text.key, effect.text.params))
      case 'restore':
        return takeBackKept(who.username, effect.kept)
      case 'measure':
        return recording.begin()
      case 'record': {
        const wheel = current()
        return wheel && recording.record(wheel, false)
      }
      case 'print': {
        const [first] = effect.wheels
        return first && labels.print(effect.wheels, `${first.license_plate}-${first.db_id}`)
      }
    }
  }
  return {
    recording,
    busy: unscan.isPending || recording.busy,
    perform({ state, effects }: CardStep) {
      change(state)
      for (const effect of effects) run(effect)
    },
  }
}

/** The state and the actions of scan cards, for warehouse staff. */
export function useCardWork() {
  const { t, i18n } = useTranslation(['cards', 'intake', 'common'])
  const site = useSite()
  const core = useCore()
  const { shown, now, change, say, current } = core
  const scans = useScans()
  const { queue, state, sender } = scans
  // the list of the day is on the device from the first card on
  const list = useSubmitted(quiet)
  const card = useAnswer(cards.read, shown.query ?? { tyre: 1 }, {
    ...quiet,
    enabled: shown.query !== null,
    keep: false,
  })
  const { perform, recording, busy } = usePerform(core, scans)
  /** The facts about a wheel: from its card, and from the list of the day. */
  const factsOf = (tyre: number): WheelFacts => {
    const operation = list.data?.find(({ tyres }) => tyres.some(({ db_id }) => db_id === tyre))
    const listed = operation?.tyres.find(({ db_id }) => db_id === tyre)
    return { wheel: lastKnown(tyre), entry: operation && listed && { operation, tyre: listed } }
  }
  const { scanWheel, scanSpot, find, inHand } = useScanned({ core, perform, factsOf })
  const finishing = useFinishing(core, queue, list)

  useEffect(() => onMarked(applyMarked), [])
  useAnswered(queue, records => {
    const refused = records.find(record => record.state === 'refused')
    if (!refused) return
    say('refused', refused.reason?.kind === 'refused' ? refused.reason.message : t('intake:reason.gone'))
    void invalidate(['cards.read'])
  })

  const press = (action: CardAction, wheel: CardWheel) => perform(act(now(), action, wheel, factsOf))
  const takeBack = () => perform(undo(now(), factsOf))
  const close = () => change(emptyCard)
  const refusing = (words: string) => () => say('not_now', words)

  /** Runs a command, by its effect (`commandEffect`). */
  const command = (what: Command) => {
    const wheel = current()
    const question = questionOfScans()
    const pressing = (action: CardAction | null) => () => wheel && action && press(action, wheel)
    const effects: Record<CommandEffect, () => unknown> = {
      main: pressing(wheel && mainAction(wheel.actions)),
      miss: pressing('miss'),
      label: pressing('label'),
      measure: pressing('measure'),
      damage: pressing('damage'),
      // the next scan answers its question, or puts it off: it does not wait for this one
      finish: () => void (wheel && finishing.confirmOperation(wheel)),
      record: () => void (wheel && recording.record(wheel)),
      report() {
        const code = damageCodes.find(damageCode => damageCode === what)
        if (wheel && code) void recording.reportDamage(wheel, code)
      },
      undo: takeBack,
      close,
      answer: () => question?.answer?.(),
      go_back: () => question?.goBack(),
      put_off() {
        question?.putOff()
        close()
      },
      choose_first: refusing(t('chooseFirst')),
      no_reading: refusing(t('noReading')),
      nothing: refusing(t('nothingToConfirm')),
      not_now: refusing(t('notNow')),
    }
    return effects[commandEffect(what, finishing.stateOf(wheel), wheel?.actions ?? [])]()
  }

  const handle = useLatest({
    label(label: Label): unknown {
      if (isCommand(label)) return command(label.command)
      // no answer: the question comes up again where its operation is ready to be confirmed
      questionOfScans()?.putOff()
      if (label.site !== site.site_number) {
        change({ ...emptyCard, hand: now().hand })
        return say('other_site', t('intake:reason.other_site', { site: label.site }))
      }
      return isLocation(label) ? scanSpot(label.location) : scanWheel(label.tyre)
    },
    unreadable: find,
    typed(text: string) {
      // the card was closed before its Enter came
      if (text === '\n' && now().typed === null) return
      const wheel = current()
      const whole = (now().typed ?? '') + text.replace('\n', '')
      change({ typed: whole })
      if (!text.endsWith('\n')) return
      if (wheel && now().readings) perform(takeReading(now(), whole, i18n.language))
      else void find(whole)
    },
  })
  // one scan after the other: a place may follow its wheels before the server has answered
  const pending = useRef(Promise.resolve<unknown>(null))
  const inTurn = (job: () => unknown) => {
    pending.current = pending.current.then(job).catch(() => {})
  }

  return {
    ...finishing,
    shown,
    state,
    sender,
    queue,
    card,
    busy,
    /** The wheels in hand, as their cards have them. */
    held: inHand,
    act: press,
    close,
    waiting: new Set(state.waiting.flatMap(({ tyreId }) => tyreId ?? [])),
    undo: takeBack,
    canUndo: shown.done !== null,
    find: (text: string) => void find(text),
    record: (wheel: CardWheel) => void recording.record(wheel),
    takeReading: (text: string) => perform(takeReading(now(), text, i18n.language)),
    isDeeper: recording.isDeeper,
    reportDamage: recording.reportDamage,
    openDamage: () => change({ ...atRest, panel: 'damage' }),
    closePanel: () => change({ panel: null }),
    refitted(plate: string, position: string) {
      change({ panel: null, hand: emptyHand })
      say('stepped', t('did.refit', { plate, position }))
    },
    type: (text: string | null) => change({ typed: text }),
    openFind: () => change({ ...atRest, query: null, done: null, typed: '' }),
    choose: (wheel: CardWheel) => change({ chosen: wheel.db_id, readings: null, panel: null }),
    stopMeasuring: () => change(atRest),
    dropReading: () => change({ readings: (now().readings ?? []).slice(0, -1) }),
    handlers: useLatest({
      label: (label: Label) => inTurn(() => handle.current.label(label)),
      unreadable: (text: string) => inTurn(() => handle.current.unreadable(text)),
      typed: (text: string) => handle.current.typed(text),
    }),
  }
}
export type CardWork = ReturnType<typeof useCardWork>
