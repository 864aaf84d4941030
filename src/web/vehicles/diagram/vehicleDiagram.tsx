/** The picture of a vehicle with its tyres, and the details of the tyres at one position. */
import { Badge, Chip, Group, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import type { VehicleMounts } from '#contract/mounts.ts'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import { treadLookOf, treadLooks } from '#domain/tyres/tread.ts'
import { useSite, useVehicleConfigs } from '../../shared/session.ts'
import { formatDate, formatDepth } from '../../shared/format.ts'
import { StatusBadge } from '../../shared/trade.tsx'
import trade from '../../shared/trade.module.css'
import { ConfigurationPicture } from './configurationPicture.tsx'
import { DepthCurve } from '../depths/depthCurve.tsx'
import { MountHistory, openOf } from '../mounts/setMounts.tsx'
import type { PictureTyre } from './occupants.ts'
import { setOrder } from './positionOrder.ts'
import type { Reading, Readings } from '../depths/readings.ts'
import { SetConfiguration } from './setConfiguration.tsx'
import { TreadDepth } from '../depths/treadDepth.tsx'
import { useTreadLimits } from '../depths/treadLimits.ts'
import treadClasses from '../depths/tread.module.css'
import classes from '../vehicleView.module.css'

/**
 * The views of a vehicle that has several tyres for a position: the tyres on it now, of any set, and each set. Empty when all its tyres have a
 * position of their own.
 */
function viewsOf(
  tyres: readonly Tyre[],
  places: ReadonlyMap<number, string>,
  language: string,
): { key: string; set?: string | null; tyres: readonly Tyre[] }[] {
  if (new Set(tyres.map(tyre => tyre.position)).size === tyres.length) return []
  // on the position on which it sits, which a rotation may have changed
  const mounted = tyres.flatMap(tyre => {
    const position = places.get(tyre.db_id)
    return position === undefined ? [] : [{ ...tyre, position }]
  })
  const bySet = setOrder(language)
  return [
    ...(mounted.length > 0 ? [{ key: 'mounted', tyres: mounted }] : []),
    // A set may have any name.
    ...[...Map.groupBy(tyres, tyre => tyre.tyre_set)]
      .sort(([a], [b]) => bySet(a, b))
      .map(([set, some]) => ({ key: set === null ? 'setless' : `set ${set}`, set, tyres: some })),
  ]
}

const reducesMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** The picture of the vehicle with its tyres, and below it the tyres of the position that was chosen. */
type VehicleDiagramProps = { vehicle: Vehicle; readings: Readings; mounted: VehicleMounts | undefined }

export function VehicleDiagram({ vehicle, readings, mounted }: VehicleDiagramProps) {
  const { t, i18n } = useTranslation(['fleet', 'common'])
  const { allowProfileDepth } = useSite()
  const configs = useVehicleConfigs()
  const { limitsOf } = useTreadLimits(vehicle)
  const [looked, setLooked] = useState<{ position: string; ids: readonly number[] } | null>(null)
  const [wanted, setWanted] = useState<string | null>(null)
  const detailsBox = useRef<HTMLDivElement>(null)
  // on a phone it may begin below the fold
  useEffect(() => {
    if (looked)
      detailsBox.current?.scrollIntoView({ block: 'nearest', behavior: reducesMotion() ? 'instant' : 'smooth' })
  }, [looked])
  const config = configs.find(({ description }) => description === vehicle.configuration)
  const tyres = vehicle.tyres.filter(tyre => tyre.tyre_status !== 'waste')
  if (!config) return <SetConfiguration vehicle={vehicle} />

  const places = new Map(openOf(mounted).map(({ tyre, position }) => [tyre, position]))
  const views = viewsOf(tyres, places, i18n.language)
  const view = views.find(({ key }) => key === wanted) ?? views[0]
  const shown = view?.tyres ?? tyres

  const reasonOf = (tyre: Tyre) => {
    const tread = allowProfileDepth ? treadLookOf(tyre.profile_depth, limitsOf(tyre)) : null
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
      <div className={classes.drawing}>
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
            tread: allowProfileDepth ? treadLookOf(tyre.profile_depth, limitsOf(tyre)) : null,
            depth:
              allowProfileDepth && tyre.profile_depth !== null
                ? formatDepth(tyre.profile_depth, i18n.language)
                : undefined,
          }))}
          look={{ position: looked?.position ?? null, at: (position, ids) => setLooked({ position, ids }) }}
        />
      </div>
      <div ref={detailsBox} className={classes.looked} aria-live="polite">
        {looked === null || here === null ? (
          <Text size="sm" c="dimmed" ta="center">
            {t('fleet:lookHint')}
          </Text>
        ) : here.length === 0 ? (
          <Text size="sm">{t('fleet:emptyPosition', { position: looked.position })}</Text>
        ) : (
          here.map(tyre => (
            <Looked
              key={tyre.db_id}
              tyre={tyre}
              vehicle={vehicle}
              readings={readings.get(tyre.db_id) ?? []}
              mounted={mounted}
            />
          ))
        )}
      </div>
      {depthsKnown && (
        <ul className={classes.legend}>
          {treadLooks.map(tread => (
            <li key={tread}>
              <span className={treadClasses.swatch} data-tread={tread} aria-hidden />
              {t(`fleet:treadLegend.${tread}`)}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Looked({
  tyre,
  vehicle,
  readings,
  mounted,
}: Omit<VehicleDiagramProps, 'readings'> & { tyre: Tyre; readings: readonly Reading[] }) {
  const { t } = useTranslation(['fleet', 'common'])
  const { allowProfileDepth } = useSite()
  const { limitsOf } = useTreadLimits(vehicle)
  return (
    <div className={classes.lookedTyre}>
      <Text fw={600}>
        {tyre.position} · {tyre.description}
      </Text>
      <Group gap="xs">
        <Badge variant="default">{tyre.tyre_set ?? t('common:tyre.setless')}</Badge>
        <StatusBadge tyre={tyre.tyre_status} />
        {tyre.stock_rack && (
          <Text span size="sm" className={trade.rack}>
            {t('fleet:inRack', { rack: tyre.stock_rack })}
          </Text>
        )}
      </Group>
      {allowProfileDepth && tyre.profile_depth !== null && (
        <div>
          <TreadDepth tyre={tyre} vehicle={vehicle} verbose />
          <Text size="xs" c="dimmed">
            {formatDate(tyre.profile_date)}
          </Text>
        </div>
      )}
      {allowProfileDepth && readings.length > 1 && (
        <DepthCurve readings={readings} limits={limitsOf(tyre)} size="large" />
      )}
      <MountHistory tyre={tyre.db_id} mounted={mounted} />
    </div>
  )
}
