/** The loading gate: the wheels that a transport takes along, the reasons to stop, and the notes to sign (docs/product/warehouse.md "The loading gate"). */
import { Button, Group, Title } from '@mantine/core'
import { IconLockOpen, IconSignature, IconTruckDelivery } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Answer } from '#contract/call.ts'
import { fleet } from '#contract/fleet.ts'
import { type DeliveryNote, gate as calls, type LoadingRecall } from '#contract/gate.ts'
import { waves } from '#contract/waves.ts'
import { isCommand, isLocation } from '#domain/warehouse/barcode.ts'
import { leaveStop } from '#domain/warehouse/gate.ts'
import type { Load } from '#domain/warehouse/wave.ts'
import { ask, useAnswer } from '../shared/api.ts'
import { formatDate } from '../shared/format.ts'
import { ReasonDialog } from '../shared/form/reasonDialog.tsx'
import { SwapNote } from '../operations/swap.tsx'
import { useTransportName } from '../operations/transportName.ts'
import { PdfButton } from '../shared/pdf.tsx'
import { MissingIcon } from '../scanning/appearance.ts'
import { useAwake } from '../scanning/awake.ts'
import { Announcer, Verdict } from '../scanning/scanMessage.tsx'
import { useScanWork } from '../scanning/scanWork.ts'
import { Empty, Screen, Unanswered } from '../shared/screen.tsx'
import { pollInterval } from '../shared/session.ts'
import { Plate } from '../shared/trade.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { FormDialog } from '../ui/form/formDialog.tsx'
import { LinkButton } from '../ui/link.tsx'
import classes from './gate.module.css'
import { countWheels, inLoad, inLoadingOrder, isBegun, isLoaded, unloaded } from './gateReducer.ts'
import { type GateWork, useGateWork } from './gateWork.ts'
import { NoteText } from './noteText.tsx'
import { SignNotes } from './signNotes.tsx'

/** The gate of the load at the address, or the choice of a load. */
export function LoadScreen() {
  const { day, transport } = useSearch({ from: '/admin/waves/load' })
  return day === undefined || transport === undefined ? (
    <ChooseLoad />
  ) : (
    <Gate key={`${day} ${transport}`} load={{ day, transport }} />
  )
}

/** The transport being loaded: chosen, or named by the scan of its lane. */
function ChooseLoad() {
  const { t } = useTranslation('gate')
  const navigate = useNavigate()
  const { data, error, refetch } = useAnswer(waves.all, {}, { refetchInterval: pollInterval })
  const { message } = useScanWork(async label => {
    if (isCommand(label) || !isLocation(label)) return { sound: 'misplaced', words: t('scanLane') }
    const { load } = await ask(calls.lane, { location: label.location })
    if (!load) return { sound: 'misplaced', words: t('emptyLane') }
    await navigate({ to: '/admin/waves/load', search: load })
    return { sound: 'location', words: t('laneRead') }
  })
  return (
    <Screen title={t('title')}>
      <Announcer message={message} />
      <div className={classes.gate} data-lets-go data-gate>
        {message && <Verdict message={message} />}
        <p>{t('scanLane')}</p>
        {data ? <Loads due={data.due} /> : <Unanswered error={error} retry={refetch} rows={4} height={44} />}
      </div>
    </Screen>
  )
}

/** The loads that are due, each a link to its gate. */
function Loads({ due }: { due: Answer<typeof waves.all>['due'] }) {
  const { t } = useTranslation('gate')
  const transportName = useTransportName()
  if (due.length === 0) return <Empty text={t('nothingDue')} />
  return (
    <div className={classes.loads}>
      {due.map(({ day, transport, wheel_count: count }) => (
        <LinkButton
          key={`${day} ${transport}`}
          variant="default"
          size="md"
          className={classes.load}
          to="/admin/waves/load"
          search={{ day, transport }}
        >
          <span>
            {formatDate(day)} · {transportName(transport)}
          </span>
          <span>{t('wheels', { count })}</span>
        </LinkButton>
      ))}
    </div>
  )
}

function Gate({ load }: { load: Load }) {
  const { t } = useTranslation('gate')
  const transportName = useTransportName()
  const work = useGateWork(load)
  const { view, message, stopped, signing, sign } = work
  const [overriding, setOverriding] = useState<typeof stopped>(null)
  useAwake()
  return (
    <Screen title={t('title')}>
      <Announcer message={message} />
      <div className={classes.gate} data-lets-go data-gate>
        {message && <Verdict message={message} />}
        {stopped && (
          <Button
            variant="default"
            size="md"
            leftSection={<IconLockOpen size={20} aria-hidden />}
            onClick={() => setOverriding(stopped)}
          >
            {t('override')}
          </Button>
        )}
        <p className={classes.head}>
          <strong>
            {formatDate(load.day)} · {transportName(load.transport)}
          </strong>
          <LinkButton variant="subtle" to="/admin/waves/load">
            {t('otherLoad')}
          </LinkButton>
        </p>
        {view.data ? (
          <Loading work={work} recalls={view.data.recalls} notes={view.data.notes} />
        ) : (
          <Unanswered error={view.error} retry={view.refetch} rows={4} height={72} />
        )}
      </div>
      {overriding && (
        <ReasonDialog
          title={t('override')}
          text={overriding.words}
          confirm={t('override')}
          danger
          tellsWhy
          send={reason => work.override(overriding, reason)}
          onClose={() => setOverriding(null)}
        />
      )}
      <FormDialog opened={signing.length > 0} onClose={() => sign([])} title={t('sign')} lost={t('unsigned')}>
        {dialog => <SignNotes notes={signing} dialog={dialog} />}
      </FormDialog>
    </Screen>
  )
}

