/** Tread depth and damage of the wheel on the card: calls that need a connection, and are kept nowhere. */
import { useRef } from 'react'
import type { CardWheel } from '#contract/cards.ts'
import { damages } from '#contract/damages.ts'
import { tyres as calls } from '#contract/tyres.ts'
import { governingDepth } from '#domain/warehouse/card.ts'
import type { DamageCode } from '#domain/warehouse/damage.ts'
import { messageOf, Refused, useCall } from '../shared/api.ts'
import { useToday } from '../shared/hooks.ts'
import { useWho } from '../shared/session.ts'
import { remember } from '../shared/undo/history.ts'
import { useTranslation } from '../ui/texts.ts'
import { atRest, beforeOf, declaring } from './cardReducer.ts'
import type { CardCore } from './core.ts'

/** Records readings and damage of a wheel. Nothing here rejects: the card says what was refused, or a toast does. */
export function useRecording({ now, change, say, current }: CardCore) {
  const { t, i18n } = useTranslation(['cards', 'common'])
  const who = useWho()
  const today = useToday()
  const measure = useCall(calls.measure, { shown: ['tyre.deeper'] })
  const report = useCall(damages.report)
  /** The wheel whose depth is on its way to the server. */
  const onItsWay = useRef<number | null>(null)
  const isDeeper = measure.error?.code === 'tyre.deeper'
  return {
    busy: measure.isPending || report.isPending,
    /** The depth is greater than an earlier one: it is recorded only when the user insists. */
    isDeeper,
    begin: () => measure.reset(),

    /** Records the lowest reading of a wheel, once; `deeper`: also when it is greater than an earlier one. */
    async record(wheel: CardWheel, deeper = isDeeper): Promise<void> {
      const depth = governingDepth(now().readings ?? [])
      if (depth === null || onItsWay.current === wheel.db_id) return
      onItsWay.current = wheel.db_id
      const readings = [{ db_id: wheel.db_id, profile_depth: depth, profile_date: today }]
      try {
        await measure.mutateAsync({ readings, ...(deeper && { deeper }) })
        const kept = remember(who.username, 'depth', { plate: wheel.license_plate, readings })
        const done = { action: 'measure', wheels: [beforeOf(wheel.db_id, wheel, false)], kept } as const
        // another wheel may have been scanned meanwhile
        if (current()?.db_id === wheel.db_id) change({ ...atRest, done })
        say('stepped', t('did.measure', { depth: depth.toLocaleString(i18n.language) }))
      } catch (error) {
        if (error instanceof Refused && error.code === 'tyre.deeper') say('not_now', messageOf(error))
      } finally {
        if (onItsWay.current === wheel.db_id) onItsWay.current = null
      }
    },

    /** Whether the damage was recorded: each kind once, until that has ended. */
    async reportDamage(wheel: CardWheel, code: DamageCode, note = ''): Promise<boolean> {
      const damage = t(`common:damage.${code}`)
      if (wheel.damages.includes(code)) {
        say('duplicate', t('damageKnown', { damage }))
        return false
      }
      try {
        change(declaring(now(), [wheel.db_id], 'damaged'))
        await report.mutateAsync({ db_id: wheel.db_id, code, note })
        say('stepped', t('did.damage', { damage }))
        return true
      } catch (error) {
        say('refused', messageOf(error))
        return false
      }
    },
  }
}
