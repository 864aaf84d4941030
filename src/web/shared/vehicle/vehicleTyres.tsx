/** What is where on a vehicle, and its tyres by set (docs/product.md "Vehicle screen"). */
import { ActionIcon, Badge, Button, Checkbox, Chip, Group, Paper, Table, Text, Title, Tooltip } from '@mantine/core'
import { IconPencil, IconPlus, IconPrinter, IconRuler2 } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { tyres as calls } from '#contract/tyres.ts'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import { comparePositions } from '#domain/axle.ts'
import { isHotel } from '#domain/site.ts'
import { treadLimits, treadOf, treads } from '#domain/tread.ts'
import { useAnswer } from '../api.ts'
import { useSite, useVehicleConfigs } from '../session.ts'
import { formatDate, formatDepth } from '../format.ts'
import { FormDialog } from '../../ui/form/formDialog.tsx'
import { Empty } from '../screen.tsx'
import { StatusBadge } from '../trade.tsx'
import { AddTyres } from './addTyres.tsx'
import { ConfigurationPicture } from './configurationPicture.tsx'
import { DepthCurve } from './depthCurve.tsx'
import { MeasureDepths } from './measureDepths.tsx'
import type { PictureTyre } from './occupants.ts'
import { PrintLabels } from './printLabels.tsx'
import { type Reading, readingsOf } from './readings.ts'
import { SetConfiguration } from './setConfiguration.tsx'
import { SetName } from './setName.tsx'
import { TreadDepth } from './treadDepth.tsx'
import treadClasses from './tread.module.css'
import { TyreCounts } from './tyreCounts.tsx'
import { countsOf } from './vehicleRows.ts'
import classes from './vehicleView.module.css'

type Asked = 'set' | 'labels' | 'depths'

/** Tyres of a vehicle with the same set, in the order of their positions. */
type Group = { set: string | null; tyres: readonly Tyre[] }

const inOrder = (tyres: readonly Tyre[]): readonly Tyre[] =>
  tyres.toSorted((a, b) => comparePositions(a.position, b.position) || a.db_id - b.db_id)

/** Sets by name, those without one last. */
function groupsOf(tyres: readonly Tyre[], language: string): readonly Group[] {
  const { compare } = new Intl.Collator(language, { numeric: true })
  return [...Map.groupBy(tyres, tyre => tyre.tyre_set)]
    .map(([set, some]) => ({ set, tyres: inOrder(some) }))
    .sort((a, b) => Number(a.set === null) - Number(b.set === null) || compare(a.set ?? '', b.set ?? ''))
}

