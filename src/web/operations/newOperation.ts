/** Creates an operation for tyres of one vehicle, and repeats the same call when its answer was lost. */
import { useRef } from 'react'
import { operations } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import { useCall } from '../shared/api.ts'
import { addOperation } from '../shared/operationLists.ts'

type Wish = {
  flt_id: number
  license_plate: string
  kind: string
  type: OfferedType
  tyres: number[]
  takenOff?: IsoDate
}

export const askForOperation = ({ flt_id, license_plate, kind, type, tyres, takenOff }: Wish) => ({
  operation: {
    flt_id,
    tyres,
    operationType: type,
    ...(takenOff !== undefined && { takenOff }),
    vehicle: { type: [kind], license_plate: [license_plate] },
  },
})

/**
 * Creates an operation, and puts it into the lists. Asked for the same again after a failure it is the same call, which the
 * server makes once: an answer may have been lost.
 */
export function useNewOperation(): (wish: Wish) => Promise<Operation> {
  const create = useCall(operations.new, {
    doing: 'wizard:creating',
    done: 'wizard:created',
    // the next one says that it is submitted
    about: 'operation',
  })
  const failed = useRef<ReturnType<typeof askForOperation>>(null)
  return async wish => {
    const wanted = askForOperation(wish)
    const before = failed.current
    const input = before && JSON.stringify(before) === JSON.stringify(wanted) ? before : wanted
    failed.current = input
    const operation = await create.mutateAsync(input)
    failed.current = null
    addOperation(operation)
    return operation
  }
}
