/** A step with wheels that the caller has locked. */
import { Failure } from '#domain/failure.ts'
import { statesBefore, statusesWith, type WheelState, type WheelStep } from '#domain/tyres/wheel.ts'
import type { Tx } from '../../db/database.ts'
import { takeStep } from './stepping.sql.ts'

type Taking = {
  readonly site: number
  readonly step: WheelStep
  readonly to: WheelState
  readonly location?: number
  readonly tyres: readonly number[]
}

/** @throws Failure `wheel.step` where a wheel is in a state from which the step does not lead there */
export async function take(tx: Tx, { site, step, to, location, tyres }: Taking): Promise<void> {
  if (tyres.length === 0) return
  const before = statesBefore(step, to)
  const where = { to, location: location ?? null, statuses: statusesWith(to) }
  const taken = await tx.rows(takeStep, { site, tyres: [...tyres], step, before, ...where })
  const there = new Set(taken.map(({ tyre }) => tyre))
  const refused = tyres.filter(tyre => !there.has(tyre))
  if (refused.length > 0) throw new Failure('wheel.step', { tyres: refused })
}
