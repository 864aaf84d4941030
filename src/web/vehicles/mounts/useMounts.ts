/** The mounted tyres of a vehicle, and the calls that change them. */
import { mounts as calls } from '#contract/mounts.ts'
import type { Vehicle } from '#contract/wire.ts'
import { useAnswer, useCall } from '../../shared/api.ts'
import { useUndoable } from '../../shared/undo/undo.ts'

/** The periods, kilometres and odometer of a vehicle. */
export const useMounts = ({ flt_id }: Pick<Vehicle, 'flt_id'>) => useAnswer(calls.vehicle, { flt_id }, { muted: true })

/** Mounts, takes off, swaps and rotates; its toast takes it back. */
export function useChangeMounts({ license_plate: plate }: Pick<Vehicle, 'license_plate'>) {
  const undoable = useUndoable()
  return useCall(calls.change, {
    done: 'fleet:mount.changed',
    shown: ['odometer.order'],
    offer: ({ flt_id, change }) => (change === null ? undefined : undoable('mount', { plate, flt_id, change })),
  })
}

/** Says that tyres were not mounted after all. */
export function useDenyMounts({ license_plate: plate }: Pick<Vehicle, 'license_plate'>) {
  const undoable = useUndoable()
  return useCall(calls.deny, {
    done: 'fleet:mount.changed',
    offer: ({ flt_id, change }) => (change === null ? undefined : undoable('mount', { plate, flt_id, change })),
  })
}
