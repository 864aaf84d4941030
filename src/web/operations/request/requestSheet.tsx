/** Set, day, submit: a whole request on one sheet (docs/product/operations.md "Request sheet"). The wizard has every other choice. */
import { Alert, Button, Chip, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { IconCircleCheck, IconInfoCircle, IconSend } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { operations } from '#contract/operations.ts'
import type { Operation, Tyre, Vehicle } from '#contract/wire.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import {
  asksForDelivery,
  asksForParts,
  commonParts,
  maxRemarksLength,
  mayHaveDay,
  noParts,
  preselectedServices,
  type WheelParts,
  type WornDecision,
} from '#domain/operations/operation.ts'
import {
  isTyreOffered,
  isTyreRequestable,
  type OfferedType,
  offeredTypes,
  type OperationType,
} from '#domain/tyres/tyre.ts'
import { isMissing, mayBeDone, useCall } from '../../shared/api.ts'
import { formatDate } from '../../shared/format.ts'
import { useRemembered, useToday } from '../../shared/hooks.ts'
import { useDeliveryForm } from '../delivery.tsx'
import { dayText } from '../deliveryDays.ts'
import { showOperation } from '../../shared/operationLists.ts'
import { useNewOperation } from '../newOperation.ts'
import { chosenAtFirst, requestableFor, shownFor, stillFree, toggled } from '../selection.ts'
import { Parts, type PartsOfStorage, type WrongTachometer } from '../parts.tsx'
import { useServiceName } from '../services.tsx'
import { SurvivalNote, useSurvival } from '../survival.tsx'
import { WithdrawButton } from '../withdraw.tsx'
import { Failed, Placeholders } from '../../shared/screen.tsx'
import { useSite, useWho } from '../../shared/session.ts'
import { asDone, useUndoable } from '../../shared/undo/undo.ts'
import { Rack, useOperationTypeLabel } from '../../shared/trade.tsx'
import { MissingVehicle } from '../../vehicles/missingVehicle.tsx'
import { useVehicle } from '../../vehicles/useVehicle.ts'
import { VehicleLine } from '../../vehicles/vehicleLine.tsx'
import { DateField } from '../../ui/dateField.tsx'
import { FormButtons } from '../../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../../ui/form/formDialog.tsx'
import { lossOf } from '../../ui/form/loss.ts'
import { type RequestSubject, closeRequest } from '../../vehicles/requestSubject.ts'
import classes from './request.module.css'

export function RequestSheet({ request }: { request: RequestSubject }) {
  const { t } = useTranslation('request')
  return (
    <FormDialog opened onClose={closeRequest} title={t('title')} size="lg" lost={t('lost')}>
      {dialog => <Sheet request={request} dialog={dialog} />}
    </FormDialog>
  )
}

type SheetProps = { request: RequestSubject; dialog: DialogControls }

function Sheet({ request, dialog }: SheetProps) {
  const answer = useVehicle(request.flt_id)
  if (answer.data) return <Request vehicle={answer.data} request={request} dialog={dialog} />
  if (isMissing(answer.error)) return <MissingVehicle />
  if (answer.isError) return <Failed error={answer.error} retry={answer.refetch} />
  return <Placeholders rows={4} />
}

/** The services that can be requested for the vehicle now: those with a free tyre. */
const openFor = (tyres: readonly Tyre[]) =>
  offeredTypes.filter(type => tyres.some(tyre => isTyreRequestable(type, tyre)))

/** The sets of the tyres that a service takes, those without one last. */
const setsFor = (type: OfferedType, tyres: readonly Tyre[]): [string | null, Tyre[]][] => [
  ...Map.groupBy(requestableFor(type, tyres), tyre => tyre.tyre_set),
]

/** The service that the sheet begins with: what waits at the customer or in storage comes before what is mounted. */
const firstFor = (types: readonly OfferedType[], tyres: readonly Tyre[]): OfferedType | null =>
  types.find(type => tyres.some(tyre => isTyreOffered(type, tyre))) ?? types[0] ?? null

/** The request as the sheet sent it: the fleet may show meanwhile that these tyres are taken, namely by this request. */
type RequestAttempt = {
  readonly type: OfferedType
  readonly sets: ReturnType<typeof setsFor>
  readonly tyres: number[]
  /** The operation that was made, and could not be submitted yet. */
  readonly operation: Operation | null
}

