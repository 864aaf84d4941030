/** The tyres that are still to be scanned, by operation, and the way for a label that can't be read (docs/product/warehouse.md "Intake"). */
import { Button, Group, Text, TextInput } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled, IconClock, IconHandFinger, IconSearch } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { memo, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Operation } from '#contract/wire.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { Empty, Unanswered } from '../shared/screen.tsx'
import { formatDate } from '../shared/format.ts'
import { useToday } from '../shared/hooks.ts'
import { Plate } from '../shared/trade.tsx'
import { DateField } from '../ui/dateField.tsx'
import { Form } from '../ui/form/form.tsx'
import { useForm } from '../ui/form/useForm.ts'
import styles from '../handling/workList.module.css'
import classes from './intake.module.css'
import type { IntakeWork } from './intakeWork.ts'
import { findByHand, type IndexedTyre, progress, toScan } from '../handling/lookup.ts'
import { Progress } from '../handling/progress.tsx'
import { SwapNote } from '../operations/swap.tsx'
import { inPositionOrder } from '../vehicles/diagram/positionOrder.ts'
import { useNames } from '../operations/names.ts'

/** Operations listed at first. */
const pageSize = 25
/** How many tyres a search by hand lists. */
const matchLimit = 12

type ToScanProps = {
  type: OfferedType
  work: IntakeWork
  /** How often the field for an unreadable label was requested. */
  byHand: number
}

/** The operations of a type that still have tyres to scan, as the day in the address narrows them. */
export function ToScan({ type, work, byHand }: ToScanProps) {
  const { t } = useTranslation('intake')
  const today = useToday()
  const search = useSearch({ from: '/admin/intake' })
  const navigate = useNavigate()
  const day = search.day ?? null
  const showDay = (next: IsoDate | null) =>
    void navigate({
      to: '/admin/intake',
      search: ({ type: chosenType, scan }) => ({
        ...(chosenType && { type: chosenType }),
        ...(scan && { scan }),
        ...(next !== null && { day: next }),
      }),
      replace: true,
      resetScroll: false,
    })
  const { operations, waiting, last, error, retry } = work
  const [shown, setShown] = useState(pageSize)
  const list = useMemo(
    () => toScan(operations ?? [], { type, waiting, last, today, day }),
    [operations, type, waiting, last, today, day],
  )
  const left = list.reduce((sum, operation) => {
    const { scanned, total } = progress(operation, waiting)
    return sum + total - scanned
  }, 0)
  return (
    <section className={classes.column} aria-labelledby="to-scan">
      <h2 id="to-scan" className={styles.heading}>
        {t('toScan')} <span className={styles.count}>{operations && t('tyresLeft', { count: left })}</span>
      </h2>
      <ByHand type={type} work={work} focusRequests={byHand} />
      {type !== 'to_waste' && (
        <Group gap="xs" align="flex-end" className={classes.ofDay}>
          <DateField
            label={t(type === 'to_stock' ? 'arrivesOn' : 'deliveredOn')}
            placeholder={t('anyDay')}
            value={day}
            onChange={showDay}
            clearable
            className={classes.day}
          />
          <Button
            variant={day === today ? 'light' : 'default'}
            aria-pressed={day === today}
            onClick={() => showDay(day === today ? null : today)}
          >
            {t('today')}
          </Button>
        </Group>
      )}
      {!operations && <Unanswered error={error} retry={retry} rows={5} height={96} />}
      {operations && list.length === 0 && <Empty text={t(day === null ? `nothingToScan.${type}` : 'nothingOnDay')} />}
      {list.length > 0 && (
        <>
          <ul className={styles.list}>
            {list.slice(0, shown).map(operation => (
              <OperationGroup
                key={operation._id}
                operation={operation}
                waits={operation.tyres.flatMap(({ db_id }) => (waiting.has(db_id) ? db_id : [])).join()}
                last={operation._id === last}
              />
            ))}
          </ul>
          {list.length > shown && (
            <Button variant="default" fullWidth onClick={() => setShown(shown + pageSize)}>
              {t('showMore', { count: Math.min(pageSize, list.length - shown) })}
            </Button>
          )}
        </>
      )}
    </section>
  )
}

type GroupProps = {
  operation: Operation
  /** The ids of its tyres with waiting scans, as text, so that an equal text skips rendering. */
  waits: string
  last: boolean
}

