/** Several operations of the overview at once: submitted or withdrawn, with a result for each (docs/product.md "Several at once"). */
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconArrowBackUp, IconSend, IconX } from '@tabler/icons-react'
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RawInput } from '#contract/call.ts'
import { operations as calls } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import { allows, asksForDelivery } from '#domain/operation.ts'
import { ask, invalidate, Refused } from '../shared/api.ts'
import { useRemembered } from '../shared/hooks.ts'
import { type Choosing, ChoosingContext } from '../shared/operation/choosing.ts'
import { DeliveryFields, useDelivery } from '../shared/operation/delivery.tsx'
import { showOperation } from '../shared/operation/lists.ts'
import { useSite, useWho } from '../shared/session.ts'
import { Lines } from '../shared/several/lines.tsx'
import { countOf, type Line, useSeveral } from '../shared/several/useSeveral.ts'
import { asDone, useUndoable } from '../shared/undo/undo.ts'
import { notify } from '../ui/notify.ts'
import classes from './operations.module.css'

type Step = 'submit' | 'withdraw'
const stepOf = { pending: 'submit', submitted: 'withdraw' } as const

/** Whether several can take their step with this one: a half of a swap that is withdrawn is asked about, by itself. */
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

type SeveralProps = { operations: readonly Operation[]; status: 'pending' | 'submitted'; children: ReactNode }

/** The bar above the cards, and the cards, which can be chosen. */
export function SeveralOperations({ operations, status, children }: SeveralProps) {
  const { t } = useTranslation('several')
  const step = stepOf[status]
  const offers = useOffers(step)
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const [sent, setSent] = useState<readonly Operation[] | null>(null)
  const offered = operations.filter(offers)
  const chosen = offered.filter(({ _id }) => ids.has(_id))
  const choosing = useMemo<Choosing>(
    () => ({
      chosen: ids,
      offers,
      toggle: ({ _id }) =>
        setIds(now => {
          const next = new Set(now)
          if (!next.delete(_id)) next.add(_id)
          return next
        }),
    }),
    [ids, offers],
  )
  return (
    <ChoosingContext value={offered.length > 1 ? choosing : null}>
      {offered.length > 1 && (
        <div className={classes.choosing} role="group" aria-label={t(`${step}Title`)} data-choosing>
          {chosen.length > 0 && (
            <>
              <Text size="sm" role="status">
                {t('chosen', { count: chosen.length })}
              </Text>
              <Button
                size="compact-md"
                leftSection={
                  step === 'submit' ? <IconSend size={16} aria-hidden /> : <IconArrowBackUp size={16} aria-hidden />
                }
                onClick={() => setSent(chosen)}
              >
                {t(step, { count: chosen.length })}
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
        <Sending
          step={step}
          operations={sent}
          close={() => {
            setSent(null)
            setIds(new Set())
          }}
        />
      )}
    </ChoosingContext>
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
  const [tried, setTried] = useState(false)
  const [pointing, setPointing] = useState(false)
  const lineOf = new Map(lines.map(line => [line.item._id, line]))
  const isLeft = ({ _id }: Operation) => lineOf.get(_id)?.state !== 'done'
  const without = step === 'submit' ? operations.filter(one => isLeft(one) && lacksDay(one, lineOf.get(one._id))) : []
  const shown = { type: 'to_customer' as const, ...wanted }
  const delivery = useDelivery(shown)
  // what was asked of an operation: asked again it is the same call, and its answer is given again
  const asked = useRef(new Map<string, unknown>())
  const answered = useRef(new Map<number, Operation>())

  function same<T extends object>(input: T): T {
    const key = JSON.stringify(input)
    const before = asked.current.get(key) as T | undefined
    if (!before) asked.current.set(key, input)
    return before ?? input
  }
  async function send(operation: Operation) {
    const { _id } = operation
    const day = without.some(one => one._id === _id) && wanted
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
    if (without.length > 0 && delivery.refusal) {
      setTried(true)
      setPointing(true)
      return
    }
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
            <DeliveryFields
              shown={shown}
              edits={{ change: change => setWanted({ ...wanted, ...change }) }}
              delivery={delivery}
              tried={tried}
              pointing={pointing}
              onPointed={() => setPointing(false)}
            />
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
