/** The irregularities of the warehouse, each with its next actions (docs/product/warehouse.md "To clear up"). */
import { Button, Stack, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Answer } from '#contract/call.ts'
import { counts } from '#contract/counts.ts'
import { type Job, wheels as calls } from '#contract/wheels.ts'
import { type JobAction, type JobKind, jobActions, jobKinds, settledKinds } from '#domain/warehouse/clearUp.ts'
import { allSolutions, solutionsOf } from '#domain/warehouse/count.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { mayTake } from '#domain/tyres/wheel.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { formatMoment, locationName } from '../shared/format.ts'
import { ReasonDialog } from '../shared/form/reasonDialog.tsx'
import { DamageBadges } from '../damages/reports.tsx'
import { scanFeed } from '../scanning/scanFeed.ts'
import { Empty, Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { pollInterval, useIsWarehouseOnly, useSite } from '../shared/session.ts'
import { Rack } from '../shared/trade.tsx'
import { VehiclePlate } from '../vehicles/vehiclePlate.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { FormDialog } from '../ui/form/formDialog.tsx'
import { Candidates } from './candidates.tsx'
import { useMove } from './move.ts'
import { PutOnPlace } from './putOnPlace.tsx'
import { RegisterOrphan } from './registerOrphan.tsx'
import { Unbroken } from '../ui/unbroken.tsx'
import classes from './locations.module.css'

export function ClearUp() {
  const { t, i18n } = useTranslation('locations')
  const { data, error, refetch } = useAnswer(calls.clearup, {}, { refetchInterval: pollInterval })
  const [registering, setRegistering] = useState(false)
  const [doing, setDoing] = useState<{ job: Job; action: JobAction } | null>(null)
  const done = () => setDoing(null)
  const kinds = data ? jobKinds.filter(kind => (data.counts[kind] ?? 0) > 0) : []
  return (
    <Screen
      title={t('clearUp.title')}
      actions={
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setRegistering(true)}>
          {t('clearUp.register')}
        </Button>
      }
    >
      {!data ? (
        error ? (
          <Failed error={error} retry={refetch} />
        ) : (
          <Placeholders rows={6} height={52} />
        )
      ) : kinds.length === 0 ? (
        <Empty text={t('clearUp.none')} />
      ) : (
        <Stack gap="lg">
          {kinds.map(kind => (
            <section key={kind} aria-label={t(`clearUp.kind.${kind}`)}>
              <Title order={2} size="h4">
                {t(`clearUp.kind.${kind}`)} · {formatNumber(countOf(kind, data), i18n.language)}
              </Title>
              <Text size="sm" c="dimmed" mb="xs">
                {t(`clearUp.why.${kind}`)}
              </Text>
              <Jobs kind={kind} jobs={data.jobs.filter(job => job.kind === kind)} start={setDoing} />
            </section>
          ))}
        </Stack>
      )}
      <FormDialog
        opened={registering}
        onClose={() => setRegistering(false)}
        title={t('clearUp.register')}
        long
        lost={t('unsaved')}
      >
        {dialog => <RegisterOrphan dialog={dialog} />}
      </FormDialog>
      {doing && <Doing {...doing} done={done} />}
    </Screen>
  )
}

/** How many jobs of a kind there are; of wheels without a place, which are one job for each customer, how many wheels. */
const countOf = (kind: JobKind, { counts: all, jobs }: Answer<typeof calls.clearup>): number =>
  kind === 'unplaced'
    ? jobs.reduce((sum, job) => sum + (job.kind === kind ? job.tyres.length : 0), 0)
    : (all[kind] ?? 0)

const placeOf = (job: Job) => (job.stock_rack === '' ? null : <Rack name={job.stock_rack} />)

type JobsProps = { kind: JobKind; jobs: readonly Job[]; start: (what: { job: Job; action: JobAction }) => void }

function Jobs({ kind, jobs, start }: JobsProps) {
  const { t } = useTranslation('locations')
  const ofWarehouse = useIsWarehouseOnly()
  const { time_zone: zone } = useSite()
  return (
    <DataTable
      label={t(`clearUp.kind.${kind}`)}
      columns={[
        {
          id: 'wheel',
          header: t('clearUp.wheel'),
          area: 'wheel',
          render: job => (
            <>
              {kind === 'unplaced' && (
                <>
                  {job.companyname}
                  <br />
                </>
              )}
              {job.flt_id !== null && kind !== 'unplaced' && (
                <>
                  <VehiclePlate plate={job.license_plate} id={job.flt_id} size="sm" />{' '}
                  <Text size="xs" c="dimmed" component="span">
                    {job.companyname}
                  </Text>
                  <br />
                </>
              )}
              <strong>{job.tyres.length > 1 ? t('clearUp.wheels', { count: job.tyres.length }) : job.position}</strong>{' '}
              {kind !== 'unplaced' && <JobText job={job} />} <DamageBadges damages={job.damages} />
              <BelowCell>{formatMoment(job.since, zone)}</BelowCell>
            </>
          ),
        },
        { id: 'place', header: t('clearUp.place'), render: placeOf, nowrap: true, area: 'place' },
        { id: 'since', header: t('clearUp.since'), render: job => formatMoment(job.since, zone), from: 'sm' },
        {
          id: 'actions',
          header: t('clearUp.actions'),
          headerHidden: true,
          align: 'end',
          area: 'actions',
          width: '1%',
          render: job => {
            const actions = jobActions[kind].filter(
              action => isPossible(action, job) && !(ofWarehouse && action === 'vehicle'),
            )
            // more than two are stacked, and on a phone those that don't fit
            return (
              <div className={classes.jobActions} data-few={actions.length <= 2 || undefined}>
                {actions.map(action => (
                  <Action key={action} job={job} action={action} start={start} />
                ))}
              </div>
            )
          },
        },
      ]}
      rows={jobs}
      keyOf={job => job.key}
      phone={{ areas: ['wheel place', 'actions actions'], columns: 'minmax(0, 1fr) auto' }}
      frame
    />
  )
}

