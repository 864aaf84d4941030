/** Submitted operations as rows that open to their tyres. Only the rows in sight exist: thousands scroll like ten. */
import { ActionIcon, Button, Menu, Text, VisuallyHidden } from '@mantine/core'
import {
  IconArrowBackUp,
  IconCheck,
  IconChevronRight,
  IconDots,
  IconMessage,
  IconPrinter,
  IconScan,
  IconX,
} from '@tabler/icons-react'
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type FocusEvent,
  type KeyboardEvent,
  memo,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { Operation } from '#contract/wire.ts'
import { asksForDelivery, asksForParts } from '#domain/operation.ts'
import type { OfferedType } from '#domain/tyre.ts'
import { useSite } from '../shared/session.ts'
import { formatDate, formatMoment } from '../shared/format.ts'
import { useLatest } from '../ui/hooks.ts'
import { useLabels } from '../shared/operation/labels.ts'
import { VehiclePlate } from '../shared/vehicle/vehiclePlate.tsx'
import { useDesk } from '../shared/handling/desk.ts'
import classes from './desk.module.css'
import { progress } from '../shared/handling/lookup.ts'
import { Progress } from '../shared/handling/progress.tsx'
import { TyreTable } from './tyreTable.tsx'
import { useNames } from '../shared/handling/words.ts'

const nothing = new Set<number>()
const rowHeight = 49
const rowsPerPage = 10

/** What can be done with an operation, the same functions for as long as the list is there. */
type Steps = Record<'undo' | 'confirm' | 'cancel' | 'markAll', (operation: Operation) => void>

export function OperationRows({ operations, type }: { operations: readonly Operation[]; type: OfferedType }) {
  const { t } = useTranslation(['admin', 'common'])
  const desk = useLatest(useDesk())
  const steps = useMemo<Steps>(
    () => ({
      undo: operation => void desk.current.undo(operation),
      confirm: operation => void desk.current.confirm(operation),
      cancel: operation => void desk.current.cancel(operation),
      markAll: operation => void desk.current.markAll(operation),
    }),
    [desk],
  )
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const { list, virtual, active, focused, left, moved } = useRows(operations)

  const toggle = useCallback(
    (_id: number) =>
      setOpen(open => {
        const next = new Set(open)
        if (!next.delete(_id)) next.add(_id)
        return next
      }),
    [],
  )

  return (
    <div role="table" aria-label={t(`types.${type}`)} aria-rowcount={operations.length + 1} className={classes.table}>
      <div role="rowgroup" className={classes.heads}>
        <div role="row" aria-rowindex={1} className={classes.row} data-type={type}>
          <div role="columnheader">{t('vehicle')}</div>
          <div role="columnheader">{t('customer')}</div>
          <div role="columnheader">{t('tyres')}</div>
          {type === 'to_customer' && <div role="columnheader">{t('delivery')}</div>}
          {type === 'to_stock' && <div role="columnheader">{t('parts')}</div>}
          <div role="columnheader">{t('servicesAndRemarks')}</div>
          <div role="columnheader">{t('submittedAt')}</div>
          <div role="columnheader">
            <VisuallyHidden>{t('actions')}</VisuallyHidden>
            {/* Each row is a grid of its own: the same button makes the last column as wide here as in the rows. */}
            <div className={classes.measure} aria-hidden>
              <Button component="span" size="compact-sm" leftSection={<IconCheck size={16} />} tabIndex={-1}>
                {t('confirm')}
              </Button>
              <ActionIcon component="span" size="lg" />
            </div>
          </div>
        </div>
      </div>
      {/* The arrow keys are an addition to Tab; each control in a row works without them. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        ref={list}
        className={classes.body}
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={moved}
        onFocus={focused}
        onBlur={left}
      >
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const operation = operations[index]
          return (
            operation && (
              <div
                key={key}
                role="rowgroup"
                data-index={index}
                ref={virtual.measureElement}
                className={classes.item}
                style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
              >
                <Row
                  operation={operation}
                  index={index}
                  steps={steps}
                  reachable={index === active}
                  open={open.has(operation._id)}
                  toggle={toggle}
                />
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}

/** Which rows exist, and one row at a time in the order of the Tab key: arrows, Page, Home and End go to another. */
function useRows(operations: readonly Operation[]) {
  const list = useRef<HTMLDivElement>(null)
  const [margin, setMargin] = useState(0)
  const [chosen, setActive] = useState(0)
  const active = Math.min(chosen, operations.length - 1)
  const wanted = useRef<number | null>(null)
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const measure = () => setMargin(Math.round(element.getBoundingClientRect().top + scrollY))
    measure()
    const watching = new ResizeObserver(measure)
    watching.observe(document.body)
    return () => watching.disconnect()
  }, [])
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useWindowVirtualizer({
    count: operations.length,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: margin,
    // Below the sticky headings, above the bar of a phone.
    scrollPaddingStart: 48,
    scrollPaddingEnd: 80,
    getItemKey: useCallback((index: number) => operations[index]?._id ?? index, [operations]),
    // The row that has the focus stays, or the focus would fall to the page when it scrolls out of sight.
    rangeExtractor: range => {
      const indexes = defaultRangeExtractor(range)
      return indexes.includes(active) || active < 0 ? indexes : [...indexes, active].sort((a, b) => a - b)
    },
  })
  // The row that was worked on has left the list: the focus goes to the one in its place, not to the top of the page.
  const within = useRef(false)
  useEffect(() => {
    if (within.current && document.activeElement === document.body) wanted.current = active
  }, [operations, active])
  useEffect(() => {
    if (wanted.current !== active) return
    wanted.current = null
    list.current?.querySelector<HTMLElement>(`[data-index="${active}"] [data-main]`)?.focus({ preventScroll: true })
  })
  const moved = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + rowsPerPage,
      PageUp: active - rowsPerPage,
      Home: 0,
      End: operations.length - 1,
    }
    const step = steps[event.key]
    if (step === undefined || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const next = Math.max(0, Math.min(operations.length - 1, step))
    if (next === active) return
    wanted.current = next
    setActive(next)
    virtual.scrollToIndex(next, { align: 'auto' })
  }
  const focused = (event: FocusEvent) => {
    const row = event.target.closest<HTMLElement>('[data-index]')
    if (row) setActive(Number(row.dataset.index))
    within.current = row !== null
  }
  const left = (event: FocusEvent) => {
    if (event.relatedTarget) within.current = event.currentTarget.contains(event.relatedTarget)
  }
  return { list, virtual, active, focused, left, moved }
}

