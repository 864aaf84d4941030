import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { operations } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import {
  arrivalRefusals,
  deliveryDayRefusal,
  type DeliveryRefusal,
  firstDeliveryDate,
  lastDeliveryDate,
  likelyArrival,
  selfDelivered,
  type TransportRules,
} from '#domain/operations/delivery.ts'
import { mayHaveDay, offersArrival } from '#domain/operations/operation.ts'
import { useAnswer } from '../shared/api.ts'
import { useSite } from '../shared/session.ts'
import { Choice } from '../ui/select.tsx'
import { DateField } from '../ui/dateField.tsx'
import { focusWrongField } from '../ui/wrongField.ts'
import { formatDate } from '../shared/format.ts'
import { dayName } from '../shared/weekdays.ts'
import classes from './card.module.css'
import { describedIn, nextDays, transportOf } from './deliveryDays.ts'
import type { EditsOfCard } from './useEdits.ts'

/** The moment, for rules that turn with the clock: a cut-off hour passes while the card is open. */
export function useMoment() {
  const { time_zone: timeZone, closedDays } = useSite()
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return { now, timeZone, closedDays: closedDays.map(({ day }) => day) }
}

/** The fields of an existing or new operation that its delivery depends on. */
type Delivered = Pick<Operation, 'type' | 'transport' | 'deliveryDate'>

/** The transport and day of a recall, or of an arriving storage, with their errors and the choices on offer. */
export function useDelivery(shown: Delivered) {
  const { transportMethods } = useSite()
  const at = useMoment()
  const transport = transportOf(shown, transportMethods)
  const isArrival = offersArrival(shown.type)
  const isAsked = mayHaveDay(shown.type)
  const booked = useAnswer(
    operations.bookedtransportdays,
    { transportMethod: transport?._id ?? 0, type: isArrival ? 'to_stock' : 'to_customer' },
    { enabled: isAsked && transport !== undefined },
  )
  const days = booked.data ?? []
  // tyres to be stored come by themselves where no transport is chosen
  const rules = transport ?? (isArrival ? selfDelivered : undefined)
  const isOpen = isArrival && !transport && shown.deliveryDate === null
  const refusal: DeliveryRefusal | 'delivery.transport_missing' | null = isOpen
    ? null
    : !rules
      ? 'delivery.transport_missing'
      : shown.deliveryDate === null
        ? 'delivery.missing'
        : deliveryDayRefusal(shown.deliveryDate, rules, days, at)
  return {
    methods: transportMethods,
    transport,
    rules,
    isArrival,
    at,
    days,
    loading: booked.isFetching && !booked.data,
    /** Why the operation can't be submitted as it is; `null` when it can, and for types without a day. */
    refusal: isAsked ? refusal : null,
  }
}
type Delivery = ReturnType<typeof useDelivery>

type FieldsProps = {
  shown: Delivered
  edits: Pick<EditsOfCard, 'change'>
  delivery: Delivery
  /** A submission was tried: from then on a missing field shows its error. */
  tried: boolean
  /** Whether the field that is wrong is to have the focus; `onPointed` is called once it has. */
  pointing: boolean
  onPointed: () => void
}

/** Transport method and day: only days on which this transport still delivers, or takes storages along, can be picked. */
export function DeliveryFields({ shown, edits, delivery, tried, pointing, onPointed }: FieldsProps) {
  const { t, i18n } = useTranslation(['operations', 'failures'])
  const { methods, transport, rules, isArrival, refusal } = delivery
  const transportField = useRef<HTMLInputElement>(null)
  const dateField = useRef<HTMLInputElement>(null)
  // Once the fields are there: they may first wait for their texts.
  useEffect(() => {
    if (!pointing) return
    const field = rules ? dateField : transportField
    field.current?.focus()
    onPointed()
  }, [pointing, onPointed, rules])
  // A day that was typed and can't be: it is never saved.
  const [wrong, setWrong] = useState<DeliveryRefusal | null>(null)
  const missing = refusal === 'delivery.missing' || refusal === 'delivery.transport_missing'
  const error = wrong ?? (missing && !tried ? null : refusal)

  function take(date: string | null) {
    const refused = date && rules ? deliveryDayRefusal(date, rules, delivery.days, delivery.at) : null
    setWrong(refused)
    if (!refused && rules) edits.change({ transport: transport?._id ?? null, deliveryDate: date })
  }

  return (
    <Stack gap="xs">
      <Choice
        ref={transportField}
        label={t('operations:transport')}
        {...(isArrival
          ? { clearable: true, placeholder: t('operations:selfDelivered'), description: t('operations:arrivalHint') }
          : { required: true })}
        data={methods.map(method => ({ value: String(method._id), label: describedIn(i18n.language, method) }))}
        value={transport ? String(transport._id) : null}
        onChange={id => {
          setWrong(null)
          edits.change({ transport: id === null ? null : Number(id) })
        }}
        error={error === 'delivery.transport_missing' && t('failures:delivery.transport_missing')}
      />
      {rules && (
        <DayField
          ref={dateField}
          delivery={delivery}
          rules={rules}
          day={shown.deliveryDate}
          take={take}
          isWrong={wrong !== null}
          error={
            error !== null &&
            error !== 'delivery.transport_missing' &&
            t(`failures:${isArrival ? arrivalRefusals[error] : error}`)
          }
        />
      )}
    </Stack>
  )
}

