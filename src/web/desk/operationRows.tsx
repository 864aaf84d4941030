/** Submitted operations as rows that open to their tyres. Only the rows in sight exist: thousands scroll like ten. */
import { ActionIcon, Badge, Button, Checkbox, Text, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconMessage, IconNut, type TablerIcon } from '@tabler/icons-react'
import { use, useMemo } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Operation } from '#contract/wire.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { mayHaveDay, offersArrival } from '#domain/operations/operation.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { labelled } from '../i18n.ts'
import { useSite } from '../shared/session.ts'
import { formatDate, formatMoment } from '../shared/format.ts'
import { useOperationName } from '../shared/trade.tsx'
import { useToday } from '../shared/hooks.ts'
import { useLatest } from '../ui/hooks.ts'
import { usePhone } from '../ui/usePhone.ts'
import { ChoosingContext } from '../operations/choosing.ts'
import { ClosedDayMark } from '../operations/closedDayMark.tsx'
import { OperationFacts } from '../operations/operationFacts.tsx'
import { SwapNote } from '../operations/swap.tsx'
import { VehiclePlate } from '../vehicles/vehiclePlate.tsx'
import { useDesk } from '../handling/desk.ts'
import { progress } from '../handling/lookup.ts'
import { Progress } from '../handling/progress.tsx'
import { useNames } from '../operations/names.ts'
import type { Columns, RowState } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { Expander } from '../ui/dataTable/expander.tsx'
import { useRowWindow } from '../ui/dataTable/rowWindow.ts'
import classes from './desk.module.css'
import { OperationMenu, type Steps } from './operationMenu.tsx'
import { ManyOperations } from './reschedule.tsx'
import { TyreTable } from './tyreTable.tsx'

const nothing = new Set<number>()
/** Of most rows, in px, with columns and as cards. */
const rowHeights = { columns: 49, card: 118 }
/** The sticky heads, and the bar of a phone. */
const bars = { above: 48, below: 80 }
const keyOf = ({ _id }: Operation) => _id

export function OperationRows({ operations, type }: { operations: readonly Operation[]; type: OfferedType }) {
  const { t } = useTranslation(['desk', 'common'])
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
  const columns = useColumns(type, steps)
  const rowWindow = useRowWindow({
    rows: operations,
    keyOf,
    rowHeight: usePhone() ? rowHeights.card : rowHeights.columns,
    bars,
  })
  return (
    <ManyOperations operations={operations} type={type}>
      <DataTable
        columns={columns}
        rows={operations}
        keyOf={keyOf}
        label={t(`types.${type}`)}
        rowWindow={rowWindow}
        details={{
          render: operation => (
            <>
              <SwapNote swap={operation.swap} />
              <div className={classes.facts}>
                <OperationFacts operation={operation} />
              </div>
              <TyreTable tyres={operation.tyres} />
              {operation.remarks && (
                <Text size="sm" mt="xs" className={classes.wholeRemarks}>
                  <b>{t('remarks')}:</b> {operation.remarks}
                </Text>
              )}
            </>
          ),
          className: classes.details,
        }}
        className={classes.operations}
        still
      />
    </ManyOperations>
  )
}

/** The box with which a row is chosen, where that is offered. */
function Choose({ operation, tabIndex }: { operation: Operation; tabIndex: number | undefined }) {
  const { t } = useTranslation('operations')
  const nameOf = useOperationName()
  const choosing = use(ChoosingContext)
  if (!choosing) return null
  if (!choosing.offers(operation)) return <span className={classes.noChoice} aria-hidden />
  return (
    <Checkbox
      size="sm"
      className={classes.choose}
      checked={choosing.chosen.has(operation._id)}
      onChange={() => choosing.toggle(operation)}
      aria-label={labelled(t('choose'), nameOf(operation))}
      {...(tabIndex !== undefined && { tabIndex })}
    />
  )
}

function useColumns(type: OfferedType, steps: Steps): Columns<Operation> {
  const { t } = useTranslation(['desk', 'common'])
  const today = useToday()
  return useMemo(
    () => [
      {
        id: 'vehicle',
        header: t('vehicle'),
        render: (operation, state) => {
          const {
            vehicle: { license_plate: plate },
            flt_id,
          } = operation
          return (
            <>
              <Choose operation={operation} tabIndex={state.tabIndex} />
              <Expander
                label={t(state.open ? 'hideTyresOf' : 'showTyresOf', { plate: formatPlate(plate) })}
                state={state}
                points="right"
                size={30}
              />
              <VehiclePlate
                plate={plate}
                id={flt_id}
                {...(state.tabIndex !== undefined && { tabIndex: state.tabIndex })}
              />
            </>
          )
        },
        width: mayHaveDay(type) ? '10.75rem' : '8.5rem',
        className: classes.vehicle,
      },
      {
        id: 'customer',
        header: t('customer'),
        render: ({ user }) => user.companyname,
        width: 'minmax(clamp(9.25rem, 15cqi, 10.5rem), 1.3fr)',
        className: classes.customerName,
      },
      {
        id: 'tyres',
        header: t('tyres'),
        render: operation => <Progress {...progress(operation, nothing)} />,
        width: '3.5rem',
        className: classes.count,
      },
      mayHaveDay(type) && {
        id: 'delivery',
        header: t(offersArrival(type) ? 'arrival' : 'delivery'),
        render: operation => <Delivery operation={operation} today={today} />,
        width: 'minmax(6.75rem, 1fr)',
        className: classes.when,
      },
      {
        id: 'services',
        header: t('servicesAndRemarks'),
        render: operation => <Services operation={operation} />,
        // the longest word that is usual in a remark
        width: `minmax(10.25rem, ${mayHaveDay(type) ? '2.2fr' : '2.9fr'})`,
        className: classes.services,
      },
      {
        id: 'submitted',
        header: t('submittedAt'),
        render: ({ submitted }) => <Submission at={submitted} />,
        width: '5.25rem',
        className: mayHaveDay(type) ? classes.unfolded : classes.when,
      },
      {
        id: 'actions',
        header: t('actions'),
        headerHidden: true,
        // Each row is a grid of its own: the same button makes the last column as wide here as in the rows.
        headerExtra: (
          <div className={classes.measure} aria-hidden>
            <Button component="span" size="compact-sm" leftSection={<IconCheck size={16} />} tabIndex={-1}>
              {t('confirm')}
            </Button>
            <ActionIcon component="span" size="lg" />
          </div>
        ),
        render: (operation, state) => <Actions operation={operation} steps={steps} state={state} />,
        width: 'max-content',
        className: classes.actions,
      },
    ],
    [t, type, steps, today],
  )
}

