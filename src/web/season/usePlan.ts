/** A plan of the season's change: made by the server, moved by hand, and sent vehicle by vehicle. */
import { useCallback, useRef, useState } from 'react'
import { operations as calls } from '#contract/operations.ts'
import type { RawInput } from '#contract/call.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import type { WheelParts, WornDecision } from '#domain/operations/operation.ts'
import { ask, invalidate, messageOf } from '../shared/api.ts'
import { sendEach } from '../several/sendEach.ts'
import { useIsLeft } from '../several/useIsLeft.ts'
import { resultsEveryMs } from '../several/useSeveral.ts'
import { byDay, type ChangeRow, type Planned, swapOf, interleavedByDay } from './rows.ts'

/** So many vehicles are sent at a time. */
const atOnce = 4

export type PlanWish = { transport: number; from: IsoDate; until: IsoDate; returns: boolean }
type Plan = {
  wish: PlanWish
  /** How to handle sets that are to be replaced. */
  wornTyres: WornDecision
  /** The parts that come back with the tyres; `null`: those that each set last had. */
  parts: WheelParts | null
  vehicles: readonly Planned[]
  open: readonly IsoDate[]
}

export function usePlan() {
  const [plan, setPlan] = useState<Plan | null>(null)
  const [busy, setBusy] = useState(false)
  // The inputs already sent: the same input again is the same call, with the same answer.
  const inputs = useRef(new Map<string, RawInput<typeof calls.swap>>())
  const isLeft = useIsLeft()

  const update = useCallback(
    (changes: ReadonlyMap<number, Partial<Planned>>) =>
      setPlan(
        now =>
          now && {
            ...now,
            vehicles: now.vehicles.map(vehicle => {
              const change = changes.get(vehicle.row.vehicle.flt_id)
              return change ? { ...vehicle, ...change } : vehicle
            }),
          },
      ),
    [],
  )

  async function make(rows: readonly ChangeRow[], wish: PlanWish) {
    setBusy(true)
    try {
      const { transport, from, until } = wish
      const { days, open } = await ask(calls.plan, {
        transport,
        from,
        until,
        counts: rows.map(row => row.stored.length),
        returns: wish.returns ? rows.map(row => row.returns.length) : [],
      })
      setPlan({
        wish,
        wornTyres: 'keep',
        parts: null,
        open,
        vehicles: byDay(rows.map((row, nth) => ({ row, day: days[nth] ?? null, state: 'planned' }))),
      })
    } finally {
      setBusy(false)
    }
  }

  function send(planned: Planned, { wish, wornTyres, parts }: Plan) {
    const body = swapOf(planned, { ...wish, wornTyres, parts })
    const key = JSON.stringify(body)
    const input = inputs.current.get(key) ?? body
    inputs.current.set(key, input)
    return ask(calls.swap, input)
  }

  /** Sends all vehicles that have a day and are not done; a screen that is left begins no more of them. */
  async function submit() {
    if (!plan) return
    const waiting = interleavedByDay(plan.vehicles.filter(({ day, state }) => day !== null && state !== 'done'))
    setBusy(true)
    const changes = new Map<number, Partial<Planned>>()
    const showAll = () => {
      update(new Map(changes))
      changes.clear()
    }
    const timer = setInterval(() => changes.size > 0 && showAll(), resultsEveryMs)
    const show = ({ row }: Planned, change: Partial<Planned>) => void changes.set(row.vehicle.flt_id, change)
    await sendEach(
      waiting,
      planned => send(planned, plan),
      {
        began: planned => show(planned, { state: 'sending' }),
        done: planned => show(planned, { state: 'done' }),
        refused: (planned, error) => show(planned, { state: 'refused', why: messageOf(error) }),
      },
      { atOnce, isStopped: isLeft },
    )
    clearInterval(timer)
    showAll()
    await invalidate(calls.swap.invalidates)
    setBusy(false)
  }

  return {
    plan,
    busy,
    make,
    submit,
    move: useCallback(
      (id: number, day: IsoDate) => {
        update(new Map([[id, { day, moved: true }]]))
      },
      [update],
    ),
    decide: (decided: Partial<Pick<Plan, 'wornTyres' | 'parts'>>) => setPlan(now => now && { ...now, ...decided }),
    drop: () => setPlan(null),
  }
}
