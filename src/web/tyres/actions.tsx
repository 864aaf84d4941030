/** The actions on the selected tyres (docs/product/tyres.md "Tyre states"); only where there is a hotel. */
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { operations as operationCalls } from '#contract/operations.ts'
import { tyres as calls } from '#contract/tyres.ts'
import type { Tyre } from '#contract/wire.ts'
import { may, type OfferedType, offeredTypes } from '#domain/tyres/tyre.ts'
import { ask, invalidate, useCall } from '../shared/api.ts'
import { say } from '../i18n.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { SelectionBar } from '../ui/selectionBar.tsx'
import { usePhone } from '../ui/usePhone.ts'
import { addOperation } from '../shared/operationLists.ts'
import { askForOperation } from '../operations/newOperation.ts'
import { Lines } from '../several/lines.tsx'
import { countOf, useSameInput, useSeveral } from '../several/useSeveral.ts'
import { OperationTypeIcon, platesNamed, Subject } from '../shared/trade.tsx'
import { canSelect, type TyreRow } from './rows.ts'
import { hiddenOf, type Selecting } from './selection.ts'
import classes from './tyres.module.css'

type ActionBarProps = {
  /** The rows of the list, on all its pages. */
  listed: readonly TyreRow[]
  /** `false`: more rows are loading, and 'select all' is disabled. */
  isWhole: boolean
  selecting: Selecting
}

type Action = OfferedType | 'delete'
const actions: readonly Action[] = [...offeredTypes, 'delete']

/** So many tyres the server takes in one call. */
const atOnce = 200
/** So many tyres are named with their description in the question before they are deleted. */
const tyresDescribed = 4
const wordsOf = ({ position, description }: Tyre): string => `${position} ${description}`

export function ActionBar({ listed, isWhole, selecting }: ActionBarProps) {
  const { t } = useTranslation(['tyres', 'wizard', 'common'])
  const phone = usePhone()
  const navigate = useNavigate()
  const create = useCall(operationCalls.new, { doing: 'wizard:creating', done: 'wizard:created' })
  const remove = useCall(calls.remove, {
    doing: 'tyres:deleting',
    done: ({ removed }) => say('tyres:deleted', { count: removed.length }),
  })
  const sameInput = useSameInput()
  const making = useOperations(selecting.drop)
  // Set at the first click and for good once the operation exists: a second click makes no second operation.
  const [creating, setCreating] = useState<OfferedType | null>(null)
  const busy = creating !== null || remove.isPending || making.several.busy
  const selected = [...selecting.selected.values()]
  const hidden = hiddenOf(selecting.selected, listed)
  const free = listed.filter(canSelect)
  const jobs = jobsOf(selected)
  const allowed = (action: Action) => selected.length > 0 && selected.every(({ tyre }) => may(action, tyre))

  async function start(type: OfferedType) {
    if (busy) return
    const [job, ...others] = jobs
    if (!job) return
    if (others.length > 0) {
      await making.start(type, jobs)
      return
    }
    setCreating(type)
    try {
      const operation = await create.mutateAsync(sameInput(askFor(type, job)))
      addOperation(operation)
      await navigate({ to: '/wizard/step3', search: { operation: operation._id }, state: { operation: operation._id } })
    } catch {
      // Shown in a toast; the selection stays, without tyres that another user has taken.
      setCreating(null)
    }
  }

  async function drop() {
    const ids = selected.map(({ tyre }) => tyre.db_id)
    const vehicles = [...Map.groupBy(selected, ({ vehicle }) => vehicle.license_plate)]
    const yes = await confirmFirst({
      title: t('tyres:deleteQuestion', { count: ids.length }),
      about: (
        <div>
          {vehicles.slice(0, platesNamed).map(([plate, rows]) => (
            <Subject key={plate} plates={[plate]}>
              {rows.map(({ tyre }) => (ids.length > tyresDescribed ? tyre.position : wordsOf(tyre))).join(', ')}
            </Subject>
          ))}
          {vehicles.length > platesNamed && '…'}
        </div>
      ),
      text: [t('tyres:deleteText'), hidden.length > 0 && t('tyres:hidden', { count: hidden.length, all: ids.length })]
        .filter(Boolean)
        .join(' '),
      confirm: t('tyres:action.delete'),
      danger: true,
    })
    if (!yes) return
    try {
      for (let from = 0; from < ids.length; from += atOnce) {
        const { removed } = await remove.mutateAsync({ tyres: ids.slice(from, from + atOnce) })
        selecting.drop(removed)
      }
    } catch {
      // Shown in a toast; the rest of the selection stays.
    }
  }

  const isSelected = selected.length > 0
  const summary = [
    t('tyres:selected', { count: selected.length }),
    jobs.length > 1 && t('tyres:ofVehicles', { count: jobs.length }),
  ]
    .filter(Boolean)
    .join(' ')
  const hiddenOnes = <Hidden rows={hidden} selecting={selecting} />
  const selectsMore = free.length > selected.length - hidden.length
  // a phone has no room for disabled actions, unless there are no others
  const somethingAllowed = actions.some(allowed)
  const isShown = (action: Action) => !phone || !somethingAllowed || allowed(action)
  const buttons = (
    <>
      {offeredTypes.filter(isShown).map(type => (
        <Button
          key={type}
          variant="default"
          leftSection={<OperationTypeIcon type={type} size={22} />}
          disabled={!allowed(type) || (busy && creating !== type)}
          loading={creating === type}
          onClick={() => void start(type)}
        >
          {t(`tyres:action.${type}`)}
        </Button>
      ))}
      {isShown('delete') && (
        <Button
          variant="default"
          leftSection={<IconTrash size={18} aria-hidden />}
          disabled={!allowed('delete') || busy}
          onClick={() => void drop()}
        >
          {t('tyres:action.delete')}
        </Button>
      )}
    </>
  )
  const dialog = (
    <SeveralDialog
      making={making}
      leave={() => void navigate({ to: '/operations', search: { tab: 'pending' }, state: { tab: 'pending' } })}
    />
  )
  if (!isSelected) return dialog
  return (
    <>
      <SelectionBar
        label={t('tyres:actions')}
        chosen={summary}
        note={
          <>
            {hiddenOnes}
            {isWhole && selectsMore && (
              <Button variant="subtle" size="compact-sm" onClick={() => selecting.add(free)}>
                {t('tyres:selectAll', { count: free.length })}
              </Button>
            )}
          </>
        }
        clear={selecting.clear}
      >
        {buttons}
      </SelectionBar>
      {dialog}
    </>
  )
}

