/** The operation of the wheel on the card: how it stands, and its confirmation from the card (docs/product/warehouse.md "Commands by barcode"). */
import type { CardWheel } from '#contract/cards.ts'
import type { Operation } from '#contract/wire.ts'
import { mayConfirmMissing } from '#domain/operations/operation.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import {
  type CardState,
  cardState,
  type Declaration,
  type Finish,
  finishOf,
  saidToBeMissing,
  standing,
} from '#domain/warehouse/cardCommand.ts'
import { cachedOperation, useDesk } from '../handling/desk.ts'
import { usePutOff } from '../handling/putOff.ts'
import type { ScanQueue } from '../scanning/scanQueue.ts'
import { useSite, useWho } from '../shared/session.ts'
import { questionOfScans } from '../ui/confirm.tsx'
import { useTranslation } from '../ui/texts.ts'
import { type CardCore, fetchWheel } from './core.ts'

type Submitted = {
  data: readonly Operation[] | undefined
  refetch(): Promise<{ data: readonly Operation[] | undefined }>
}

/** The steps of the operation of a wheel. `list`: the submitted operations of the site. */
export function useFinishing({ now, change, say, sayInstead }: CardCore, queue: ScanQueue, list: Submitted) {
  const { t } = useTranslation(['cards', 'intake'])
  const site = useSite()
  const who = useWho()
  const desk = useDesk()
  const putOff = usePutOff()
  const mayMiss = mayConfirmMissing(who, site)
  const declarationOf = ({ db_id }: CardWheel): Declaration | null => now().declared.get(db_id) ?? null

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
      { missing: fresh.operation?.missing ?? [], declared: now().declared },
    )
    if (now().message?.id === saying.id) change({ message: null })
    return desk.confirm(operation, missing)
  }

  return {
    finish,
    /** The state of the card whose wheel this is, which decides what a command does (`commandEffect`). */
    stateOf(wheel: CardWheel | null): CardState {
      const { readings, panel } = now()
      const question = questionOfScans()
      return cardState({
        question: question && { answerable: question.answer !== null },
        wheel,
        readings: readings && readings.length,
        panel: panel !== null,
        declared: wheel && declarationOf(wheel),
      })
    },
    confirmOperation: (wheel: CardWheel) => void confirmOperation(wheel),
    /** The operations whose question was put off, without one. */
    readyBut: (operation: number | null): Operation[] =>
      putOff.flatMap(_id => list.data?.find(candidate => candidate._id === _id && _id !== operation) ?? []),
    confirmReady: (operation: Operation) => void desk.confirm(operation),
  }
}
