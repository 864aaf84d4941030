import { locations } from '#contract/locations.ts'
import { returnable } from '#domain/tyres/wheel.ts'
import { useCall } from '../shared/api.ts'
import { locationName } from '../shared/format.ts'
import { useUndoable } from '../shared/undo/undo.ts'

type Texts = Pick<NonNullable<Parameters<typeof useCall<typeof locations.move>>[1]>, 'doing' | 'done'>

/** Puts wheels on a location, and offers to put them back where they were. */
export function useMove(texts: Texts = { done: 'common:performed' }) {
  const undoable = useUndoable()
  return useCall(locations.move, {
    ...texts,
    offer: ({ former, ...there }, { location }) => {
      // wheels that were there already have not been moved
      const wheels = former.filter(wheel => wheel.location !== Number(location) || wheel.state !== 'at_place')
      const canReturn = wheels.every(({ state }) => returnable.some(candidate => candidate === state))
      if (wheels.length === 0 || !canReturn) return undefined
      return undoable('place', { location: Number(location), rack: locationName(there), wheels })
    },
  })
}