type RowProps = {
  operation: Operation
  index: number
  steps: Steps
  /** Its controls are in the order of the Tab key. */
  reachable: boolean
  open: boolean
  toggle: (_id: number) => void
}

/** Scrolling brings rows and takes others away; those that stay are not drawn again. */
const Row = memo(function Row({ operation, index, steps, reachable, open, toggle }: RowProps) {
  const { t, i18n } = useTranslation(['admin', 'common'])
  const site = useSite()
  const names = useNames()
  const { scanned, of, full } = progress(operation, nothing)
  const { type, vehicle, user, remarks } = operation
  const tabIndex = reachable ? 0 : -1
  const parts = [
    operation.withRims && t(`common:rims.${operation.withRims}`),
    operation.withBolts && t('bolts'),
    operation.withHubcaps && t('hubcaps'),
    operation.tachometer !== null &&
      t('common:km', { distance: new Intl.NumberFormat(i18n.language).format(operation.tachometer) }),
  ].filter(Boolean)
  const details = `operation-${operation._id}`
  return (
    <>
      <div role="row" aria-rowindex={index + 2} className={classes.row} data-type={type} data-open={open || undefined}>
        <div role="cell" className={classes.vehicle}>
          <button
            type="button"
            className={classes.opens}
            data-main
            tabIndex={tabIndex}
            aria-expanded={open}
            aria-controls={open ? details : undefined}
            aria-label={t(open ? 'hideTyresOf' : 'showTyresOf', { plate: vehicle.license_plate })}
            onClick={() => toggle(operation._id)}
          >
            <IconChevronRight size={16} aria-hidden className={classes.chevron} />
          </button>
          <VehiclePlate plate={vehicle.license_plate} id={operation.flt_id} tabIndex={tabIndex} />
        </div>
        <div role="cell" className={classes.customerName}>
          {user.companyname}
        </div>
        <div role="cell" data-label={t('tyres')}>
          <Progress scanned={scanned} of={of} />
        </div>
        {asksForDelivery(type) && (
          <div role="cell" data-label={t('delivery')}>
            <Text size="sm" fw={600}>
              {formatDate(operation.deliveryDate)}
            </Text>
            {operation.transport !== null && (
              <Text size="xs" c="dimmed" lh={1.25}>
                {names.transport(operation.transport)}
              </Text>
            )}
          </div>
        )}
        {asksForParts(type) && (
          <div role="cell" data-label={t('parts')}>
            <Text size="sm" lh={1.35}>
              {parts.length > 0 ? parts.join(', ') : t('common:none')}
            </Text>
          </div>
        )}
        <div role="cell" className={classes.services}>
          <Text size="sm">{operation.services.map(names.service).join(', ') || t('noServices')}</Text>
          {remarks && (
            <Text size="xs" className={classes.remarks}>
              <IconMessage size={13} aria-hidden />
              <span>
                <VisuallyHidden>{t('remarks')}: </VisuallyHidden>
                {remarks}
              </span>
            </Text>
          )}
        </div>
        <div role="cell" data-label={t('submittedAt')}>
          <Text size="sm" c="dimmed" title={formatMoment(operation.submitted, site.time_zone)}>
            {formatMoment(operation.submitted, site.time_zone).slice(0, 10)}
          </Text>
        </div>
        <div role="cell" className={classes.actions}>
          <Button
            size="compact-sm"
            variant={full ? 'filled' : 'default'}
            leftSection={<IconCheck size={16} aria-hidden />}
            tabIndex={tabIndex}
            onClick={() => steps.confirm(operation)}
          >
            {t('confirm')}
          </Button>
          <More operation={operation} steps={steps} tabIndex={tabIndex} full={full} />
        </div>
      </div>
      {open && (
        <div role="row" id={details}>
          <div role="cell" className={classes.details}>
            <TyreTable tyres={operation.tyres} scanned />
            {remarks && (
              <Text size="sm" mt="xs" className={classes.wholeRemarks}>
                <b>{t('remarks')}:</b> {remarks}
              </Text>
            )}
          </div>
        </div>
      )}
    </>
  )
})

