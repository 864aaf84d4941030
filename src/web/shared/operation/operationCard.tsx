/** An operation as a card: a pending one is edited and processed here, any other is read only (SPEC §2, §4, §5). */
import { ActionIcon, Button, Paper, Switch, Text, Textarea, Tooltip } from '@mantine/core'
import { IconChevronDown, IconPrinter, IconSend, IconTrash } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { operations } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import { allows, asksForDelivery, asksForParts, remarksMax } from '#domain/operation.ts'
import { messageOf, useCall } from '../api.ts'
import { useSeesSite, useSite, useWho } from '../session.ts'
import { Choice } from '../../ui/choice.tsx'
import { confirmFirst } from '../../ui/confirm.tsx'
import { formatDate, formatMoment } from '../format.ts'
import { OperationTypeIcon, StatusBadge, useOperationTypeLabel } from '../trade.tsx'
import { VehiclePlate } from '../vehicle/vehiclePlate.tsx'
import classes from './card.module.css'
import { describedIn } from './deliveryDays.ts'
import { DeliveryFields, useDelivery } from './delivery.tsx'
import { type Labels, useLabels } from './labels.ts'
import { hideOperation, showOperation } from './lists.ts'
import { Parts } from './parts.tsx'
import { Services, useServiceName } from './services.tsx'
import { TyreList } from './tyreList.tsx'
import { type EditsOfCard, useEdits } from './useEdits.ts'

type CardProps = {
  operation: Operation
  /** Everything shows and can't be folded away: wizard step 3. */
  unfolded?: boolean
  /** Shows everything at first, and can be folded. */
  startsOpen?: boolean
  /** Whether labels of a storage are printed when it is processed, until somebody decides otherwise. */
  printsLabels?: boolean
  onProcessed?: (operation: Operation) => void
  onDeleted?: () => void
}

export function OperationCard(props: CardProps) {
  const who = useWho()
  return allows(props.operation, 'edit', who) ? <PendingCard {...props} /> : <SettledCard {...props} />
}