function Delivery({ operation, today }: { operation: Operation; today: IsoDate }) {
  const { t } = useTranslation('desk')
  const names = useNames()
  const { deliveryDate, transport } = operation
  const isLate = deliveryDate !== null && deliveryDate < today
  return (
    <>
      <Text size="sm" fw={600}>
        {deliveryDate === null ? '–' : formatDate(deliveryDate)}
      </Text>
      {isLate && (
        <Badge size="sm" color="red" variant="light">
          {t('late')}
        </Badge>
      )}
      <ClosedDayMark operation={operation} />
      {transport !== null && (
        <Text size="xs" c="dimmed" lh={1.25} className={classes.unfolded}>
          {names.transport(transport)}
        </Text>
      )}
    </>
  )
}

/** Rims, bolts, hubcaps and mileage. */
function usePartsOf({ withRims, withBolts, withHubcaps, tachometer }: Operation): string {
  const { t, i18n } = useTranslation(['desk', 'common'])
  const parts = [
    withRims && t(`common:rims.${withRims}`),
    withBolts && t('bolts'),
    withHubcaps && t('hubcaps'),
    tachometer !== null && t('common:km', { distance: formatNumber(tachometer, i18n.language) }),
  ]
  return parts.filter(Boolean).join(', ')
}

function Services({ operation }: { operation: Operation }) {
  const { services, remarks, transport, wornTyres, swap } = operation
  const { t } = useTranslation(['desk', 'operations'])
  const names = useNames()
  const parts = usePartsOf(operation)
  return (
    <>
      <Text size="sm" className={classes.asked}>
        {transport !== null && <span className={classes.inCard}>{names.transport(transport)} · </span>}
        {services.map(names.service).join(', ') || t('noServices')}
      </Text>
      {parts && (
        <Note icon={IconNut} label={t('parts')} className={classes.unfolded}>
          {parts}
        </Note>
      )}
      {swap && (
        <Badge size="sm" variant="light">
          {t('operations:swap.title')}
        </Badge>
      )}
      {wornTyres === 'quote' && (
        <Badge size="sm" color="yellow" variant="light">
          {t('operations:survival.quote')}
        </Badge>
      )}
      {remarks && (
        <Note icon={IconMessage} label={t('remarks')} className={classes.remarks}>
          {remarks}
        </Note>
      )}
    </>
  )
}

type NoteProps = { icon: TablerIcon; label: string; className: string | undefined; children: string }

/** A further fact about an operation; its icon stands for the label, which is read out. */
function Note({ icon: Icon, label, className = '', children }: NoteProps) {
  return (
    <Text size="xs" className={`${classes.note} ${className}`}>
      <Icon size={13} aria-hidden />
      <span>
        <VisuallyHidden>{labelled(label)}</VisuallyHidden>
        {children}
      </span>
    </Text>
  )
}

function Submission({ at }: { at: Operation['submitted'] }) {
  const { time_zone: timeZone } = useSite()
  const { t } = useTranslation('desk')
  const moment = formatMoment(at, timeZone)
  return (
    <>
      <Text size="xs" c="dimmed" className={classes.nameInCard}>
        {t('submittedAt')}
      </Text>
      <Text size="sm" c="dimmed" title={moment}>
        {moment.slice(0, 'DD/MM/YYYY'.length)}
      </Text>
    </>
  )
}

function Actions({ operation, steps, state }: { operation: Operation; steps: Steps; state: RowState }) {
  const { t } = useTranslation('desk')
  const { full } = progress(operation, nothing)
  return (
    <>
      <Button
        size="compact-sm"
        variant={full ? 'filled' : 'default'}
        leftSection={<IconCheck size={16} aria-hidden />}
        tabIndex={state.tabIndex}
        onClick={() => steps.confirm(operation)}
      >
        {t('confirm')}
      </Button>
      <OperationMenu operation={operation} steps={steps} tabIndex={state.tabIndex} full={full} />
    </>
  )
}
