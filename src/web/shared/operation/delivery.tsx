import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { operations } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import {
  deliveryDayRefusal,
  type DeliveryRefusal,
  firstDeliveryDate,
  lastDeliveryDate,
  selfDelivered,
} from '#domain/delivery.ts'
import { asksForDelivery, offersArrival } from '#domain/operation.ts'
import { useAnswer } from '../api.ts'
import { useSite } from '../session.ts'
import { Choice } from '../../ui/select.tsx'
import { DateField } from '../../ui/dateField.tsx'
import { formatDate } from '../format.ts'
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

/** What of an operation, or of one that is about to be made, its delivery depends on. */
type Delivered = Pick<Operation, 'type' | 'transport' | 'deliveryDate'>

/** The transport and the day of a recall, or of a storage that arrives, what is wrong with them, and what they can be. */
export function useDelivery(shown: Delivered) {
  const { transportMethods } = useSite()
  const at = useMoment()
  const transport = transportOf(shown, transportMethods)
  const isArrival = offersArrival(shown.type)
  const isAsked = asksForDelivery(shown.type) || isArrival
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
  /** Somebody tried to submit: then a missing field shows its error. */
  tried: boolean
  /** Whether the field that is wrong is to have the focus; `onPointed` hears that it has. */
  pointing: boolean
  onPointed: () => void
}

/** Transport method and day: only days on which this transport still delivers, or takes storages along, can be picked. */
export function DeliveryFields({ shown, edits, delivery, tried, pointing, onPointed }: FieldsProps) {
  const { t, i18n } = useTranslation(['operations', 'failures'])
  const { methods, transport, rules, isArrival, at, days, loading, refusal } = delivery
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
  const first = rules ? firstDeliveryDate(rules, at) : null
  // the first that can be chosen: one before it may be full
  const [open = first] = rules ? nextDays(rules, days, at, 1) : []
  const last = lastDeliveryDate(at)
  const missing = refusal === 'delivery.missing' || refusal === 'delivery.transport_missing'
  const error = wrong ?? (missing && !tried ? null : refusal)

  function take(date: string | null) {
    const refused = date && rules ? deliveryDayRefusal(date, rules, days, at) : null
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
      {rules && first === null ? (
        <Text size="sm" c="red" role="alert">
          {t('operations:neverDelivers')}
        </Text>
      ) : (
        rules && (
          <>
            <DateField
              ref={dateField}
              label={t(isArrival ? 'operations:arrivalDate' : 'operations:deliveryDate')}
              description={t('operations:deliveryRange', { first: formatDate(open), last: formatDate(last) })}
              {...(isArrival && !transport ? { clearable: true } : { required: true })}
              value={shown.deliveryDate}
              onChange={take}
              minDate={first ?? last}
              maxDate={last}
              excludeDate={date => deliveryDayRefusal(date, rules, days, at) !== null}
              hideOutsideDates
              {...(wrong && { 'data-wrong': true })}
              error={error !== null && error !== 'delivery.transport_missing' && t(`failures:${error}`)}
              // Above the field, where the calendar does not cover it.
              inputWrapperOrder={['label', 'description', 'error', 'input']}
              {...(loading && { leftSection: <Loader size={16} /> })}
            />
            <Group
              gap={6}
              role="group"
              aria-label={t(isArrival ? 'operations:nextArrivals' : 'operations:nextDays')}
              className={classes.days}
            >
              {nextDays(rules, days, at, 4).map(day => (
                <Button
                  key={day}
                  size="compact-sm"
                  variant={shown.deliveryDate === day ? 'light' : 'default'}
                  aria-pressed={shown.deliveryDate === day}
                  onClick={() => take(day)}
                >
                  {dayName(day, i18n.language)}
                </Button>
              ))}
            </Group>
          </>
        )
      )}
    </Stack>
  )
}

/** A near day as people call it: Mon 23/11. */
function dayName(day: string, language: string): string {
  const name = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )
  return `${name} ${day.slice(8)}/${day.slice(5, 7)}`
}
