/** Submitted operations that are given another day, or another transport: one or several, with a result for each (docs/product.md "Several at once"). */
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconCalendarEvent, IconX } from '@tabler/icons-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RawInput } from '#contract/call.ts'
import { operations as calls } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import { asksForDelivery, mayHaveDay } from '#domain/operation.ts'
import type { OfferedType } from '#domain/tyre.ts'
import { ask, invalidate } from '../shared/api.ts'
import { type Choosing, ChoosingContext } from '../shared/operation/choosing.ts'
import { DeliveryFields, useDelivery } from '../shared/operation/delivery.tsx'
import { showOperation } from '../shared/operation/lists.ts'
import { Lines } from '../shared/several/lines.tsx'
import { countOf, useSeveral } from '../shared/several/useSeveral.ts'
import { asDone, useUndoable } from '../shared/undo/undo.ts'
import { notify } from '../ui/notify.ts'
import classes from './desk.module.css'

/** What has begun stays on its day: the wheels are on their way. */
const canMove = ({ tyres }: Operation): boolean => !tyres.some(({ scanned }) => scanned)

type Props = { operations: readonly Operation[]; type: OfferedType; children: ReactNode }

/** The bar above the rows, and the rows, which can be chosen. */
export function ManyOperations({ operations, type, children }: Props) {
  const { t } = useTranslation('several')
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const [sent, setSent] = useState<readonly Operation[] | null>(null)
  const offered = useMemo(() => (mayHaveDay(type) ? operations.filter(canMove) : []), [operations, type])
  const chosen = offered.filter(({ _id }) => ids.has(_id))
  const choosing = useMemo<Choosing>(
    () => ({
      chosen: ids,
      offers: canMove,
      toggle: ({ _id }) =>
        setIds(now => {
          const next = new Set(now)
          if (!next.delete(_id)) next.add(_id)
          return next
        }),
    }),
    [ids],
  )
  return (
    <ChoosingContext value={offered.length > 0 ? choosing : null}>
      {offered.length > 0 && (
        <div className={classes.choosing} role="group" aria-label={t('rescheduleTitle')} data-choosing>
          {chosen.length > 0 && (
            <>
              <Text size="sm" role="status">
                {t('chosen', { count: chosen.length })}
              </Text>
              <Button
                size="compact-md"
                leftSection={<IconCalendarEvent size={16} aria-hidden />}
                onClick={() => setSent(chosen)}
              >
                {t('reschedule', { count: chosen.length })}
              </Button>
            </>
          )}
          {chosen.length < offered.length && (
            <Button variant="default" size="compact-md" onClick={() => setIds(new Set(offered.map(({ _id }) => _id)))}>
              {t('chooseAll', { count: offered.length })}
            </Button>
          )}
          {chosen.length > 0 && (
            <Button
              variant="subtle"
              size="compact-md"
              leftSection={<IconX size={14} aria-hidden />}
              onClick={() => setIds(new Set())}
            >
              {t('none')}
            </Button>
          )}
        </div>
      )}
      {children}
      {sent && (
        <Reschedule
          operations={sent}
          type={type}
          close={() => {
            setSent(null)
            setIds(new Set())
          }}
        />
      )}
    </ChoosingContext>
  )
}

/** The day that all of them have, where they have the same. */
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
  const [tried, setTried] = useState(false)
  const [pointing, setPointing] = useState(false)
  const shown = { type, ...wanted }
  const delivery = useDelivery(shown)
  const isMissing = delivery.refusal !== null || (!asksForDelivery(type) && wanted.deliveryDate === null)
  // what was asked of an operation: asked again it is the same call, and its answer is given again
  const asked = useRef(new Map<string, RawInput<typeof calls.reschedule>>())
  const answered = useRef(new Map<number, { before: Operation; after: Operation }>())

  async function send(before: Operation) {
    const input = { operation: { _id: before._id, ...wanted } }
    const key = JSON.stringify(input)
    const same = asked.current.get(key) ?? input
    asked.current.set(key, same)
    answered.current.set(before._id, { before, after: await ask(calls.reschedule, same) })
  }
  async function run() {
    if (isMissing) {
      setTried(true)
      setPointing(true)
      return
    }
    const known = new Set(answered.current.keys())
    await (lines.length === 0 ? several.start(operations, send) : several.again(send))
    const done = [...answered.current.values()].filter(({ after }) => !known.has(after._id))
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
        {!busy && left > 0 && (
          <DeliveryFields
            shown={shown}
            edits={{ change: change => setWanted({ ...wanted, ...change }) }}
            delivery={delivery}
            tried={tried}
            pointing={pointing}
            onPointed={() => setPointing(false)}
          />
        )}
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
