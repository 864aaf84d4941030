/** Submitted operations that are given another day, or another transport: one or several, with a result for each (docs/product/screens.md "Several at once"). */
import { Button, Group, Modal, Stack } from '@mantine/core'
import { IconCalendarEvent } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { operations as calls } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import { asksForDelivery, mayHaveDay } from '#domain/operations/operation.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import { ask, invalidate } from '../shared/api.ts'
import { Chooser } from '../operations/chooser.tsx'
import { useDeliveryForm } from '../operations/delivery.tsx'
import { showOperation } from '../shared/operationLists.ts'
import { Lines } from '../several/lines.tsx'
import { countOf, useSameInput, useSeveral } from '../several/useSeveral.ts'
import { asDone, useUndoable } from '../shared/undo/undo.ts'
import { notify } from '../ui/notify.ts'

/** An operation that has begun stays on its day: its wheels are on their way. */
const canMove = ({ tyres }: Operation): boolean => !tyres.some(({ scanned }) => scanned)

type Props = { operations: readonly Operation[]; type: OfferedType; children: ReactNode }

/** The bar above the rows, and the rows, which can be chosen. */
export function ManyOperations({ operations, type, children }: Props) {
  const { t } = useTranslation('several')
  const offered = mayHaveDay(type) ? operations.filter(canMove) : []
  return (
    <Chooser
      offers={canMove}
      offered={offered}
      least={1}
      mb={8}
      title={t('rescheduleTitle')}
      label={count => t('reschedule', { count })}
      labelOfAll={count => t('chooseToReschedule', { count })}
      icon={<IconCalendarEvent size={16} aria-hidden />}
      renderDialog={(chosen, close) => <Reschedule operations={chosen} type={type} close={close} />}
    >
      {children}
    </Chooser>
  )
}

/** The common value; `null` when they differ. */
const sameOf = <T,>(values: readonly T[]): T | null => (new Set(values).size === 1 ? (values[0] ?? null) : null)

type RescheduleProps = { operations: readonly Operation[]; type: OfferedType; close: () => void }

function Reschedule({ operations, type, close }: RescheduleProps) {
  const { t } = useTranslation('several')
  const undoable = useUndoable()
  const several = useSeveral<Operation>()
  const { lines, busy, stop } = several
  const [wanted, setWanted] = useState<Pick<Operation, 'transport' | 'deliveryDate'>>({
    transport: sameOf(operations.map(({ transport }) => transport)),
    deliveryDate: null,
  })
  const delivery = useDeliveryForm({ type, ...wanted }, change => setWanted({ ...wanted, ...change }), {
    dayNeeded: !asksForDelivery(type),
  })
  const same = useSameInput()
  const answered = useRef(new Map<number, { before: Operation; after: Operation }>())

  async function send(before: Operation) {
    const after = await ask(calls.reschedule, same({ operation: { _id: before._id, ...wanted } }))
    answered.current.set(before._id, { before, after })
  }
  async function run() {
    if (!delivery.check()) return
    const answeredIds = new Set(answered.current.keys())
    await (lines.length === 0 ? several.start(operations, send) : several.again(send))
    const done = [...answered.current.values()].filter(({ after }) => !answeredIds.has(after._id))
    for (const { after } of done) showOperation(after)
    await invalidate(calls.reschedule.invalidates)
    if (done.length === 0) return
    const action = undoable('reschedule', {
      operations: done.map(({ before, after }) => ({
        ...asDone(after),
        transport: before.transport,
        deliveryDate: before.deliveryDate,
      })),
    })
    notify.success(t('rescheduled', { count: done.length }), { action })
  }
  const left = operations.length - countOf(lines, 'done')
  const isBegun = lines.length > 0
  return (
    <Modal
      opened
      onClose={() => (busy ? stop() : close())}
      title={t('rescheduleTitle')}
      closeOnClickOutside={!busy}
      size="lg"
    >
      <Stack gap="md">
        {!busy && left > 0 && delivery.fields}
        {isBegun && (
          <Lines
            several={several}
            title={t('rescheduleTitle')}
            keyOf={({ _id }) => _id}
            plateOf={({ vehicle }) => vehicle.license_plate}
          />
        )}
        <Group justify="flex-end" gap="xs">
          {busy ? (
            <Button variant="default" onClick={stop}>
              {t('stop')}
            </Button>
          ) : (
            <>
              <Button variant="default" onClick={close}>
                {t('close')}
              </Button>
              {left > 0 && (
                <Button onClick={() => void run()}>
                  {isBegun ? t('again') : t('reschedule', { count: operations.length })}
                </Button>
              )}
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