type FormOptions = {
  /** Also of a type that may go without a day. */
  dayNeeded?: boolean
}

/** The delivery fields of a dialog, and whether they can be sent. */
export function useDeliveryForm(
  shown: Delivered,
  change: EditsOfCard['change'],
  { dayNeeded = false }: FormOptions = {},
) {
  const delivery = useDelivery(shown)
  const [tried, setTried] = useState(false)
  const [pointing, setPointing] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const isMissing = delivery.refusal !== null || (dayNeeded && shown.deliveryDate === null)
  return {
    tried,
    fields: (
      <div ref={box}>
        <DeliveryFields
          shown={shown}
          edits={{ change }}
          delivery={delivery}
          tried={tried}
          pointing={pointing}
          onPointed={() => setPointing(false)}
        />
      </div>
    ),
    /** Shows errors of the fields, if any. A faulty field takes the focus unless the rest of the input is incomplete (`isThere` is false). */
    check(isThere = true): boolean {
      if (!isThere || isMissing) {
        setTried(true)
        setPointing(isThere)
        return false
      }
      return !focusWrongField(box.current)
    },
  }
}

type DayProps = {
  ref: RefObject<HTMLInputElement | null>
  delivery: Delivery
  rules: TransportRules
  day: IsoDate | null
  take: (day: IsoDate | null) => void
  /** The field holds a day that can't be. */
  isWrong: boolean
  error: string | false
}

function DayField({ ref, delivery, rules, day, take, isWrong, error }: DayProps) {
  const { t, i18n } = useTranslation('operations')
  const { methods, transport, isArrival, at, days, loading } = delivery
  const first = firstDeliveryDate(rules, at)
  const last = lastDeliveryDate(at)
  // one before it may be full
  const [firstFree] = nextDays(rules, days, at, 1)
  const next = nextDays(transport ? rules : likelyArrival(methods), days, at, 4)
  if (first === null)
    return (
      <Text size="sm" c="red" role="alert">
        {t('neverDelivers')}
      </Text>
    )
  return (
    <>
      <DateField
        ref={ref}
        label={t(isArrival ? 'arrivalDate' : 'deliveryDate')}
        description={t('deliveryRange', { first: formatDate(firstFree ?? first), last: formatDate(last) })}
        {...(isArrival && !transport ? { clearable: true } : { required: true })}
        value={day}
        onChange={take}
        minDate={first}
        maxDate={last}
        excludeDate={date => deliveryDayRefusal(date, rules, days, at) !== null}
        hideOutsideDates
        {...(isWrong && { 'data-wrong': true })}
        error={error}
        // Above the field, where the calendar does not cover it.
        inputWrapperOrder={['label', 'description', 'error', 'input']}
        {...(loading && { leftSection: <Loader size={16} /> })}
      />
      <Group
        gap={6}
        mih={26}
        role="group"
        aria-label={t(isArrival ? 'nextArrivals' : 'nextDays')}
        className={classes.days}
      >
        {/* before it is known which days are full, none is offered */}
        {(loading ? [] : next).map(date => (
          <Button
            key={date}
            size="compact-sm"
            variant={day === date ? 'filled' : 'default'}
            aria-pressed={day === date}
            onClick={() => take(date)}
          >
            {nearDay(date, i18n.language)}
          </Button>
        ))}
      </Group>
    </>
  )
}

/** A near day as people call it, without its year: Mon 23/11. */
const nearDay = (day: string, language: string): string => dayName(day, language, 'short').slice(0, -'/2026'.length)