function Request({ vehicle, request, dialog }: SheetProps & { vehicle: Vehicle }) {
  const { t } = useTranslation(['request', 'operations', 'common'])
  const typeOf = useOperationTypeLabel()
  const navigate = useNavigate()
  const [attempt, setAttempt] = useState<RequestAttempt | null>(null)
  const [done, setDone] = useState<Operation | null>(null)
  const free = openFor(vehicle.tyres)
  const [picked, setPicked] = useState<OfferedType | null>(request.type ?? null)
  const type = attempt ? attempt.type : picked && free.includes(picked) ? picked : firstFor(free, vehicle.tyres)
  const types = attempt && !free.includes(attempt.type) ? [attempt.type] : free
  if (done)
    return (
      <Done
        operation={done}
        close={dialog.close}
        withdrawn={() => {
          dialog.close()
          void navigate({ to: '/operations', search: { tab: 'pending' }, state: { tab: 'pending' } })
        }}
      />
    )
  return (
    <Stack gap="md">
      <div className={classes.vehicle}>
        <VehicleLine vehicle={vehicle} />
      </div>
      {type === null ? (
        <Alert icon={<IconInfoCircle aria-hidden />} role="status">
          {t('request:nothing')}
        </Alert>
      ) : (
        <>
          {types.length === 1 ? (
            <Text fw={600} data-type={type}>
              {typeOf(type)}
            </Text>
          ) : (
            <SegmentedControl
              fullWidth
              aria-label={t('request:service')}
              data={types.map(service => ({ value: service, label: typeOf(service) }))}
              value={type}
              disabled={attempt !== null}
              onChange={next => setPicked(next as OfferedType)}
            />
          )}
          <Details
            key={type}
            type={type}
            vehicle={vehicle}
            request={request}
            attempt={attempt}
            onAttempt={setAttempt}
            onDone={setDone}
            dialog={dialog}
          />
        </>
      )}
    </Stack>
  )
}

type DetailsProps = SheetProps & {
  type: OfferedType
  vehicle: Vehicle
  attempt: RequestAttempt | null
  onAttempt: (attempt: RequestAttempt | null) => void
  onDone: (operation: Operation) => void
}

