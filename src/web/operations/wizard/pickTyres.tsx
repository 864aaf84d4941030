/** Which tyres of the vehicle: in its picture, in a table, or with one click for all, a set or an axle. */
import { Alert, Button, Group, Paper, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconArrowRight, IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import type { Operation, Tyre, Vehicle } from '#contract/wire.ts'
import { verdictOf } from '#domain/tyres/tread.ts'
import { isTyreOffered, type OfferedType } from '#domain/tyres/tyre.ts'
import { useNewOperation } from '../newOperation.ts'
import { Empty } from '../../shared/screen.tsx'
import { useOperations, useSite, useVehicleConfigs } from '../../shared/session.ts'
import { ConfigurationPicture } from '../../vehicles/diagram/configurationPicture.tsx'
import type { PictureTyre } from '../../vehicles/diagram/occupants.ts'
import { useLatest } from '../../ui/hooks.ts'
import { SelectionBar } from '../../ui/selectionBar.tsx'
import { usePhone, useTouch } from '../../ui/usePhone.ts'
import { makePreselection } from './preselect.ts'
import { chosenAtFirst, choicesFor, shownFor, stillFree, toggled, whereAllAre, wholeSet } from '../selection.ts'
import { useTreadCase } from '../../vehicles/depths/treadLimits.ts'
import { TyreTable } from './tyreTable.tsx'
import { TextLink } from '../../ui/link.tsx'
import classes from './wizard.module.css'

const AddTyres = lazy(() => import('../../vehicles/diagram/addTyres.tsx').then(part => ({ default: part.AddTyres })))

export function PickTyres({ vehicle, type }: { vehicle: Vehicle; type: OfferedType }) {
  const { t } = useTranslation('wizard')
  const navigate = useNavigate({ from: '/wizard/step2' })
  const configs = useVehicleConfigs()
  const { data: operations } = useOperations()
  const create = useNewOperation()
  const phone = usePhone()
  // the selection is kept in the address, so that it survives a reload
  const { tyres: kept } = useSearch({ from: '/wizard/step2' })
  const [chosen, setChosen] = useState<ReadonlySet<number>>(
    () => new Set(kept ?? chosenAtFirst(type, shownFor(type, vehicle.tyres))),
  )
  const [preselected, setPreselected] = useState<readonly number[]>([])
  // Set at the first click and for good once the operation exists: a second click makes no second operation.
  const [creating, setCreating] = useState(false)

  const tyres = shownFor(type, vehicle.tyres)
  const none = tyres.length === 0
  const selected = stillFree(type, tyres, chosen)
  const isSelected = new Set(selected)
  const config = configs.find(({ description }) => description === vehicle.configuration)
  const busy = (tyre: Tyre): Operation | undefined => operations?.find(({ _id }) => _id === tyre.operation)

  const list = selected.join()
  useEffect(() => {
    // on the way to step 3 this would turn back; and without tyres there is no choice
    if (creating || none) return
    const ids = list === '' ? [] : list.split(',').map(Number)
    void navigate({ to: '/wizard/step2', search: now => ({ ...now, tyres: ids }), replace: true, resetScroll: false })
  }, [creating, list, navigate, none])

  const latest = useLatest({ tyres })
  const preselection = useMemo(
    () =>
      makePreselection({
        take: ids => setChosen(before => toggled(before, ids)),
        takeSet: ids => {
          const [first] = ids
          if (first !== undefined) setChosen(before => toggled(before, wholeSet(type, latest.current.tyres, first)))
        },
        show: setPreselected,
      }),
    [type, latest],
  )
  useEffect(() => () => void preselection.stop(), [preselection])

  async function proceed() {
    if (creating) return
    // A tyre that was clicked a moment ago counts, although its 250 ms are not over.
    const waiting = preselection.stop()
    const now = stillFree(type, tyres, toggled(new Set(selected), waiting))
    if (now.length === 0) return
    setChosen(new Set(now))
    setCreating(true)
    try {
      const operation = await create({
        flt_id: vehicle.flt_id,
        license_plate: vehicle.license_plate,
        kind: vehicle.type,
        type,
        tyres: now,
      })
      await navigate({ to: '/wizard/step3', search: { operation: operation._id }, state: { operation: operation._id } })
    } catch {
      // Shown in a toast; the selection stays, without tyres that another user has taken.
      setCreating(false)
    }
  }

  const noConfiguration = (
    <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {t('noConfiguration')}{' '}
      <TextLink to="/fleet/vehicle" search={{ id: vehicle.flt_id }}>
        {t('toVehicle')}
      </TextLink>
    </Alert>
  )
  if (none)
    return (
      <>
        {!config && noConfiguration}
        <NoTyres vehicle={vehicle} />
      </>
    )
  const free = tyres.filter(tyre => isTyreOffered(type, tyre))
  const summary = selected.length === 0 ? t('selectFirst') : t('selected', { count: selected.length })
  const goOn = (
    <Button
      size="md"
      disabled={selected.length === 0}
      loading={creating}
      onClick={() => void proceed()}
      rightSection={<IconArrowRight size={18} aria-hidden />}
    >
      {t('proceed')}
    </Button>
  )
  return (
    <section aria-labelledby="pick-tyres" className={classes.tyresPick}>
      <Title order={2} id="pick-tyres">
        {t('pickTyres')}
      </Title>
      <Helper type={type} tyres={tyres} free={free} selected={isSelected} choose={setChosen} />
      <div className={classes.pickers}>
        <Paper className={classes.pictureCard}>
          {config ? (
            <ConfigurationPicture
              config={config}
              tyres={tyres.map((tyre): PictureTyre => ({
                id: tyre.db_id,
                position: tyre.position,
                set: tyre.tyre_set,
                description: tyre.description,
                state: !isTyreOffered(type, tyre)
                  ? 'blocked'
                  : isSelected.has(tyre.db_id)
                    ? 'selected'
                    : preselected.includes(tyre.db_id)
                      ? 'preselected'
                      : 'free',
                reason: isTyreOffered(type, tyre) ? undefined : t('inOperation'),
              }))}
              pick={(ids, how) => (how === 'click' ? preselection.click(ids) : setChosen(toggled(chosen, ids)))}
            />
          ) : (
            noConfiguration
          )}
        </Paper>
        <Paper className={classes.tableCard}>
          <TyreTable
            vehicle={vehicle}
            type={type}
            tyres={tyres}
            selected={isSelected}
            preselected={preselected}
            busy={busy}
            click={id => preselection.click([id])}
            toggle={id => setChosen(toggled(chosen, [id]))}
          />
        </Paper>
      </div>
      {type !== 'to_waste' && <Worn vehicle={vehicle} tyres={tyres.filter(tyre => isSelected.has(tyre.db_id))} />}
      {phone && selected.length > 0 ? (
        <SelectionBar label={t('pickTyres')} chosen={summary} clear={() => setChosen(new Set())}>
          {goOn}
        </SelectionBar>
      ) : (
        <div className={classes.proceed}>
          <Text role="status" size="sm">
            {summary}
          </Text>
          {goOn}
        </div>
      )}
    </section>
  )
}

/** Nothing to choose from: where the vehicle's tyres are, and the way to add others. */
function NoTyres({ vehicle }: { vehicle: Vehicle }) {
  const { t } = useTranslation(['wizard', 'common', 'fleet'])
  const { where, count } = whereAllAre(vehicle.tyres)
  // a vehicle that was added a moment ago
  const [adding, setAdding] = useState(count === 0 && Boolean(vehicle.configuration))
  const situation =
    count === 0
      ? t('wizard:noTyresYet')
      : where
        ? t(`wizard:allAre.${where}`, { count })
        : t('wizard:noneFits', { count })
  return (
    <>
      <Empty text={t('wizard:noTyres')}>
        <Text c="dimmed">{situation}</Text>
        {/* tyres go to positions, which the configuration names */}
        {vehicle.configuration && (
          <Button variant="default" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
            {t('fleet:addTyres')}
          </Button>
        )}
      </Empty>
      <Suspense>{adding && <AddTyres vehicle={vehicle} opened onClose={() => setAdding(false)} />}</Suspense>
    </>
  )
}

/** Warns of tyres that are not worth storing or fitting: the season ends before they do. */
function Worn({ vehicle, tyres }: { vehicle: Vehicle; tyres: readonly Tyre[] }) {
  const { t } = useTranslation('wizard')
  const { allowProfileDepth } = useSite()
  const judged = useTreadCase()(vehicle)
  const worn = tyres.filter(tyre => ['illegal', 'worn'].includes(verdictOf(tyre, judged)))
  if (!allowProfileDepth || worn.length === 0) return null
  return (
    <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} role="status">
      {t('worn', { count: worn.length, positions: worn.map(({ position }) => position).join(', ') })}
    </Alert>
  )
}

