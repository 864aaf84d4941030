/** Vehicles as tyres are compared with them, the best first. */
import { useCallback } from 'react'
import type { Vehicle } from '#contract/wire.ts'
import { type Difference, differencesOf, type FittingTyre, type FittingVehicle } from '#domain/tyres/fitting.ts'
import { useVehicleConfigs } from '../../shared/session.ts'
import { useTreadCase } from '../depths/treadLimits.ts'

/** A vehicle with how tyres that move to it would differ there. */
export type Fit = { readonly vehicle: Vehicle; readonly differences: readonly Difference[] }

/** How much a difference weighs: what can't be mounted comes after what is only to be looked at. */
const weights = { position: 1000, size: 100, weaker: 100, season: 10, depth: 1 } as const satisfies Record<
  Difference['kind'],
  number
>
const weightOf = ({ differences }: Fit): number => differences.reduce((sum, { kind }) => sum + weights[kind], 0)

export function useFittingVehicle(): (vehicle: Vehicle) => FittingVehicle {
  const configs = useVehicleConfigs()
  const judged = useTreadCase()
  return useCallback(
    (vehicle: Vehicle) => ({
      tyres: vehicle.tyres,
      axles: configs.find(({ description }) => description === vehicle.configuration)?.axles ?? null,
      judged: judged(vehicle),
    }),
    [configs, judged],
  )
}

/** Vehicles by how well tyres fit them, equal ones by plate. */
export const byFit = (
  fleet: readonly Vehicle[],
  tyres: readonly FittingTyre[],
  fittingOf: (vehicle: Vehicle) => FittingVehicle,
): Fit[] =>
  fleet
    .map(vehicle => ({ vehicle, differences: differencesOf(tyres, fittingOf(vehicle)) }))
    .toSorted((a, b) => weightOf(a) - weightOf(b) || (a.vehicle.license_plate < b.vehicle.license_plate ? -1 : 1))