function Details({ type, vehicle, request, attempt, onAttempt, onDone, dialog }: DetailsProps) {
  const { t } = useTranslation(['request', 'operations', 'common'])
  const { transportMethods } = useSite()
  const sets = attempt?.sets ?? setsFor(type, vehicle.tyres)
  const [chosenFirst] = useState(() => request.tyres ?? chosenAtFirst(type, shownFor(type, vehicle.tyres)))
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(chosenFirst))
  const selected = attempt?.tyres ?? stillFree(type, vehicle.tyres, chosen, isTyreRequestable)
  const [usual, setUsual] = useRemembered<number | null>('transport', null)
  // the last choice, else the site's default
  const proposed = transportMethods.find(({ _id }) => _id === usual) ?? transportMethods.find(method => method.default)
  const [wantedFirst] = useState<{ transport: number | null; deliveryDate: IsoDate | null }>({
    // a customer who brings the tyres needs no transport
    transport: asksForDelivery(type) ? (proposed?._id ?? null) : null,
    deliveryDate: request.day ?? null,
  })
  const [wanted, setWanted] = useState(wantedFirst)
  const [remarks, setRemarks] = useState('')
  const [wornTyres, decide] = useState<WornDecision | null>(null)
  const delivery = useDeliveryForm({ type, ...wanted }, change => setWanted({ ...wanted, ...change }))
  const taken = vehicle.tyres.filter(({ db_id }) => selected.includes(db_id))
  const takeOff = useTakeOff(type, taken, request)
  const partsOf = new Map(vehicle.parts.map(({ db_id, ...parts }) => [db_id, parts]))
  const parts = usePartsForm(commonParts(taken.map(({ db_id }) => partsOf.get(db_id) ?? noParts)))
  const survival = useSurvival({ type, tyres: taken, deliveryDate: wanted.deliveryDate })
  const create = useNewOperation()
  const who = useWho()
  const undoable = useUndoable()
  const submit = useCall(operations.update, {
    doing: 'operations:submitting',
    done: 'operations:submittedDone',
    about: 'operation',
  })
  // Set at the first click: a second one of a double click makes no second operation.
  const [busy, setBusy] = useState(false)

  const isOtherChoice = chosen.size !== chosenFirst.length || chosenFirst.some(tyre => !chosen.has(tyre))
  const loss = lossOf(
    { ...wantedFirst, isOtherChoice: false, remarks: '' },
    { ...wanted, isOtherChoice, remarks, ...parts.changes },
  )
  const { setLoss } = dialog
  useEffect(() => setLoss(loss), [loss, setLoss])

  const choose = (ids: readonly number[]) => setChosen(toggled(chosen, ids))

  async function send() {
    if (busy) return
    if (!delivery.check(selected.length > 0) || !parts.check()) return
    setBusy(true)
    const wish = { type, sets, tyres: selected, operation: attempt?.operation ?? null }
    onAttempt(wish)
    try {
      const { flt_id, license_plate, type: kind } = vehicle
      const operation =
        wish.operation ??
        (await create({
          flt_id,
          license_plate,
          kind,
          type,
          tyres: selected,
          ...takeOff.given,
        }))
      wish.operation = operation
      onAttempt({ ...wish, operation })
      const day = mayHaveDay(type) && wanted
      const submitted = await submit.mutateAsync({
        operation: {
          _id: operation._id,
          ...day,
          ...(asksForParts(type) && parts.given),
          ...(remarks.trim() && { remarks }),
          ...(survival && { wornTyres: wornTyres ?? 'keep' }),
          status: 'submitted',
        },
      })
      // the sheet itself offers to withdraw it; later the history does
      undoable('submit', { by: who.type === 'user' ? 'user' : 'admin', operations: [asDone(submitted)] })
      if (asksForDelivery(type)) setUsual(wanted.transport)
      setLoss('nothing')
      showOperation(submitted)
      onDone(submitted)
    } catch (error) {
      // Shown in a toast. After a possible success the sheet stays as it is; after a refusal it can be edited again.
      if (!wish.operation && !mayBeDone(error)) onAttempt(null)
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <div role="group" aria-label={t('request:sets')}>
        <Text size="sm" fw={500} mb={6}>
          {t('request:sets')}
        </Text>
        <Group gap="xs">
          {sets.map(([set, tyres]) => (
            <SetChip
              key={set ?? ''}
              set={set}
              tyres={tyres}
              checked={tyres.every(({ db_id }) => selected.includes(db_id))}
              disabled={attempt !== null}
              toggle={() => choose(tyres.map(({ db_id }) => db_id))}
            />
          ))}
        </Group>
        <Text size="sm" mt={6} role="status" c={delivery.tried && selected.length === 0 ? 'red' : 'dimmed'}>
          {selected.length === 0 ? t('request:chooseSet') : t('common:tyres', { count: selected.length })}
        </Text>
      </div>
      {takeOff.field}
      <SurvivalNote type={type} survival={survival} decision={wornTyres} decide={decide} />
      {asksForParts(type) && parts.fields}
      {mayHaveDay(type) && delivery.fields}
      <Textarea
        label={t('operations:remarks')}
        value={remarks}
        onChange={event => {
          setRemarks(event.currentTarget.value)
        }}
        maxLength={maxRemarksLength}
        autosize
        minRows={1}
        maxRows={6}
      />
      {attempt?.operation && !busy && (
        <Alert icon={<IconInfoCircle aria-hidden />} role="status">
          {t('request:kept')}
        </Alert>
      )}
      <FormButtons>
        <ServiceLine type={type} operation={attempt?.operation} />
        <Button variant="default" onClick={dialog.cancel}>
          {t('common:cancel')}
        </Button>
        <Button loading={busy} leftSection={<IconSend size={17} aria-hidden />} onClick={() => void send()} data-submit>
          {t('request:submit')}
        </Button>
      </FormButtons>
    </>
  )
}

