/** The work at the gate of one load: its scans, the stops that a reason may override, and the notes to sign. */
import { useRef, useState } from 'react'
import { type DeliveryNote, gate as calls, type GateAnswer } from '#contract/gate.ts'
import { wheels } from '#contract/wheels.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import type { Load } from '#domain/warehouse/wave.ts'
import { useTransportName } from '../operations/transportName.ts'
import { askTwice, type Spoken, useScanWork } from '../scanning/scanWork.ts'
import { invalidate, setAnswer, useAnswer } from '../shared/api.ts'
import { formatDate } from '../shared/format.ts'
import { pollInterval, useIsWarehouseOnly, useSite } from '../shared/session.ts'
import { useTranslation } from '../ui/texts.ts'
import { type GateRequest, type Overridable, requestOf, verdictOf } from './gateReducer.ts'

/** A request that the gate has stopped, and the words in which it did. */
type Stopped = { readonly request: Overridable; readonly words: string }

/** The words of an answer of the gate about a wheel or a load, before what else there is to say. */
function useWords() {
  const { t, i18n } = useTranslation('gate')
  const transportName = useTransportName()
  return ({ outcome, plate, position, profile_depth: depth, other }: GateAnswer): string =>
    t(`outcome.${outcome}`, {
      plate: formatPlate(plate),
      position,
      depth: depth === null ? '' : formatNumber(depth, i18n.language),
      day: other ? formatDate(other.day) : '',
      transport: other ? transportName(other.transport) : '',
    })
}

/** Listens for scans at the gate of a load. A request that fails is said and not kept: the wheel is scanned again. */
export function useGateWork(load: Load) {
  const { t } = useTranslation(['gate', 'common'])
  const { site_number: site } = useSite()
  const isWarehouseOnly = useIsWarehouseOnly()
  const wordsOf = useWords()
  const view = useAnswer(calls.read, load, { refetchInterval: pollInterval })
  const [stopped, setStopped] = useState<Stopped | null>(null)
  const [signing, setSigning] = useState<readonly DeliveryNote[]>([])
  /** The wheel that passed last: the command Missing is about the rest of its set. */
  const last = useRef<number | null>(null)

  const take = (request: Overridable, answer: GateAnswer): Spoken => {
    const { outcome, overridable, load: loaded, recalls, notes } = answer
    setAnswer(calls.read, load, { load: loaded, recalls, notes })
    void invalidate(['waves.all'])
    if (request.kind === 'load' && outcome === 'loaded') last.current = request.db_id
    const { sound, set, behind, sign } = verdictOf(request, answer)
    const damage = answer.damages.map(code => t(`common:damage.${code}`))
    const stays = behind > 0 && t('notLoaded', { count: behind, day: formatDate(load.day) })
    const words = [wordsOf(answer), stays, ...damage].filter(Boolean).join(' · ')
    setStopped(overridable && !isWarehouseOnly ? { request, words } : null)
    if (outcome === 'left') setSigning(sign)
    if (set === null) return { sound, words }
    return { sound, words: [t('setLoaded', { plate: formatPlate(set) }), ...damage].join(' · ') }
  }
  const send = async (request: GateRequest, reason?: string): Promise<Spoken> => {
    const input = { ...load, ...(reason && { reason }) }
    switch (request.kind) {
      case 'load': {
        const { db_id, ticsId } = request
        return take(request, await askTwice(calls.load, { ...input, db_id, ticsId }))
      }
      case 'leave':
        return take(request, await askTwice(calls.leave, input))
      case 'miss': {
        const { tyres, plate } = request
        await askTwice(wheels.step, { tyres: [...tyres], step: 'miss' })
        await invalidate(['gate.read', 'waves.all'])
        return { sound: 'stepped', words: t('missed', { count: tyres.length, plate: formatPlate(plate) }) }
      }
    }
  }
  const work = useScanWork(async label => {
    const request = requestOf(label, { last: last.current, recalls: view.data?.recalls ?? [] })
    return request.kind === 'refuse' ? { sound: request.sound, words: t(request.text) } : send(request)
  })
  return {
    view,
    message: work.message,
    stopped,
    signing,
    sign: setSigning,
    /** Sends a stopped request again. Rejects when that fails, which is said. */
    override: ({ request }: Stopped, reason: string) => work.attempt(() => send(request, reason)),
    leave: () => void work.take({ command: 'gate', site }),
    miss: () => void work.take({ command: 'missing', site }),
  }
}
export type GateWork = ReturnType<typeof useGateWork>
