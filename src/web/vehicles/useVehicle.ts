import { useQuery } from '@tanstack/react-query'
import { fleet as calls } from '#contract/fleet.ts'
import { answerTo } from '../shared/api.ts'
import { useFleet } from '../shared/session.ts'

/** A vehicle with its tyres: at once from the loaded fleet, then updated by the server. */
export function useVehicle(id: number) {
  const { data: fleet } = useFleet()
  return useQuery({
    ...answerTo(calls.vehicle, { flt_id: id }),
    staleTime: 0,
    placeholderData: () => fleet?.find(vehicle => vehicle.flt_id === id),
  })
}