const OperationGroup = memo(function OperationGroup({ operation, waits, last }: GroupProps) {
  const { t } = useTranslation('intake')
  const names = useNames()
  const { type, vehicle, user, services, deliveryDate } = operation
  const waiting = new Set(waits.split(',').map(Number))
  const day =
    deliveryDate &&
    (type === 'to_stock' ? t('arrivalOn', { date: formatDate(deliveryDate) }) : formatDate(deliveryDate))
  return (
    <li className={`${styles.entry} ${classes.group}`} data-last={last || undefined}>
      <div className={classes.groupHead}>
        <Plate plate={vehicle.license_plate} />
        <span className={classes.groupFacts}>
          <Text size="sm" fw={500} lh={1.3}>
            {user.companyname}
          </Text>
          <Text size="xs" c="dimmed">
            {[day, ...services.map(names.service)].filter(Boolean).join(' · ')}
          </Text>
          <SwapNote swap={operation.swap} />
        </span>
        <Progress {...progress(operation, waiting)} />
      </div>
      <ul className={classes.tyres}>
        {inPositionOrder(operation.tyres).map(tyre => {
          const done = tyre.scanned ? 'scanned' : 'open'
          const state = waiting.has(tyre.db_id) ? 'waits' : done
          return (
            <li key={tyre.db_id} data-state={state}>
              {state === 'open' && <IconCircle size={16} role="img" aria-label={t('tyreState.open')} />}
              {state === 'waits' && <IconClock size={16} role="img" aria-label={t('tyreState.waits')} />}
              {state === 'scanned' && (
                <IconCircleCheckFilled size={16} role="img" aria-label={t('tyreState.scanned')} />
              )}
              <span className={classes.tyrePosition}>{tyre.position}</span>
              <span className={classes.tyreText}>{tyre.description}</span>
              {tyre.stock_rack && <span className={classes.tyreRack}>{tyre.stock_rack}</span>}
            </li>
          )
        })}
      </ul>
    </li>
  )
})

/** A damaged label: find the tyre by its plate or number, and pick it. */
function ByHand({ type, work, focusRequests }: { type: OfferedType; work: IntakeWork; focusRequests: number }) {
  const { t } = useTranslation('intake')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focusRequests > 0) field.current?.focus()
  }, [focusRequests])
  const form = useForm({ initial: { typed: '' } })
  const { typed } = form.values
  const entries = useMemo(
    () => findByHand(work.operations ?? [], { type, typed, waiting: work.waiting }),
    [work.operations, work.waiting, type, typed],
  )
  const shown = entries.slice(0, matchLimit)
  const [only] = entries.length === 1 ? entries : []

  const isDone = ({ tyre }: IndexedTyre) => tyre.scanned || work.waiting.has(tyre.db_id)

  /** Enter picks when there is nothing to choose. */
  function pickOnly() {
    if (!only || isDone(only)) return
    work.pick(only)
    form.set({ typed: '' })
  }
  return (
    <Form form={form} onSubmit={pickOnly} className={classes.byHand}>
      <TextInput
        {...form.text('typed')}
        ref={field}
        label={t('byHand')}
        description={t('byHandText')}
        leftSection={<IconSearch size={16} aria-hidden />}
        type="search"
      />
      {typed !== '' && (
        <div role="region" aria-label={t('byHandFound')} aria-live="polite">
          <Text size="sm" c="dimmed" mt={6}>
            {t('found', { count: entries.length })}
          </Text>
          <ul className={classes.found}>
            {shown.map(entry => {
              const { tyre, operation } = entry
              const done = isDone(entry)
              return (
                <li key={tyre.db_id}>
                  <Plate plate={operation.vehicle.license_plate} size="sm" />
                  <span className={classes.tyrePosition}>{tyre.position}</span>
                  <span className={classes.tyreText}>
                    {tyre.description} <small>{tyre.db_id}</small>
                  </span>
                  <Button
                    size="compact-sm"
                    variant={done ? 'subtle' : 'light'}
                    leftSection={<IconHandFinger size={15} aria-hidden />}
                    disabled={done}
                    {...(!done && {
                      'aria-label': t('pickTyre', {
                        position: tyre.position,
                        plate: formatPlate(operation.vehicle.license_plate),
                      }),
                    })}
                    onClick={() => work.pick(entry)}
                  >
                    {t(done ? 'picked' : 'pick')}
                  </Button>
                </li>
              )
            })}
          </ul>
          {entries.length > matchLimit && (
            <Text size="xs" c="dimmed">
              {t('typeMore')}
            </Text>
          )}
        </div>
      )}
    </Form>
  )
}