type HelperProps = {
  type: OfferedType
  tyres: readonly Tyre[]
  free: readonly Tyre[]
  selected: ReadonlySet<number>
  choose: (ids: ReadonlySet<number>) => void
}

/** All, none, a set, an axle with one click. A choice that is in already is taken out again. */
function Helper({ type, tyres, free, selected, choose }: HelperProps) {
  const { t } = useTranslation(['wizard', 'common'])
  const touch = useTouch()
  if (free.length === 0) return null
  const all = free.map(tyre => tyre.db_id)
  const complete = (ids: readonly number[]) => ids.every(id => selected.has(id))
  return (
    <Group gap={6} role="group" aria-label={t('wizard:helper')} className={classes.helper}>
      <Button
        size="compact-sm"
        variant={complete(all) ? 'light' : 'default'}
        aria-pressed={complete(all)}
        onClick={() => choose(new Set(all))}
      >
        {t('wizard:selectAll', { count: all.length })}
      </Button>
      {choicesFor(type, tyres).map(choice => (
        <Button
          key={choice.kind === 'set' ? `set ${choice.set}` : `axle ${choice.axle}`}
          size="compact-sm"
          variant={complete(choice.ids) ? 'light' : 'default'}
          aria-pressed={complete(choice.ids)}
          onClick={() => choose(toggled(selected, choice.ids))}
        >
          {choice.kind === 'set'
            ? t('wizard:selectSet', { set: choice.set ?? t('common:tyre.setless'), count: choice.ids.length })
            : t('wizard:selectAxle', { axle: choice.axle, count: choice.ids.length })}
        </Button>
      ))}
      <Button size="compact-sm" variant="subtle" disabled={selected.size === 0} onClick={() => choose(new Set())}>
        {t('wizard:selectNone')}
      </Button>
      <Text size="xs" c="dimmed">
        {t(touch ? 'wizard:helperHintTouch' : 'wizard:helperHint')}
      </Text>
    </Group>
  )
}