type LoadingProps = { work: GateWork; recalls: readonly LoadingRecall[]; notes: readonly DeliveryNote[] }

/** How far the load is, the two commands as buttons, and its notes. */
function Loading({ work, recalls, notes }: LoadingProps) {
  const { t } = useTranslation('gate')
  return (
    <>
      {!work.message && <p>{t('laneRead')}</p>}
      <Loaded recalls={recalls} />
      <div className={classes.actions}>
        <Button
          variant={leaveStop(recalls.map(inLoad)) === null ? 'filled' : 'default'}
          size="md"
          leftSection={<IconTruckDelivery size={20} aria-hidden />}
          onClick={work.leave}
        >
          <Leave recalls={recalls} />
        </Button>
        <Button variant="default" size="md" leftSection={<MissingIcon size={20} aria-hidden />} onClick={work.miss}>
          {t('missing')}
        </Button>
      </div>
      <Notes notes={notes} sign={work.sign} />
    </>
  )
}

/** The word for leaving; with how many wheels, while others are not loaded. */
function Leave({ recalls }: { recalls: readonly LoadingRecall[] }) {
  const { t } = useTranslation('gate')
  const loaded = countWheels(
    recalls.flatMap(({ wheels }) => wheels),
    'loaded',
  )
  return loaded > 0 && unloaded(recalls) > 0 ? t('leaveWith', { count: loaded }) : t('leave')
}

/** How much is loaded, large; and each recall of the load. */
function Loaded({ recalls }: { recalls: readonly LoadingRecall[] }) {
  const { t } = useTranslation('gate')
  const all = recalls.flatMap(recall => recall.wheels)
  return (
    <>
      <p className={classes.head}>
        <span className={classes.count}>
          {countWheels(all, 'loaded')}/{all.length}
        </span>
        <span>{t('wheelsLoaded')}</span>
      </p>
      <ul className={classes.recalls} aria-label={t('recalls')}>
        {inLoadingOrder(recalls).map(recall => {
          const missing = countWheels(recall.wheels, 'missing')
          return (
            <li
              key={recall.operation}
              className={classes.recall}
              data-done={isLoaded(recall) || undefined}
              data-waiting={!isBegun(recall) || undefined}
              data-missing={missing > 0 || undefined}
            >
              <Plate plate={recall.license_plate} size="sm" />
              <span>{recall.companyname}</span>
              <strong>
                {t('loadedOf', { done: countWheels(recall.wheels, 'loaded'), count: recall.wheels.length })}
              </strong>
              {missing > 0 && <strong>{t('missingCount', { count: missing })}</strong>}
              <SwapNote swap={recall.swap} />
            </li>
          )
        })}
      </ul>
    </>
  )
}

type NotesProps = { notes: readonly DeliveryNote[]; sign: (notes: readonly DeliveryNote[]) => void }

function Notes({ notes, sign }: NotesProps) {
  const { t } = useTranslation('gate')
  if (notes.length === 0) return null
  const unsigned = notes.filter(({ signed }) => signed === null)
  return (
    <section aria-label={t('notes')}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t('notes')}
        </Title>
        {unsigned.length > 1 && (
          <Button size="xs" leftSection={<IconSignature size={14} aria-hidden />} onClick={() => sign(unsigned)}>
            {t('signAll', { count: unsigned.length })}
          </Button>
        )}
      </Group>
      <DataTable
        label={t('notes')}
        columns={[
          {
            id: 'note',
            header: t('note'),
            area: 'note',
            render: note => (
              <>
                <NoteText note={note} />
                {note.signed !== null && <> · {t('signedBy', { name: note.signed })}</>}
              </>
            ),
          },
          {
            id: 'actions',
            header: t('actions'),
            area: 'actions',
            headerHidden: true,
            align: 'end',
            width: '1%',
            render: note => (
              <Group gap="xs" justify="flex-end" wrap="nowrap">
                {note.signed === null && (
                  <Button size="xs" variant="default" onClick={() => sign([note])}>
                    {t('sign')}
                  </Button>
                )}
                <PdfButton
                  size="xs"
                  name={note.document_number_text}
                  pdf={() => ask(fleet.historydocument, { db_id: note.db_id })}
                >
                  PDF
                </PdfButton>
              </Group>
            ),
          },
        ]}
        rows={notes}
        keyOf={note => note.db_id}
        phone={{ areas: ['note', 'actions'], columns: 'minmax(0, 1fr)' }}
        frame
      />
    </section>
  )
}
