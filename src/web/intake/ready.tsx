/** The operations of a type that await confirmation, here or on another device (docs/product/warehouse.md "Intake"). */
import type { Operation } from '#contract/wire.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import { progress, readyToConfirm } from '../handling/lookup.ts'
import { usePutOff } from '../handling/putOff.ts'
import { ReadyToConfirm } from '../handling/readyToConfirm.tsx'
import type { IntakeWork } from './intakeWork.ts'

type ReadyProps = { type: OfferedType; work: IntakeWork; confirm: (operation: Operation) => void }

/** Those whose tyres are all scanned, and those whose question was put off; without the one offered on the card above. */
export function Ready({ type, work, confirm }: ReadyProps) {
  const { operations = [], waiting, last } = work
  const putOff = usePutOff()
  const full = readyToConfirm(operations, { type, waiting, last })
  const others = operations.filter(
    operation => operation.type === type && putOff.includes(operation._id) && !full.includes(operation),
  )
  const onCard = work.state.history[0]?.operation?._id
  const ready = [...others, ...full].filter(operation => operation._id !== onCard || !progress(operation, waiting).full)
  return <ReadyToConfirm operations={ready} waiting={waiting} confirm={confirm} />
}