type MoreProps = { operation: Operation; steps: Steps; tabIndex: number; full: boolean }

/** The rarer steps of an operation. */
function More({ operation, steps, tabIndex, full }: MoreProps) {
  const { t } = useTranslation(['admin', 'common'])
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          tabIndex={tabIndex}
          title={t('moreActions')}
          aria-label={t('moreActionsOf', { plate: operation.vehicle.license_plate })}
        >
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconScan size={18} aria-hidden />}
          disabled={full}
          onClick={() => steps.markAll(operation)}
        >
          {t('markAll')}
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowBackUp size={18} aria-hidden />} onClick={() => steps.undo(operation)}>
          {t('undo')}
        </Menu.Item>
        <Menu.Divider />
        <Suspense fallback={<Menu.Label>{t('common:loading')}</Menu.Label>}>
          <Labels operation={operation} />
        </Suspense>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconX size={18} aria-hidden />} onClick={() => steps.cancel(operation)}>
          {t('cancel')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Labels in one of the site's formats, which is remembered on this device. */
function Labels({ operation }: { operation: Operation }) {
  const { t } = useTranslation(['admin', 'common'])
  const { reports, report, choose, print } = useLabels()
  return (
    <>
      <Menu.Item
        leftSection={<IconPrinter size={18} aria-hidden />}
        disabled={!report}
        onClick={() => void print(operation.tyres, operation.vehicle.license_plate)}
      >
        {t('printLabels')}
      </Menu.Item>
      <Menu.RadioGroup value={String(report?.rpt_number)} onChange={number => choose(Number(number))}>
        {reports.map(({ rpt_number, rpt_name }) => (
          <Menu.RadioItem key={rpt_number} value={String(rpt_number)} closeMenuOnClick={false}>
            {rpt_name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  )
}
