/** The picture of a vehicle, and its tyres by set (docs/product/vehicles.md "Vehicle screen"). */
import { Button, Group, Paper, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconPrinter, IconRuler2, IconTransfer } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { tyres as calls } from '#contract/tyres.ts'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import { isHotel } from '#domain/site.ts'
import { may } from '#domain/tyres/tyre.ts'
import { useAnswer } from '../shared/api.ts'
import { useSite } from '../shared/session.ts'
import { FormDialog } from '../ui/form/formDialog.tsx'
import { Empty } from '../shared/screen.tsx'
import { SelectionBar } from '../ui/selectionBar.tsx'
import { usePhone } from '../ui/usePhone.ts'
import { WeakerSets } from './depths/weakerSets.tsx'
import { AddTyres } from './diagram/addTyres.tsx'
import { MeasureDepths } from './depths/measureDepths.tsx'
import { inPositionOrder, setOrder } from './diagram/positionOrder.ts'
import { PrintLabels } from './printLabels.tsx'
import { readingsOf } from './depths/readings.ts'
import { SetName } from './sets/setName.tsx'
import { type TyreDialog, type TyreGroup, TyreSet } from './sets/tyreSet.tsx'
import { VehicleDiagram } from './diagram/vehicleDiagram.tsx'
import { MountDialog } from './mounts/mountDialog.tsx'
import { MoveTyres } from './moving/moveTyres.tsx'
import { MountQuestions } from './mounts/mountQuestions.tsx'
import { useMounts } from './mounts/useMounts.ts'
import classes from './vehicleView.module.css'

const dialogTitles = {
  set: 'fleet:dialog.set',
  labels: 'fleet:dialog.labels',
  depths: 'fleet:dialog.depths',
  mounts: 'fleet:mount.dialog',
  move: 'fleet:move.title',
} as const satisfies Record<TyreDialog, string>

const dialogSizes = { set: 'md', labels: 'md', depths: 'xl', mounts: 'md', move: 'lg' } as const satisfies Record<
  TyreDialog,
  string
>

/** Sets by name, those without one last. */
function groupsOf(tyres: readonly Tyre[], language: string): readonly TyreGroup[] {
  const bySet = setOrder(language)
  return [...Map.groupBy(tyres, tyre => tyre.tyre_set)]
    .map(([set, some]) => ({ set, tyres: inPositionOrder(some) }))
    .sort((a, b) => bySet(a.set, b.set))
}

export function VehicleTyres({ vehicle, showHistory }: { vehicle: Vehicle; showHistory: () => void }) {
  const { t, i18n } = useTranslation(['fleet', 'common'])
  const { allowProfileDepth, mode, time_zone: zone } = useSite()
  const { data: mounted } = useMounts(vehicle)
  const events = useAnswer(calls.events, { flt_id: vehicle.flt_id }, { muted: true })
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [dialog, setDialog] = useState<{ kind: TyreDialog; ids: readonly number[] } | null>(null)
  const [adding, setAdding] = useState(false)

  const groups = groupsOf(vehicle.tyres, i18n.language)
  const readings = readingsOf(events.data ?? [], zone)
  const living = inPositionOrder(vehicle.tyres).filter(tyre => tyre.tyre_status !== 'waste')
  const selected = living.filter(tyre => chosen.has(tyre.db_id))
  const open = (which: TyreDialog, tyres: readonly Tyre[]) =>
    setDialog({ kind: which, ids: tyres.map(tyre => tyre.db_id) })
  const close = () => setDialog(null)
  const within = inPositionOrder(vehicle.tyres).filter(tyre => dialog?.ids.includes(tyre.db_id))
  const phone = usePhone()
  const below = phone && selected.length > 0
  const reach = selected.length > 0 ? selected : living

  const actions = (
    <>
      {isHotel(mode) && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPencil size={16} aria-hidden />}
          disabled={selected.length === 0}
          onClick={() => open('set', selected)}
        >
          {t('fleet:changeSetName')}
        </Button>
      )}
      {allowProfileDepth && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconRuler2 size={16} aria-hidden />}
          onClick={() => open('depths', reach)}
        >
          {t('fleet:enterDepths')}
        </Button>
      )}
      {selected.length > 0 && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconTransfer size={16} aria-hidden />}
          disabled={selected.some(tyre => !may('move', tyre))}
          onClick={() => open('move', selected)}
        >
          {t('fleet:move.button')}
        </Button>
      )}
      {isHotel(mode) && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPrinter size={16} aria-hidden />}
          onClick={() => open('labels', reach)}
        >
          {t('fleet:printLabels')}
        </Button>
      )}
    </>
  )

  return (
    <div className={classes.tyres}>
      <Paper component="section" aria-label={t('fleet:diagram')} className={classes.diagram}>
        <VehicleDiagram vehicle={vehicle} readings={readings} mounted={mounted} />
      </Paper>
      <section aria-label={t('fleet:sets')} className={classes.sets}>
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed" role="status">
            {selected.length > 0 && !phone
              ? t('fleet:selected', { count: selected.length })
              : t('common:tyres', { count: vehicle.tyres.length })}
          </Text>
          <Group gap="xs" className={classes.tyreActions}>
            {isHotel(mode) && (
              <Button size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
                {t('fleet:addTyres')}
              </Button>
            )}
            {living.length > 0 && (
              <div className={classes.onTyres} data-below={below || undefined}>
                {actions}
              </div>
            )}
          </Group>
        </Group>
        {below && (
          <SelectionBar
            label={t('fleet:select')}
            chosen={t('fleet:selected', { count: selected.length })}
            clear={() => setChosen(new Set())}
          >
            {actions}
          </SelectionBar>
        )}
        <MountQuestions vehicle={vehicle} otherDay={tyres => open('mounts', tyres)} showHistory={showHistory} />
        <WeakerSets tyres={vehicle.tyres} />
        {groups.length === 0 && (
          <Paper>
            <Empty text={t('fleet:noTyres')} />
          </Paper>
        )}
        {groups.map(group => (
          <TyreSet
            key={group.set ?? ''}
            vehicle={vehicle}
            group={group}
            readings={readings}
            mounted={mounted}
            chosen={chosen}
            choose={(ids, on) => {
              const next = new Set(chosen)
              for (const id of ids)
                if (on) next.add(id)
                else next.delete(id)
              setChosen(next)
            }}
            open={open}
          />
        ))}
      </section>
      <FormDialog
        opened={dialog !== null && within.length > 0}
        onClose={close}
        title={dialog ? t(dialogTitles[dialog.kind]) : ''}
        size={dialog ? dialogSizes[dialog.kind] : 'md'}
        lost={t('fleet:dialogLost')}
      >
        {form => (
          <>
            {dialog?.kind === 'set' && <SetName vehicle={vehicle} tyres={within} dialog={form} />}
            {dialog?.kind === 'mounts' && (
              <MountDialog vehicle={vehicle} tyres={within} mounted={mounted} dialog={form} />
            )}
            {dialog?.kind === 'move' && <MoveTyres tyres={within} from={vehicle} onMoved={form.close} />}
            {dialog?.kind === 'labels' && <PrintLabels vehicle={vehicle} tyres={within} onDone={form.close} />}
            {dialog?.kind === 'depths' && <MeasureDepths vehicle={vehicle} tyres={within} dialog={form} />}
          </>
        )}
      </FormDialog>
      {isHotel(mode) && <AddTyres vehicle={vehicle} opened={adding} onClose={() => setAdding(false)} />}
    </div>
  )
}