/** The day on which mounted tyres were taken off that are to be stored: today, until changed. */
function useTakeOff(type: OfferedType, tyres: readonly Tyre[], { mounted }: RequestSubject) {
  const { t } = useTranslation('request')
  const today = useToday()
  const [day, setDay] = useState<IsoDate | null>(today)
  const isMounted =
    type === 'to_stock' &&
    tyres.some(({ db_id, tyre_status }) => tyre_status === 'on_vehicle' || mounted?.includes(db_id) === true)
  return {
    given: isMounted && day !== null ? { takenOff: day } : {},
    field: isMounted && (
      <DateField
        label={t('takenOff')}
        description={t('takenOffHint')}
        value={day}
        onChange={setDay}
        maxDate={today}
        clearable
      />
    ),
  }
}

/** The parts that come in with the tyres of a storage: as they were last, until changed. */
function usePartsForm(last: WheelParts) {
  const [changes, setChanges] = useState<Partial<PartsOfStorage>>({})
  const [wrong, setWrong] = useState<WrongTachometer>(null)
  const tachometerField = useRef<HTMLInputElement>(null)
  const given: PartsOfStorage = { ...last, tachometer: null, ...changes }
  function say(parts: Partial<PartsOfStorage>) {
    setChanges(before => ({ ...before, ...parts }))
  }
  return {
    changes,
    given,
    /** Whether the parts can be sent; a wrong field takes the focus. */
    check(): boolean {
      if (wrong !== null) tachometerField.current?.focus()
      return wrong === null
    },
    fields: (
      <Parts
        compact
        shown={given}
        saved={{ tachometer: null }}
        edits={{ change: say, type: say, leave: () => {} }}
        wrong={wrong}
        setWrong={setWrong}
        tachometerField={tachometerField}
      />
    ),
  }
}

/** Which services the operation has, or will have: they are charged, and only the wizard changes them. */
function ServiceLine({ type, operation }: { type: OperationType; operation: Operation | null | undefined }) {
  const { t } = useTranslation(['operations', 'common'])
  const site = useSite()
  const nameOf = useServiceName()
  const services = operation?.services ?? preselectedServices(type, site.services).map(({ _id }) => _id)
  if (services.length === 0) return null
  return (
    <Text size="sm" className={classes.services}>
      {t('common:labelled', { label: t('operations:services'), value: services.map(nameOf).join(', ') })}
    </Text>
  )
}

type SetChipProps = {
  set: string | null
  tyres: readonly Tyre[]
  checked: boolean
  disabled: boolean
  toggle: () => void
}

/** A set with its size, and where it lies. */
function SetChip({ set, tyres, checked, disabled, toggle }: SetChipProps) {
  const { t } = useTranslation('common')
  const racks = [...new Set(tyres.flatMap(({ stock_rack }) => stock_rack ?? []))]
  return (
    <Chip
      checked={checked}
      disabled={disabled}
      onChange={toggle}
      size="md"
      radius="md"
      classNames={{ root: classes.chip, label: classes.chipLabel, iconWrapper: classes.chipIcon }}
      data-set={set ?? ''}
    >
      {set ?? t('tyre.setless')} ({tyres.length})
      {racks.length === 1 && racks[0] && (
        <>
          {' '}
          <Rack name={racks[0]} />
        </>
      )}
    </Chip>
  )
}

/** The submitted operation, which can be withdrawn until work on it begins. */
function Done({ operation, close, withdrawn }: { operation: Operation; close: () => void; withdrawn: () => void }) {
  const { t } = useTranslation(['request', 'operations', 'common'])
  const typeOf = useOperationTypeLabel()
  return (
    <Stack gap="md" align="center">
      <IconCircleCheck size={44} stroke={1.5} className={classes.good} aria-hidden />
      <Text fw={600} role="status">
        {t('request:done')}
      </Text>
      <Text>
        {typeOf(operation.type)} · {t('common:tyres', { count: operation.tyres.length })}
        {operation.deliveryDate && ` · ${t(dayText(operation.type), { date: formatDate(operation.deliveryDate) })}`}
      </Text>
      <ServiceLine type={operation.type} operation={operation} />
      <Group gap="xs">
        <WithdrawButton operation={operation} onWithdrawn={withdrawn} />
        <Button onClick={close} data-autofocus>
          {t('common:close')}
        </Button>
      </Group>
    </Stack>
  )
}