/** The subject of a job: the wheel, or the label that a count found. */
function JobText({ job: { description, counted } }: { job: Job }) {
  const { t } = useTranslation('locations')
  if (!counted || description !== '') return description
  const { label_site: site, label_tyre: tyre } = counted
  return tyre === null ? t('clearUp.noLabel') : t('clearUp.label', { tyre, site })
}

/** How many wheels are moved at once (`locations.move`). */
const mostMoved = 200

/** Whether an action is possible: those that the server would refuse are not offered. */
function isPossible(action: JobAction, { state, tyre_status, location, counted, tyres }: Job): boolean {
  // a label that is read says whose the wheel is
  if (action === 'register') return counted?.label_tyre === null
  if (counted) return solutionsOf(counted.outcome, counted).some(how => how === action)
  if (action === 'find' || action === 'miss' || action === 'hand_back')
    return state !== null && tyre_status !== null && mayTake(action, { state, tyre_status })
  if (action === 'seen' || action === 'together' || action === 'location') return location !== null
  // the most tyres that one call moves
  if (action === 'place') return tyres.length <= mostMoved
  return true
}

type DoingProps = { job: Job; action: JobAction }

/** The name of an action: lasting damage can't be put right, so it is accepted. */
function useActionName() {
  const { t } = useTranslation('locations')
  return ({ job, action }: DoingProps, place = '') =>
    action === 'settle' && job.kind === 'damaged'
      ? t('clearUp.action.settleDamaged')
      : t(`clearUp.action.${action}`, { place })
}

/** The button of an action: a simple one runs at once, one with a screen leads there, the rest opens a dialog. */
function Action({ job, action, start }: DoingProps & { start: (what: DoingProps) => void }) {
  const nameOf = useActionName()
  const navigate = useNavigate()
  const step = useCall(calls.step, { done: 'common:performed' })
  const move = useMove()
  const solve = useCall(counts.solve, { done: 'common:performed' })
  const here = locationName(job)
  const place = action === 'back' ? (job.counted?.belongs_rack ?? '') : here
  const text = nameOf({ job, action }, place)
  function act() {
    const how = job.counted && allSolutions.find(candidate => candidate === action)
    if (how && how !== 'done') return solve.mutate({ finding: Number(job.key), how })
    if (action === 'location' && job.location !== null)
      return void navigate({ to: '/admin/locations', search: { id: job.location } })
    if (action === 'card') return scanFeed.find(`#${job.tyres[0]}`)
    if (action === 'vehicle' && job.flt_id !== null)
      return void navigate({ to: '/fleet/vehicle', search: { id: job.flt_id } })
    if (action === 'find' || action === 'miss' || action === 'hand_back')
      step.mutate({ tyres: job.tyres, step: action })
    else if ((action === 'seen' || action === 'together') && job.location !== null)
      move.mutate({ tyres: job.tyres, location: job.location })
    else start({ job, action })
    return undefined
  }
  return (
    <Button size="xs" variant="default" loading={step.isPending || move.isPending || solve.isPending} onClick={act}>
      <Unbroken part={place}>{text}</Unbroken>
    </Button>
  )
}

/** The dialog of an action that needs a reason, a place or a choice. */
function Doing({ job, action, done }: DoingProps & { done: () => void }) {
  const { t } = useTranslation('locations')
  const name = useActionName()({ job, action })
  const close = useCall(calls.close, { done: 'common:performed' })
  const settle = useCall(calls.settle, { done: 'common:performed' })
  const solve = useCall(counts.solve, { done: 'common:performed' })
  const dismiss = useCall(calls.dismiss, { done: 'common:performed' })
  if (action === 'place')
    return (
      <FormDialog opened onClose={done} title={t('clearUp.action.place')} lost={t('unsaved')}>
        {dialog => <PutOnPlace dialog={dialog} tyres={job.tyres} booked={job.location} />}
      </FormDialog>
    )
  if (action === 'register')
    return (
      <FormDialog opened onClose={done} title={name} long lost={t('unsaved')}>
        {dialog => (
          <RegisterOrphan
            dialog={dialog}
            origin={{
              location: job.location,
              registered: () =>
                solve.mutateAsync({ finding: Number(job.key), how: 'done', reason: t('clearUp.registered') }),
            }}
          />
        )}
      </FormDialog>
    )
  if (action === 'identify' && job.orphan !== null) return <Candidates orphan={job.orphan} onClose={done} />
  const kind = settledKinds.find(candidate => candidate === job.kind)
  function send(reason: string): Promise<unknown> {
    const [tyre] = job.tyres
    if (job.counted) return solve.mutateAsync({ finding: Number(job.key), how: 'done', reason })
    if (job.orphan !== null) return dismiss.mutateAsync({ orphan: job.orphan, reason })
    if (kind) return settle.mutateAsync({ kind, key: job.key, reason })
    return tyre === undefined ? Promise.resolve() : close.mutateAsync({ db_id: tyre, reason })
  }
  return <ReasonDialog title={name} text={t('clearUp.reason')} confirm={name} send={send} onClose={done} />
}
