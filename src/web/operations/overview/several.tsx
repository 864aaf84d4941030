/** Several operations of the overview at once: submitted or withdrawn, with a result for each (docs/product/screens.md "Several at once"). */
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconArrowBackUp, IconSend } from '@tabler/icons-react'
import { type ReactNode, useCallback, useRef, useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import type { RawInput } from '#contract/call.ts'
import { operations as calls } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import { allows, asksForDelivery } from '#domain/operations/operation.ts'
import { ask, invalidate, Refused } from '../../shared/api.ts'
import { useRemembered } from '../../shared/hooks.ts'
import { Chooser } from '../chooser.tsx'
import { useDeliveryForm } from '../delivery.tsx'
import { showOperation } from '../../shared/operationLists.ts'
import { useSite, useWho } from '../../shared/session.ts'
import { Lines } from '../../several/lines.tsx'
import { countOf, type Line, useSameInput, useSeveral } from '../../several/useSeveral.ts'
import { asDone, useUndoable } from '../../shared/undo/undo.ts'
import { notify } from '../../ui/notify.ts'

type Step = 'submit' | 'withdraw'
const stepOf = { pending: 'submit', submitted: 'withdraw' } as const

/** Whether an operation can be part of a batch: withdrawing half of a swap asks a question of its own. */
function useOffers(step: Step) {
  const who = useWho()
  return useCallback(
    (operation: Operation) =>
      step === 'submit'
        ? allows(operation, 'submit', who)
        : (allows(operation, 'withdraw', who) || allows(operation, 'undo', who)) &&
          !operation.swap &&
          !operation.tyres.some(({ scanned }) => scanned),
    [step, who],
  )
}

type SeveralProps = {
  operations: readonly Operation[]
  status: 'pending' | 'submitted'
  beside: ReactNode
  children: ReactNode
}

/** The bar above the cards, and the cards, which can be chosen. */
export function SeveralOperations({ operations, status, beside, children }: SeveralProps) {
  const { t } = useTranslation('several')
  const step = stepOf[status]
  const offers = useOffers(step)
  const Icon = step === 'submit' ? IconSend : IconArrowBackUp
  return (
    <Chooser
      offers={offers}
      offered={operations.filter(offers)}
      least={2}
      mb={16}
      beside={beside}
      title={t(`${step}Title`)}
      label={count => t(step, { count })}
      icon={<Icon size={16} aria-hidden />}
      renderDialog={(chosen, close) => <Sending step={step} operations={chosen} close={close} />}
    >
      {children}
    </Chooser>
  )
}

type Wanted = Pick<Operation, 'transport' | 'deliveryDate'>

/** Whether a recall still needs a day: it has none, or not one that can be. */
const lacksDay = ({ type, transport, deliveryDate }: Operation, line?: Line<Operation>): boolean =>
  asksForDelivery(type) &&
  (transport === null ||
    deliveryDate === null ||
    (line?.error instanceof Refused && line.error.code.startsWith('delivery.')))

function Sending({ step, operations, close }: { step: Step; operations: readonly Operation[]; close: () => void }) {
  const { t } = useTranslation('several')
  const who = useWho()
  const { transportMethods } = useSite()
  const undoable = useUndoable()
  const several = useSeveral<Operation>()
  const { lines, busy, stop } = several
  const [usual, setUsual] = useRemembered<number | null>('transport', null)
  const [wanted, setWanted] = useState<Wanted>({
    transport:
      (transportMethods.find(({ _id }) => _id === usual) ?? transportMethods.find(method => method.default))?._id ??
      null,
    deliveryDate: null,
  })
  const lineOf = new Map(lines.map(line => [line.item._id, line]))
  const isLeft = ({ _id }: Operation) => lineOf.get(_id)?.state !== 'done'
  const without =
    step === 'submit'
      ? operations.filter(operation => isLeft(operation) && lacksDay(operation, lineOf.get(operation._id)))
      : []
  const delivery = useDeliveryForm({ type: 'to_customer', ...wanted }, change => setWanted({ ...wanted, ...change }))
  const same = useSameInput()
  const answered = useRef(new Map<number, Operation>())

  async function send(operation: Operation) {
    const { _id } = operation
    const day = without.some(operation => operation._id === _id) && wanted
    const after =
      step === 'submit'
        ? await ask(
            calls.update,
            same({ operation: { _id, ...day, status: 'submitted' } } as RawInput<typeof calls.update>),
          )
        : who.type === 'user'
          ? await ask(calls.withdraw, same({ operation: { _id } }))
          : await ask(calls.update, same({ operation: { _id, status: 'pending' } } as RawInput<typeof calls.update>))
    answered.current.set(_id, after)
  }
  async function run() {
    if (without.length > 0 && !delivery.check()) return
    const before = new Set(answered.current.keys())
    await (lines.length === 0 ? several.start(operations, send) : several.again(send))
    const done = [...answered.current.values()].filter(({ _id }) => !before.has(_id))
    for (const operation of done) showOperation(operation)
    await invalidate(calls.update.invalidates)
    if (done.length === 0) return
    if (without.length > 0) setUsual(wanted.transport)
    const count = done.length
    const kept = done.map(asDone)
    const action =
      step === 'submit'
        ? undoable('submit', { by: who.type === 'user' ? 'user' : 'admin', operations: kept })
        : undoable('withdraw', { operations: kept })
    notify.success(t(step === 'submit' ? 'submitted' : 'withdrawn', { count }), { action })
  }
  const left = operations.filter(isLeft).length
  const isBegun = lines.length > 0
  return (
    <Modal
      opened
      onClose={() => (busy ? stop() : close())}
      title={t(`${step}Title`)}
      closeOnClickOutside={!busy}
      size="lg"
    >
      <Stack gap="md">
        {!busy && without.length > 0 && (
          <div>
            <Text size="sm" mb="xs">
              {t('day', { count: without.length })}
            </Text>
            {delivery.fields}
          </div>
        )}
        {isBegun && (
          <Lines
            several={several}
            title={t(`${step}Title`)}
            keyOf={({ _id }) => _id}
            plateOf={({ vehicle }) => vehicle.license_plate}
            typeOf={({ type }) => type}
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
                <Button onClick={() => void run()} data-autofocus={!isBegun || undefined}>
                  {isBegun && countOf(lines, 'refused') > 0 ? t('again') : t(step, { count: left })}
                </Button>
              )}
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