export function VehicleTyres({ vehicle }: { vehicle: Vehicle }) {
  const { t, i18n } = useTranslation(['fleet', 'common'])
  const { allowProfileDepth, mode, time_zone: zone } = useSite()
  const events = useAnswer(calls.events, { flt_id: vehicle.flt_id }, { muted: true })
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [dialog, setDialog] = useState<{ asked: Asked; ids: readonly number[] } | null>(null)
  const [adding, setAdding] = useState(false)

  const groups = groupsOf(vehicle.tyres, i18n.language)
  const readings = readingsOf(events.data ?? [], zone)
  const living = inOrder(vehicle.tyres).filter(tyre => tyre.tyre_status !== 'waste')
  const selected = living.filter(tyre => chosen.has(tyre.db_id))
  const open = (asked: Asked, tyres: readonly Tyre[]) => setDialog({ asked, ids: tyres.map(tyre => tyre.db_id) })
  const close = () => setDialog(null)
  const within = inOrder(vehicle.tyres).filter(tyre => dialog?.ids.includes(tyre.db_id))
  const reach = selected.length > 0 ? selected : living

  return (
    <div className={classes.tyres}>
      <Paper component="section" aria-label={t('fleet:diagram')} className={classes.diagram}>
        <Diagram vehicle={vehicle} readings={readings} />
      </Paper>
      <section aria-label={t('fleet:sets')} className={classes.sets}>
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed" role="status">
            {selected.length > 0
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
            )}
          </Group>
        </Group>
        {groups.length === 0 && (
          <Paper>
            <Empty text={t('fleet:noTyres')} />
          </Paper>
        )}
        {groups.map(group => (
          <SetOfTyres
            key={group.set ?? ''}
            group={group}
            readings={readings}
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
        title={dialog ? t(`fleet:dialog.${dialog.asked}`) : ''}
        size={dialog?.asked === 'depths' ? 'xl' : 'md'}
        lost={t('fleet:dialogLost')}
      >
        {form => (
          <>
            {dialog?.asked === 'set' && <SetName vehicle={vehicle} tyres={within} dialog={form} />}
            {dialog?.asked === 'labels' && <PrintLabels vehicle={vehicle} tyres={within} onDone={form.close} />}
            {dialog?.asked === 'depths' && <MeasureDepths tyres={within} dialog={form} />}
          </>
        )}
      </FormDialog>
      {isHotel(mode) && <AddTyres vehicle={vehicle} opened={adding} onClose={() => setAdding(false)} />}
    </div>
  )
}

/**
 * What the picture can show when a vehicle has more than one tyre for a position: what is on it now, of whatever sets, and
 * each set. Nothing to choose when all its tyres have a position of their own.
 */
function viewsOf(tyres: readonly Tyre[]): { key: string; set?: string | null; tyres: readonly Tyre[] }[] {
  if (new Set(tyres.map(tyre => tyre.position)).size === tyres.length) return []
  const mounted = tyres.filter(tyre => tyre.tyre_status === 'on_vehicle')
  return [
    ...(mounted.length > 0 ? [{ key: 'mounted', tyres: mounted }] : []),
    // A set may have any name.
    ...[...Map.groupBy(tyres, tyre => tyre.tyre_set)]
      .sort(([a], [b]) => Number(a === null) - Number(b === null) || (a ?? '').localeCompare(b ?? ''))
      .map(([set, some]) => ({ key: set === null ? 'setless' : `set ${set}`, set, tyres: some })),
  ]
}

type Readings = ReadonlyMap<number, readonly Reading[]>

/** The picture of the vehicle with its tyres, and beside it the tyres of the position that was chosen. */
function Diagram({ vehicle, readings }: { vehicle: Vehicle; readings: Readings }) {
  const { t, i18n } = useTranslation(['fleet', 'common'])
  const { allowProfileDepth } = useSite()
  const configs = useVehicleConfigs()
  const [looked, setLooked] = useState<{ position: string; ids: readonly number[] } | null>(null)
  const [wanted, setWanted] = useState<string | null>(null)
  const config = configs.find(({ description }) => description === vehicle.configuration)
  const tyres = vehicle.tyres.filter(tyre => tyre.tyre_status !== 'waste')
  if (!config) return <SetConfiguration vehicle={vehicle} />

  const views = viewsOf(tyres)
  const view = views.find(({ key }) => key === wanted) ?? views[0]
  const shown = view?.tyres ?? tyres

  const reasonOf = (tyre: Tyre) => {
    const tread = allowProfileDepth ? treadOf(tyre.profile_depth, tyre.season) : null
    return [
      t(`common:tyreStatus.${tyre.tyre_status}`),
      tread && t('common:mm', { depth: formatDepth(tyre.profile_depth, i18n.language) }),
      tread && t(`fleet:tread.${tread}`),
    ]
      .filter(Boolean)
      .join(', ')
  }
  const here = looked && tyres.filter(tyre => looked.ids.includes(tyre.db_id))
  const depthsKnown = allowProfileDepth && tyres.some(tyre => tyre.profile_depth !== null)
  return (
    <>
      {view && (
        <Group gap={6} justify="center" mb="sm" role="radiogroup" aria-label={t('fleet:shown')}>
          <Chip.Group
            value={view.key}
            onChange={key => {
              setWanted(key)
              setLooked(null)
            }}
          >
            {views.map(({ key, set }) => (
              <Chip key={key} value={key} size="xs">
                {set === undefined ? t('common:tyreStatus.on_vehicle') : (set ?? t('common:tyre.setless'))}
              </Chip>
            ))}
          </Chip.Group>
        </Group>
      )}
      <ConfigurationPicture
        config={config}
        tyres={shown.map((tyre): PictureTyre => ({
          id: tyre.db_id,
          position: tyre.position,
          set: tyre.tyre_set,
          description: tyre.description,
          state: 'free',
          reason: reasonOf(tyre),
          status: tyre.tyre_status,
          tread: allowProfileDepth ? treadOf(tyre.profile_depth, tyre.season) : null,
          depth:
            allowProfileDepth && tyre.profile_depth !== null
              ? formatDepth(tyre.profile_depth, i18n.language)
              : undefined,
        }))}
        look={{ position: looked?.position ?? null, at: (position, ids) => setLooked({ position, ids }) }}
      />
      {depthsKnown && (
        <ul className={classes.legend}>
          {treads.map(tread => (
            <li key={tread}>
              <span className={treadClasses.swatch} data-tread={tread} aria-hidden />
              {t(`fleet:treadLegend.${tread}`, {
                legal: formatDepth(treadLimits.legal, i18n.language),
                summer: treadLimits.summer,
                winter: treadLimits.winter,
              })}
            </li>
          ))}
        </ul>
      )}
      <div className={classes.looked} aria-live="polite">
        {looked === null || here === null ? (
          <Text size="sm" c="dimmed" ta="center">
            {t('fleet:lookHint')}
          </Text>
        ) : here.length === 0 ? (
          <Text size="sm">{t('fleet:emptyPosition', { position: looked.position })}</Text>
        ) : (
          here.map(tyre => <Looked key={tyre.db_id} tyre={tyre} readings={readings.get(tyre.db_id) ?? []} />)
        )}
      </div>
    </>
  )
}

function Looked({ tyre, readings }: { tyre: Tyre; readings: readonly Reading[] }) {
  const { t } = useTranslation(['fleet', 'common'])
  const { allowProfileDepth } = useSite()
  return (
    <div className={classes.lookedTyre}>
      <Text fw={600}>
        {tyre.position} · {tyre.description}
      </Text>
      <Group gap="xs">
        <Badge variant="default">{tyre.tyre_set ?? t('common:tyre.setless')}</Badge>
        <StatusBadge tyre={tyre.tyre_status} />
        {tyre.stock_rack && (
          <Text span size="sm">
            {t('fleet:inRack', { rack: tyre.stock_rack })}
          </Text>
        )}
      </Group>
      {allowProfileDepth && tyre.profile_depth !== null && (
        <div>
          <TreadDepth tyre={tyre} said />
          <Text size="xs" c="dimmed">
            {formatDate(tyre.profile_date)}
          </Text>
        </div>
      )}
      {allowProfileDepth && readings.length > 1 && <DepthCurve readings={readings} season={tyre.season} size="large" />}
    </div>
  )
}

type SetOfTyresProps = {
  group: Group
  readings: Readings
  chosen: ReadonlySet<number>
  choose: (ids: readonly number[], on: boolean) => void
  open: (asked: Asked, tyres: readonly Tyre[]) => void
}

function SetOfTyres({ group: { set, tyres }, readings, chosen, choose, open }: SetOfTyresProps) {
  const { t } = useTranslation(['fleet', 'common'])
  const { allowProfileDepth, mode } = useSite()
  const name = set ?? t('common:tyre.setless')
  const living = tyres.filter(tyre => tyre.tyre_status !== 'waste')
  const inside = living.filter(tyre => chosen.has(tyre.db_id))
  const curves = allowProfileDepth && tyres.some(tyre => (readings.get(tyre.db_id)?.length ?? 0) > 1)
  const racks = tyres.some(tyre => tyre.stock_rack)
  // Tyres are selected in hotel modes only.
  const selects = isHotel(mode)
  return (
    <Paper component="section" aria-label={name} className={classes.set} data-set={set ?? ''}>
      <div className={classes.setHead}>
        {selects && (
          <Checkbox
            aria-label={t('fleet:selectSet', { set: name })}
            checked={living.length > 0 && inside.length === living.length}
            indeterminate={inside.length > 0 && inside.length < living.length}
            disabled={living.length === 0}
            onChange={event =>
              choose(
                living.map(tyre => tyre.db_id),
                event.currentTarget.checked,
              )
            }
          />
        )}
        <Title order={2} size="h3">
          {name}
        </Title>
        <TyreCounts counts={countsOf(tyres)} />
        {living.length > 0 && (
          <Tooltip label={t('fleet:changeSetName')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              className={classes.rename}
              aria-label={t('fleet:changeSetNameOf', { set: name })}
              onClick={() => open('set', living)}
            >
              <IconPencil size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      <Table className={`${classes.table} ${classes.tyreRows}`}>
        <Table.Thead>
          <Table.Tr>
            {selects && (
              <Table.Th className={classes.check}>
                <span className="wh-hidden">{t('fleet:select')}</span>
              </Table.Th>
            )}
            <Table.Th>{t('common:tyre.position')}</Table.Th>
            <Table.Th>{t('common:tyre.description')}</Table.Th>
            {allowProfileDepth && <Table.Th>{t('common:tyre.depth')}</Table.Th>}
            {curves && <Table.Th className={classes.wide}>{t('fleet:course')}</Table.Th>}
            <Table.Th className={classes.wide}>{t('common:tyre.status')}</Table.Th>
            {racks && <Table.Th className={classes.wide}>{t('common:tyre.rack')}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tyres.map(tyre => {
            const of = readings.get(tyre.db_id) ?? []
            return (
              <Table.Tr key={tyre.db_id} data-tyre={tyre.db_id} data-selected={chosen.has(tyre.db_id) || undefined}>
                {selects && (
                  <Table.Td className={classes.check}>
                    <Checkbox
                      aria-label={t('fleet:selectTyre', { position: tyre.position, description: tyre.description })}
                      checked={chosen.has(tyre.db_id)}
                      disabled={tyre.tyre_status === 'waste'}
                      onChange={event => choose([tyre.db_id], event.currentTarget.checked)}
                    />
                  </Table.Td>
                )}
                <Table.Td fw={600} className={classes.position}>
                  {tyre.position}
                </Table.Td>
                <Table.Td>
                  {tyre.description}
                  {tyre.action && (
                    <Text size="xs" c="dimmed">
                      {t('fleet:inOperation', { type: t(`common:operationType.${tyre.action}`) })}
                    </Text>
                  )}
                  <span className={classes.underneath}>
                    {[t(`common:tyreStatus.${tyre.tyre_status}`), tyre.stock_rack].filter(Boolean).join(' · ')}
                  </span>
                </Table.Td>
                {allowProfileDepth && (
                  <Table.Td className={classes.depth}>
                    <TreadDepth tyre={tyre} />
                    <Text size="xs" c="dimmed" title={t('fleet:measuredOn')}>
                      {formatDate(tyre.profile_date)}
                    </Text>
                  </Table.Td>
                )}
                {curves && (
                  <Table.Td className={classes.wide}>
                    {of.length > 1 && <DepthCurve readings={of} season={tyre.season} />}
                  </Table.Td>
                )}
                <Table.Td className={`${classes.status} ${classes.wide}`}>
                  <StatusBadge tyre={tyre.tyre_status} />
                </Table.Td>
                {racks && <Table.Td className={classes.wide}>{tyre.stock_rack}</Table.Td>}
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}