/** How many selected tyres the list does not show, and the way to let go of them. */
function Hidden({ rows, selecting: { selected, drop } }: { rows: readonly TyreRow[]; selecting: Selecting }) {
  const { t } = useTranslation('tyres')
  if (rows.length === 0) return null
  return (
    <span className={classes.hidden}>
      <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
      {t('hidden', { count: rows.length, all: selected.size })}
      <Button variant="subtle" color="orange" size="compact-sm" onClick={() => drop(rows.map(row => row.tyre.db_id))}>
        {t('dropHidden', { count: rows.length })}
      </Button>
    </span>
  )
}

/** The tyres of one vehicle, which are one operation. */
type Job = { flt_id: number; plate: string; kind: string; tyres: number[]; input?: ReturnType<typeof askFor> }

function jobsOf(rows: readonly TyreRow[]): Job[] {
  return [...Map.groupBy(rows, row => row.vehicle.flt_id)].flatMap(([flt_id, tyres]) => {
    const [first] = tyres
    if (!first) return []
    const { license_plate: plate, type: kind } = first.vehicle
    return [{ flt_id, plate, kind, tyres: tyres.map(({ tyre }) => tyre.db_id) }]
  })
}

const askFor = (type: OfferedType, { flt_id, plate, kind, tyres }: Job) =>
  askForOperation({ flt_id, license_plate: plate, kind, type, tyres })

/** Creates one operation after the other, so that a stop takes effect at once; those already created stay, and their tyres leave the selection. */
function useOperations(drop: (tyres: readonly number[]) => void) {
  const several = useSeveral<Job>({ atOnce: 1 })
  const [type, setType] = useState<OfferedType | null>(null)
  const [opened, setOpened] = useState(false)
  const make = (service: OfferedType) => async (job: Job) => {
    // tried again it is the same call: an answer that was lost is given again
    job.input ??= askFor(service, job)
    addOperation(await ask(operationCalls.new, job.input))
    drop(job.tyres)
  }
  async function start(service: OfferedType, jobs: readonly Job[]) {
    setType(service)
    setOpened(true)
    await several.start(jobs, make(service))
    await invalidate(operationCalls.new.invalidates)
  }
  async function again() {
    if (!type) return
    await several.again(make(type))
    await invalidate(operationCalls.new.invalidates)
  }
  return { several, opened, start, again, close: () => setOpened(false) }
}

function SeveralDialog({ making, leave }: { making: ReturnType<typeof useOperations>; leave: () => void }) {
  const { t } = useTranslation('tyres')
  const { several, opened, again, close } = making
  const { lines, busy, stop } = several
  if (lines.length === 0) return null
  const [done, refused, left] = [countOf(lines, 'done'), countOf(lines, 'refused'), countOf(lines, 'waiting')]
  return (
    <Modal
      opened={opened}
      onClose={() => (busy ? stop() : close())}
      title={t('several.title')}
      closeOnClickOutside={!busy}
    >
      <Stack gap="md">
        {!busy && (
          <>
            {done > 0 && (
              <Alert color="green" icon={<IconCircleCheck aria-hidden />} role="status">
                {t('several.made', { count: done })}
              </Alert>
            )}
            {left > 0 && <Text size="sm">{t('several.stopped', { count: left })}</Text>}
            {refused > 0 && (
              <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
                {t('several.refused', { count: refused })}
              </Alert>
            )}
          </>
        )}
        <Lines several={several} title={t('several.title')} keyOf={job => job.flt_id} plateOf={job => job.plate} />
        <Group justify="flex-end" gap="xs">
          {busy ? (
            <Button variant="default" onClick={stop}>
              {t('several.stop')}
            </Button>
          ) : (
            <>
              {refused + left > 0 && (
                <Button variant="default" onClick={() => void again()}>
                  {t('several.again')}
                </Button>
              )}
              <Button onClick={leave}>{t('several.pending')}</Button>
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