function PendingCard({
  operation,
  unfolded = false,
  startsOpen = false,
  printsLabels = false,
  onProcessed,
  onDeleted,
}: CardProps) {
  const { t } = useTranslation(['operations', 'common'])
  const edits = useEdits(operation)
  const { shown } = edits
  const delivery = useDelivery(shown)
  const labels = useLabels()
  const typeOf = useOperationTypeLabel()
  const submit = useCall(operations.update, { doing: 'operations:submitting', done: 'operations:submittedDone' })
  const remove = useCall(operations.delete, { doing: 'operations:deleting', done: 'operations:deleted' })
  const [open, setOpen] = useState(unfolded || startsOpen)
  const [complain, setComplain] = useState(false)
  const [withLabels, setWithLabels] = useState(printsLabels)
  // Set at the first click, not when the call begins: a save may have to end before it.
  const [busy, setBusy] = useState(false)
  const dateField = useRef<HTMLInputElement>(null)
  const storage = asksForParts(shown.type)

  async function process() {
    if (busy) return
    if (delivery.refusal) {
      setOpen(true)
      setComplain(true)
      // The field may only be there once the card has unfolded.
      requestAnimationFrame(() => dateField.current?.focus())
      return
    }
    setBusy(true)
    try {
      const unsaved = await edits.rest()
      const recall = asksForDelivery(shown.type) && {
        transport: delivery.transport?._id ?? null,
        deliveryDate: shown.deliveryDate,
      }
      const submitted = await submit.mutateAsync({
        operation: { _id: shown._id, ...recall, ...unsaved, status: 'submitted' },
      })
      edits.clear()
      if (storage && withLabels) void labels.print(submitted.tyres, labelName(submitted))
      onProcessed?.(submitted)
      showOperation(submitted)
    } catch {
      // Told in a toast; the operation stays pending, with everything that was filled in.
    } finally {
      setBusy(false)
    }
  }

  async function trash() {
    if (busy) return
    const sure = await confirmFirst({
      title: t('operations:deleteQuestion'),
      text: t('operations:deleteText', { plate: shown.vehicle.license_plate, count: shown.tyres.length }),
      confirm: t('operations:delete'),
      danger: true,
    })
    if (!sure) return
    setBusy(true)
    try {
      await remove.mutateAsync({ operation: { _id: shown._id } })
      edits.clear()
      onDeleted?.()
      hideOperation(shown._id)
    } catch {
      // Told in a toast.
    } finally {
      setBusy(false)
    }
  }

  return (
    <Frame
      operation={shown}
      open={open}
      fold={unfolded ? undefined : () => setOpen(!open)}
      note={<SaveNote edits={edits} />}
      actions={
        <>
          <Tooltip label={t('operations:delete')}>
            <ActionIcon
              variant="default"
              size={36}
              disabled={busy}
              aria-label={t('operations:deleteWhich', { type: typeOf(shown.type), plate: shown.vehicle.license_plate })}
              onClick={() => void trash()}
            >
              <IconTrash size={18} stroke={1.7} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <Button
            loading={busy}
            leftSection={<IconSend size={17} aria-hidden />}
            onClick={() => void process()}
            data-process
          >
            {t('operations:process')}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        <div className={classes.column}>
          <Services operation={shown} edits={edits} />
          {storage && <Parts shown={shown} edits={edits} />}
          {asksForDelivery(shown.type) && (
            <DeliveryFields shown={shown} edits={edits} delivery={delivery} complain={complain} dateField={dateField} />
          )}
        </div>
        <div className={classes.column}>
          <Textarea
            label={t('operations:remarks')}
            value={shown.remarks}
            onChange={event => edits.type({ remarks: event.currentTarget.value })}
            onBlur={() => edits.leave('remarks')}
            maxLength={remarksMax}
            autosize
            minRows={3}
            maxRows={10}
          />
          {storage && labels.report && <LabelChoice labels={labels} on={withLabels} turn={setWithLabels} />}
        </div>
      </div>
    </Frame>
  )
}

/** Whether labels are printed with 'Process', and on what. */
function LabelChoice({ labels, on, turn }: { labels: Labels; on: boolean; turn: (on: boolean) => void }) {
  const { t } = useTranslation('operations')
  return (
    <div className={classes.labels}>
      <Switch label={t('printLabels')} checked={on} onChange={event => turn(event.currentTarget.checked)} />
      {labels.reports.length > 1 && on && <LabelReport labels={labels} />}
    </div>
  )
}

function LabelReport({ labels }: { labels: Labels }) {
  const { t } = useTranslation('operations')
  return (
    <Choice
      aria-label={t('labelReport')}
      size="xs"
      data={labels.reports.map(report => ({ value: String(report.rpt_number), label: report.rpt_name }))}
      value={String(labels.report?.rpt_number)}
      onChange={report => report && labels.choose(Number(report))}
    />
  )
}

/** Says, for ears too, whether what was changed is saved; and what to do when it is not. */
function SaveNote({ edits: { now, retry } }: { edits: EditsOfCard }) {
  const { t } = useTranslation(['operations', 'common'])
  const failed = now.failed !== null && Object.keys(now.unsaved).length > 0 && !now.saving
  return (
    <span className={classes.saving} role="status" data-failed={failed || undefined}>
      {now.saving && t('operations:updating')}
      {!now.saving && !failed && now.saved && t('operations:updated')}
      {failed && (
        <>
          {t('operations:notSaved', { reason: messageOf(now.failed) })}
          <Button size="compact-xs" variant="default" onClick={retry}>
            {t('common:retry')}
          </Button>
        </>
      )}
    </span>
  )
}

/** A submitted, confirmed or cancelled operation: all of it can be read, nothing changed. */
function SettledCard({ operation, unfolded = false, startsOpen = false }: CardProps) {
  const { t } = useTranslation('operations')
  const labels = useLabels()
  const [open, setOpen] = useState(unfolded || startsOpen)
  return (
    <Frame
      operation={operation}
      open={open}
      fold={unfolded ? undefined : () => setOpen(!open)}
      note={<StatusBadge operation={operation.status} />}
      actions={
        operation.type === 'to_stock' &&
        labels.report && (
          <Button
            variant="default"
            size="compact-md"
            leftSection={<IconPrinter size={16} aria-hidden />}
            onClick={() => void labels.print(operation.tyres, labelName(operation))}
          >
            {t('printLabels')}
          </Button>
        )
      }
    >
      <OperationFacts operation={operation} />
    </Frame>
  )
}

/** What was asked with an operation, to be read. */
export function OperationFacts({ operation }: { operation: Operation }) {
  const { t, i18n } = useTranslation(['operations', 'common'])
  const { transportMethods, time_zone: zone } = useSite()
  const nameOf = useServiceName()
  const transport = transportMethods.find(({ _id }) => _id === operation.transport)
  const recall = asksForDelivery(operation.type)
  const storage = asksForParts(operation.type)
  const parts = [operation.withBolts && t('operations:bolts'), operation.withHubcaps && t('operations:hubcaps')].filter(
    Boolean,
  )
  const facts: [string, string | false | null][] = [
    [t('operations:services'), operation.services.map(nameOf).join(', ')],
    [t('operations:deliveryDate'), recall && formatDate(operation.deliveryDate)],
    [
      t('operations:transport'),
      recall &&
        (transport ? describedIn(i18n.language, transport) : operation.transport !== null && t('common:unknown')),
    ],
    [t('operations:rims'), storage && t(`common:rims.${operation.withRims ?? 'none'}`)],
    [t('operations:with'), storage && parts.join(', ')],
    [
      t('operations:tachometer'),
      operation.tachometer !== null &&
        t('common:km', { distance: new Intl.NumberFormat(i18n.language).format(operation.tachometer) }),
    ],
    [t('operations:remarks'), operation.remarks],
    [t('operations:submittedOn'), operation.submitted && formatMoment(operation.submitted, zone)],
    [t('operations:handledOn'), operation.handledAt && formatMoment(operation.handledAt, zone)],
  ]
  return (
    <dl className={classes.facts}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** The file name under which labels are saved. */
export const labelName = (operation: Operation): string => `${operation.vehicle.license_plate}-${operation._id}`

type FrameProps = {
  operation: Operation
  open: boolean
  fold: (() => void) | undefined
  note: React.ReactNode
  actions: React.ReactNode
  children: React.ReactNode
}

/** The card's head: whose, which vehicle, how many tyres; under it the tyres and everything else, when they are unfolded. */
function Frame({ operation, open, fold, note, actions, children }: FrameProps) {
  const { t } = useTranslation(['operations', 'common'])
  const seesSite = useSeesSite()
  const typeOf = useOperationTypeLabel()
  const [tyresShown, setTyresShown] = useState(false)
  const nameOf = useServiceName()
  const id = useId()
  const { license_plate: plate } = operation.vehicle
  const what = t('operations:which', { type: typeOf(operation.type), plate })
  return (
    <Paper
      component="article"
      id={`operation-${operation._id}`}
      className={classes.card}
      aria-label={what}
      data-operation={operation._id}
    >
      <div className={classes.head}>
        {fold && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            aria-expanded={open}
            aria-controls={`${id}-body`}
            aria-label={t('operations:details', { which: what })}
            onClick={fold}
            className={classes.fold}
          >
            <IconChevronDown size={18} aria-hidden data-open={open || undefined} />
          </ActionIcon>
        )}
        <div className={classes.what}>
          <OperationTypeIcon type={operation.type} />
          <VehiclePlate plate={plate} id={operation.flt_id} />
          <Text span fw={600} size="sm">
            {typeOf(operation.type)}
          </Text>
          <Button
            variant="subtle"
            size="compact-sm"
            aria-expanded={tyresShown}
            aria-controls={`${id}-tyres`}
            onClick={() => setTyresShown(!tyresShown)}
          >
            {t('common:tyres', { count: operation.tyres.length })}
          </Button>
          {operation.deliveryDate && (
            <Text span size="sm" className={classes.when}>
              {t('operations:deliveryOn', { date: formatDate(operation.deliveryDate) })}
            </Text>
          )}
          {seesSite && (
            <Text span size="sm" className={classes.customer}>
              {operation.user.companyname}
            </Text>
          )}
          {!open && operation.services.length > 0 && (
            <Text span size="xs" c="dimmed" className={classes.summary}>
              {operation.services.map(nameOf).join(' · ')}
            </Text>
          )}
        </div>
        <div className={classes.note}>{note}</div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
      <div id={`${id}-tyres`} className={classes.under} hidden={!tyresShown}>
        {tyresShown && <TyreList tyres={operation.tyres} />}
      </div>
      <div id={`${id}-body`} className={classes.under} hidden={!open}>
        {open && children}
      </div>
    </Paper>
  )
}
