/** The loading gate: the wheels that a transport takes along, the reasons to stop, and the notes to sign (docs/product/warehouse.md "The loading gate"). */
import { Button, Group, Title } from '@mantine/core'
import { IconLockOpen, IconSignature, IconTruckDelivery } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { fleet } from '#contract/fleet.ts'
import { type DeliveryNote, type GateAnswer, gate as calls, type LoadingRecall } from '#contract/gate.ts'
import { waves } from '#contract/waves.ts'
import { wheels } from '#contract/wheels.ts'
import { isCommand, isLocation, type Label } from '#domain/warehouse/barcode.ts'
import { leaveStop, loadedRecall } from '#domain/warehouse/gate.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import type { Load } from '#domain/warehouse/wave.ts'
import { ask, invalidate, setAnswer, useAnswer } from '../shared/api.ts'
import { formatDate } from '../shared/format.ts'
import { ReasonDialog } from '../shared/form/reasonDialog.tsx'
import { SwapNote } from '../operations/swap.tsx'
import { useTransportName } from '../operations/transportName.ts'
import { PdfButton } from '../shared/pdf.tsx'
import { MissingIcon } from '../scanning/appearance.ts'
import { useAwake } from '../scanning/awake.ts'
import { Announcer, Verdict } from '../scanning/scanMessage.tsx'
import { askTwice, type Spoken, useScanWork } from '../scanning/scanWork.ts'
import type { Sound } from '../scanning/sounds.ts'
import { Empty, Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { pollInterval, useIsWarehouseOnly, useSite } from '../shared/session.ts'
import { Plate } from '../shared/trade.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { FormDialog } from '../ui/form/formDialog.tsx'
import { LinkButton } from '../ui/link.tsx'
import classes from './gate.module.css'
import { NoteText } from './noteText.tsx'
import { SignNotes } from './signNotes.tsx'

const sounds = {
  loaded: 'found',
  again: 'duplicate',
  other_site: 'other_site',
  not_recalled: 'missing',
  other_transport: 'elsewhere',
  other_day: 'elsewhere',
  worn: 'refused',
  left: 'complete',
  nothing_loaded: 'not_now',
  incomplete: 'refused',
  missing: 'refused',
  left_behind: 'refused',
} as const satisfies Record<GateAnswer['outcome'], Sound>

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
  const transportName = useTransportName()
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
        {!data ? (
          error ? (
            <Failed error={error} retry={refetch} />
          ) : (
            <Placeholders rows={4} height={44} />
          )
        ) : data.due.length === 0 ? (
          <Empty text={t('nothingDue')} />
        ) : (
          <div className={classes.loads}>
            {data.due.map(({ day, transport, wheel_count: count }) => (
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
        )}
      </div>
    </Screen>
  )
}

/** A wheel or load that the gate stopped, which is sent again with a reason. */
type Stopped = { readonly db_id: number | null; readonly ticsId: number | null; readonly words: string }

function Gate({ load }: { load: Load }) {
  const { t, i18n } = useTranslation(['gate', 'common'])
  const { site_number: site } = useSite()
  const transportName = useTransportName()
  const view = useAnswer(calls.read, load, { refetchInterval: pollInterval })
  const [stopped, setStopped] = useState<Stopped | null>(null)
  const ofWarehouse = useIsWarehouseOnly()
  const [overriding, setOverriding] = useState<Stopped | null>(null)
  const [signing, setSigning] = useState<readonly DeliveryNote[]>([])
  /** The wheel that passed last: the command Missing is about the rest of its set. */
  const last = useRef<number | null>(null)
  useAwake()

  const wordsOf = ({ outcome, plate, position, profile_depth: depth, other }: GateAnswer): string =>
    t(`outcome.${outcome}`, {
      plate: formatPlate(plate),
      position,
      depth: depth === null ? '' : formatNumber(depth, i18n.language),
      day: other ? formatDate(other.day) : '',
      transport: other ? transportName(other.transport) : '',
    })
  const spoken = (answer: GateAnswer, again: Omit<Stopped, 'words'>): Spoken => {
    const { outcome, overridable, load: loaded, recalls, notes } = answer
    setAnswer(calls.read, load, { load: loaded, recalls, notes })
    void invalidate(['waves.all'])
    const damage = answer.damages.map(code => t(`common:damage.${code}`))
    // wheels left in the racks stop nothing, and are mentioned
    const behind = outcome === 'left' ? unloaded(recalls) : 0
    const stays = behind > 0 && t('notLoaded', { count: behind, day: formatDate(load.day) })
    const words = [wordsOf(answer), stays, ...damage].filter(Boolean).join(' · ')
    setStopped(overridable && !ofWarehouse ? { ...again, words } : null)
    if (outcome === 'left') setSigning(notes.filter(({ signed, left }) => signed === null && left === notes[0]?.left))
    const set = recalls.find(({ wheels: some }) => some.some(({ db_id }) => db_id === again.db_id))
    const complete = outcome === 'loaded' && set?.wheels.every(({ state }) => state === 'loaded')
    return complete
      ? {
          sound: 'complete',
          words: [t('setLoaded', { plate: formatPlate(set?.license_plate ?? '') }), ...damage].join(' · '),
        }
      : { sound: sounds[outcome], words }
  }
  const scan = async (db_id: number, ticsId: number | null, reason?: string): Promise<Spoken> => {
    const answer = await askTwice(calls.load, { ...load, db_id, ticsId, ...(reason && { reason }) })
    if (answer.outcome === 'loaded') last.current = db_id
    return spoken(answer, { db_id, ticsId })
  }
  const leave = async (reason?: string): Promise<Spoken> =>
    spoken(await askTwice(calls.leave, { ...load, ...(reason && { reason }) }), { db_id: null, ticsId: null })
  const miss = async (): Promise<Spoken> => {
    const set = view.data?.recalls.find(({ wheels: some }) => some.some(({ db_id }) => db_id === last.current))
    const tyres =
      set?.wheels.filter(({ state }) => state !== 'loaded' && state !== 'missing').map(({ db_id }) => db_id) ?? []
    if (tyres.length === 0) return { sound: 'not_now', words: t('nothingMissing') }
    await askTwice(wheels.step, { tyres, step: 'miss' })
    await invalidate(['gate.read', 'waves.all'])
    return {
      sound: 'stepped',
      words: t('missed', { count: tyres.length, plate: formatPlate(set?.license_plate ?? '') }),
    }
  }
  const handle = async (label: Label): Promise<Spoken> => {
    if (isLocation(label)) return { sound: 'misplaced', words: t('scanWheel') }
    if (!isCommand(label)) return scan(label.tyre, label.site)
    if (label.command === 'gate') return leave()
    if (label.command === 'missing') return miss()
    return { sound: 'not_now', words: t('noCommand') }
  }
  const { message, attempt, take } = useScanWork(handle)
  const { data } = view

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
        {!data ? (
          view.error ? (
            <Failed error={view.error} retry={view.refetch} />
          ) : (
            <Placeholders rows={4} height={72} />
          )
        ) : (
          <>
            {!message && <p>{t('laneRead')}</p>}
            <Loaded recalls={data.recalls} />
            <div className={classes.actions}>
              <Button
                variant={leaveStop(data.recalls.map(inLoad)) === null ? 'filled' : 'default'}
                size="md"
                leftSection={<IconTruckDelivery size={20} aria-hidden />}
                onClick={() => void take({ command: 'gate', site })}
              >
                <Leave recalls={data.recalls} />
              </Button>
              <Button
                variant="default"
                size="md"
                leftSection={<MissingIcon size={20} aria-hidden />}
                onClick={() => void take({ command: 'missing', site })}
              >
                {t('missing')}
              </Button>
            </div>
            <Notes notes={data.notes} sign={setSigning} />
          </>
        )}
      </div>
      {overriding && (
        <ReasonDialog
          title={t('override')}
          text={overriding.words}
          confirm={t('override')}
          danger
          tellsWhy
          send={reason =>
            attempt(() =>
              overriding.db_id === null ? leave(reason) : scan(overriding.db_id, overriding.ticsId, reason),
            )
          }
          onClose={() => setOverriding(null)}
        />
      )}
      <FormDialog opened={signing.length > 0} onClose={() => setSigning([])} title={t('sign')} lost={t('unsigned')}>
        {dialog => <SignNotes notes={signing} dialog={dialog} />}
      </FormDialog>
    </Screen>
  )
}

const count = (some: LoadingRecall['wheels'], ...states: readonly string[]) =>
  some.filter(({ state }) => states.includes(state)).length

const inLoad = ({ wheels: some, confirmed }: LoadingRecall) =>
  loadedRecall(
    some.map(({ state }) => state),
    { confirmed },
  )
/** Everything for this transport is loaded. */
function isLoaded(recall: LoadingRecall): boolean {
  const { missing, waiting, other } = inLoad(recall)
  return missing + waiting + other === 0
}
/** Of which a wheel has left its place. */
const isBegun = ({ wheels: some }: LoadingRecall) => count(some, 'loaded', 'staged', 'picked', 'missing') > 0
/** Begun ones first, loaded ones last. */
const rank = (recall: LoadingRecall) => (isLoaded(recall) ? 2 : isBegun(recall) ? 0 : 1)

/** How many wheels of these recalls are to be loaded still. */
const unloaded = (recalls: readonly LoadingRecall[]): number =>
  recalls.map(inLoad).reduce((sum, { waiting, other }) => sum + waiting + other, 0)

/** The word for leaving; with how many wheels, while others are not loaded. */
function Leave({ recalls }: { recalls: readonly LoadingRecall[] }) {
  const { t } = useTranslation('gate')
  const loaded = count(
    recalls.flatMap(({ wheels: some }) => some),
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
          {count(all, 'loaded')}/{all.length}
        </span>
        <span>{t('wheelsLoaded')}</span>
      </p>
      <ul className={classes.recalls} aria-label={t('recalls')}>
        {recalls
          .toSorted((a, b) => rank(a) - rank(b))
          .map(recall => {
            const missing = count(recall.wheels, 'missing')
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
                <strong>{t('loadedOf', { done: count(recall.wheels, 'loaded'), count: recall.wheels.length })}</strong>
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
