/** An operation as a card: a pending one is edited and processed here, any other is read only. */
import { ActionIcon, Button, Switch, Textarea, Tooltip } from '@mantine/core'
import { IconPrinter, IconSend, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from '../ui/texts.ts'
import { operations } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import { allows, mayHaveDay, asksForParts, maxRemarksLength } from '#domain/operations/operation.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { isWorthAnotherTry, messageOf, useCall } from '../shared/api.ts'
import { useWho } from '../shared/session.ts'
import { Choice } from '../ui/select.tsx'
import { confirmFirst } from '../ui/confirm.tsx'
import { StatusBadge, useOperationName, useOperationTypeLabel } from '../shared/trade.tsx'
import classes from './card.module.css'
import { CardFrame } from './cardFrame.tsx'
import { DeliveryFields, useDelivery } from './delivery.tsx'
import { asDone, takeBack, useUndoable } from '../shared/undo/undo.ts'
import { labelName, type Labels, useLabels } from '../labels/labels.ts'
import { hideOperation, showOperation } from '../shared/operationLists.ts'
import { OperationFacts } from './operationFacts.tsx'
import { Parts, type WrongTachometer } from './parts.tsx'
import { Services } from './services.tsx'
import { SurvivalNote, useSurvival } from './survival.tsx'
import { useOtherHalf } from './swap.tsx'
import { focusWrongField, wrongField } from '../ui/wrongField.ts'
import { type EditsOfCard, useEdits } from './useEdits.ts'
import { WithdrawButton } from './withdraw.tsx'

type CardProps = {
  operation: Operation
  /** Everything shows and can't be folded away: wizard step 3. */
  unfolded?: boolean
  /** Shows everything at first, and can be folded. */
  startsOpen?: boolean
  /** Whether labels of a storage are printed when it is processed, unless the user decides otherwise. */
  printsLabels?: boolean
  /** A tab and a heading above it name its status and its type. */
  inGroup?: boolean
  /** It is beside the other half of its season swap. */
  inSwap?: boolean
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
  inGroup = false,
  inSwap = false,
  onProcessed,
  onDeleted,
}: CardProps) {
  const { t } = useTranslation(['operations', 'common'])
  const nameOf = useOperationName()
  const edits = useEdits(operation)
  const { shown } = edits
  const who = useWho()
  const undoable = useUndoable()
  const delivery = useDelivery(shown)
  const labels = useLabels()
  const typeOf = useOperationTypeLabel()
  const submit = useCall(operations.update, {
    doing: 'operations:submitting',
    done: 'operations:submittedDone',
    about: 'operation',
    offer: submitted =>
      undoable('submit', { by: who.type === 'user' ? 'user' : 'admin', operations: [asDone(submitted)] }),
  })
  const remove = useCall(operations.delete, { doing: 'operations:deleting', done: 'operations:deleted' })
  const [open, setOpen] = useState(unfolded || startsOpen)
  const [tried, setTried] = useState(false)
  const [pointing, setPointing] = useState(false)
  const [withLabels, setWithLabels] = useState(printsLabels)
  const [wrongTachometer, setWrongTachometer] = useState<WrongTachometer>(null)
  const tachometerField = useRef<HTMLInputElement>(null)
  const fields = useRef<HTMLDivElement>(null)
  // Set at the first click, not when the call begins: a save may have to end before it.
  const [busy, setBusy] = useState(false)
  const storage = asksForParts(shown.type)
  const survival = useSurvival(shown, open)
  const otherHalf = useOtherHalf()

  async function process() {
    if (busy) return
    if (delivery.refusal) {
      setOpen(true)
      setTried(true)
      setPointing(true)
      return
    }
    if (wrongTachometer !== null) {
      flushSync(() => setOpen(true))
      tachometerField.current?.focus()
      return
    }
    // an impossible day is shown in its field, while the operation has the previous one
    if (wrongField(fields.current)) {
      flushSync(() => setOpen(true))
      focusWrongField(fields.current)
      return
    }
    setBusy(true)
    try {
      const unsaved = await edits.unsaved()
      const day = mayHaveDay(shown.type) && {
        transport: delivery.transport?._id ?? null,
        deliveryDate: shown.deliveryDate,
      }
      const submitted = await submit.mutateAsync({
        operation: {
          _id: shown._id,
          ...day,
          ...unsaved,
          ...(survival && { wornTyres: shown.wornTyres ?? 'keep' }),
          status: 'submitted',
        },
      })
      edits.clear()
      if (storage && withLabels) void labels.print(submitted.tyres, labelName(submitted))
      onProcessed?.(submitted)
      showOperation(submitted)
    } catch {
      // Shown in a toast; the operation stays pending, with everything that was filled in.
    } finally {
      setBusy(false)
    }
  }

  async function trash() {
    if (busy) return
    const sure = await confirmFirst({
      title: t('operations:deleteQuestion'),
      text: [
        t('operations:deleteText', { plate: formatPlate(shown.vehicle.license_plate), count: shown.tyres.length }),
        otherHalf(operation),
      ]
        .filter(Boolean)
        .join(' '),
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
      // Shown in a toast.
    } finally {
      setBusy(false)
    }
  }

  return (
    <CardFrame
      operation={shown}
      open={open}
      fold={unfolded ? undefined : () => setOpen(!open)}
      inGroup={inGroup}
      inSwap={inSwap}
      lacksDay={delivery.refusal !== null && !unfolded}
      note={<SaveNote edits={edits} />}
      actions={
        <>
          <Tooltip label={t('operations:delete')}>
            <ActionIcon
              variant="default"
              size={36}
              disabled={busy}
              aria-label={t('operations:deleteWhich', {
                type: typeOf(shown.type),
                plate: formatPlate(shown.vehicle.license_plate),
              })}
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
      <div ref={fields} className={classes.fields}>
        <div className={classes.column}>
          <Services operation={shown} edits={edits} />
          {storage && (
            <Parts
              shown={shown}
              saved={operation}
              edits={edits}
              wrong={wrongTachometer}
              setWrong={setWrongTachometer}
              tachometerField={tachometerField}
              of={nameOf(operation)}
            />
          )}
          {mayHaveDay(shown.type) && (
            <DeliveryFields
              shown={shown}
              edits={edits}
              delivery={delivery}
              tried={tried}
              pointing={pointing}
              onPointed={() => setPointing(false)}
            />
          )}
        </div>
        <div className={classes.column}>
          <SurvivalNote
            type={shown.type}
            survival={survival}
            decision={shown.wornTyres}
            decide={wornTyres => edits.change({ wornTyres })}
            of={nameOf(operation)}
          />
          <Textarea
            label={t('operations:remarks')}
            value={shown.remarks}
            onChange={event => edits.type({ remarks: event.currentTarget.value })}
            onBlur={() => edits.leave('remarks')}
            maxLength={maxRemarksLength}
            autosize
            minRows={3}
            maxRows={10}
          />
          {storage && labels.report && <LabelChoice labels={labels} on={withLabels} change={setWithLabels} />}
        </div>
      </div>
    </CardFrame>
  )
}

/** Whether labels are printed with 'Process', and on which printer. */
function LabelChoice({ labels, on, change }: { labels: Labels; on: boolean; change: (on: boolean) => void }) {
  const { t } = useTranslation('operations')
  return (
    <div className={classes.labels}>
      <Switch label={t('printLabels')} checked={on} onChange={event => change(event.currentTarget.checked)} />
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

/** Says, to screen readers too, whether changes are saved, and offers another try when they are not. */
function SaveNote({ edits: { now, retry, last } }: { edits: EditsOfCard }) {
  const { username } = useWho()
  const { t } = useTranslation(['operations', 'common'])
  const failed = now.failed !== null && Object.keys(now.unsaved).length > 0 && !now.saving
  return (
    <span className={classes.saving} role="status" data-failed={failed || undefined}>
      {now.saving && t('operations:updating')}
      {!now.saving && !failed && now.saved && t('operations:updated')}
      {!now.saving && !failed && now.saved && last !== null && (
        <Button size="compact-xs" variant="subtle" onClick={() => void takeBack(username, last)} data-undo-edit>
          {t('common:undo.button')}
        </Button>
      )}
      {failed && (
        <>
          {t('operations:notSaved', { reason: messageOf(now.failed) })}
          {isWorthAnotherTry(now.failed) && (
            <Button size="compact-xs" variant="default" onClick={retry}>
              {t('common:retry')}
            </Button>
          )}
        </>
      )}
    </span>
  )
}

/** A submitted, confirmed or cancelled operation: all of it can be read, nothing changed. */
function SettledCard({ operation, unfolded = false, startsOpen = false, inGroup = false, inSwap = false }: CardProps) {
  const { t } = useTranslation('operations')
  const labels = useLabels()
  const [open, setOpen] = useState(unfolded || startsOpen)
  return (
    <CardFrame
      operation={operation}
      open={open}
      fold={unfolded ? undefined : () => setOpen(!open)}
      inGroup={inGroup}
      inSwap={inSwap}
      note={!inGroup && <StatusBadge operation={operation} />}
      actions={
        <>
          <WithdrawButton operation={operation} />
          {operation.type === 'to_stock' && labels.report && (
            <Button
              variant="default"
              size="compact-md"
              fz="sm"
              leftSection={<IconPrinter size={16} aria-hidden />}
              onClick={() => void labels.print(operation.tyres, labelName(operation))}
            >
              {t('printLabels')}
            </Button>
          )}
        </>
      }
    >
      <OperationFacts operation={operation} />
    </CardFrame>
  )
}
