/** The picture of a vehicle from above, with its tyres. */
import { Chip, Group, Text } from '@mantine/core'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import type { VehicleConfig } from '#contract/wire.ts'
import { layoutOf, tyreSize, wheelCount } from '#domain/vehicles/axle.ts'
import { treadLooks } from '#domain/tyres/tread.ts'
import { labelled } from '../../i18n.ts'
import { tyreLooks } from '../../shared/trade.tsx'
import { type AxleMark, axleMarks, markNames } from './axleMarks.ts'
import { firstShown, occupantsOf, type PictureTyre, setsToSwitch, stateOf } from './occupants.ts'
import classes from './picture.module.css'
import { nextByArrow } from './rovingFocus.ts'

type PictureProps = {
  config: VehicleConfig
  /** Without tyres the picture is a preview of the configuration. */
  tyres?: readonly PictureTyre[]
  /** The tyres of a position were clicked, or chosen with a key (which has no double click). */
  pick?: (ids: number[], how: 'click' | 'key') => void
  /**
   * Every position can be selected, empty ones too; the tyres of `position` are shown beside the picture. All tyres show at once: the selection
   * picks the details.
   */
  look?: { position: string | null; at: (position: string, ids: number[]) => void }
}

/** Room around the drawing, so that the focus ring of an outer tyre is not cut off. */
const margin = 4

/** Axles, separators and wheels as they lie on the road, front at the top. Positions are reached with Tab and the arrow keys. */
export function ConfigurationPicture({ config, tyres = [], pick, look }: PictureProps) {
  const { t } = useTranslation(['vehicles', 'common'])
  const sets = look ? [] : setsToSwitch(tyres)
  // Not chosen yet is undefined; null is a choice, of the setless tyres.
  const [wanted, setWanted] = useState<string | null>()
  const shownSet = wanted !== undefined && sets.includes(wanted) ? wanted : firstShown(sets, tyres)
  const shown = sets.length > 0 ? tyres.filter(tyre => tyre.set === shownSet) : tyres
  const { elsewhere } = occupantsOf(config.axles, shown)
  const nameOf = (set: string | null) => set ?? t('common:tyre.setless')

  return (
    <div className={classes.picture}>
      {sets.length > 0 && (
        <Group gap={6} role="radiogroup" aria-label={t('vehicles:picture.shownSet')} className={classes.sets}>
          {/* A set may have any name, so its place in the list stands for it. */}
          <Chip.Group value={String(sets.indexOf(shownSet))} onChange={at => setWanted(sets[Number(at)] ?? null)}>
            {sets.map((set, at) => {
              const selected = tyres.filter(tyre => tyre.set === set && tyre.state === 'selected').length
              return (
                <Chip key={at} value={String(at)} size="xs">
                  {nameOf(set)}
                  {selected > 0 && ` · ${t('vehicles:picture.selected', { count: selected })}`}
                </Chip>
              )
            })}
          </Chip.Group>
        </Group>
      )}
      <Drawing config={config} tyres={shown} pick={pick} look={look} />
      <Marks config={config} />
      {elsewhere.length > 0 && (
        <Text size="xs" c="dimmed">
          {t('vehicles:picture.elsewhere', { positions: elsewhere.join(', '), count: elsewhere.length })}
        </Text>
      )}
    </div>
  )
}

function Drawing({
  config,
  tyres,
  pick,
  look,
}: {
  config: VehicleConfig
  tyres: readonly PictureTyre[]
  pick: PictureProps['pick']
  look: PictureProps['look']
}) {
  const { t } = useTranslation(['vehicles', 'common'])
  const layout = useMemo(
    () => layoutOf(config.axles, { axleHeight: config.axle_height, axleWidth: config.axle_width }),
    [config],
  )
  const { at } = occupantsOf(config.axles, tyres)
  const spots = layout.tyres.map(spot => ({ ...spot, tyres: at(spot.position), state: stateOf(at(spot.position)) }))
  const reachable = look ? spots : spots.filter(spot => spot.state !== 'empty')
  const [focused, setFocused] = useState<string | null>(null)
  const tabStop = reachable.find(spot => spot.position === focused) ?? reachable[0]
  const svg = useRef<SVGSVGElement>(null)

  function press(event: KeyboardEvent, spot: (typeof spots)[number]) {
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      return choose(spot, 'key')
    }
    const to = nextByArrow(reachable, reachable.indexOf(spot), event.key)
    const next = to === null ? undefined : reachable[to]
    if (!next) return
    event.preventDefault()
    setFocused(next.position)
    svg.current?.querySelector<SVGGElement>(`[data-position="${next.position}"]`)?.focus()
  }
  function choose(spot: (typeof spots)[number], how: 'click' | 'key') {
    if (look) {
      return look.at(
        spot.position,
        spot.tyres.map(tyre => tyre.id),
      )
    }
    const ids = spot.tyres.filter(tyre => tyre.state !== 'blocked').map(tyre => tyre.id)
    if (ids.length > 0) pick?.(ids, how)
  }
  const labelOf = (spot: (typeof spots)[number]) =>
    [
      // The label printed on the tyre comes first: voice control users say what they see.
      [spot.position, written(spot.tyres).depth, spot.tyres.length > 1 && stacked(spot.tyres)]
        .filter(Boolean)
        .join(' '),
      ...spot.tyres.flatMap(tyre => [tyre.description, tyre.set ?? t('common:tyre.setless'), tyre.reason ?? '']),
      ...(spot.tyres.length === 0 ? [t('vehicles:picture.empty')] : []),
    ]
      .filter(Boolean)
      .join(', ')

  const axles = layout.axles.length
  const summary = labelled(
    config.description,
    `${t('vehicles:picture.axles', { count: axles })}, ${t('vehicles:picture.wheels', { count: wheelCount(config.axles) })}`,
  )
  const width = layout.width + 2 * margin
  const height = layout.height + 2 * margin

  return (
    <svg
      ref={svg}
      viewBox={`${-margin} ${-margin} ${width} ${height}`}
      className={classes.drawing}
      style={{ '--units': width, aspectRatio: `${width} / ${height}` } as React.CSSProperties}
      data-long={axles > 5 || undefined}
      data-look={look !== undefined || undefined}
      role={pick || look ? 'group' : 'img'}
      aria-label={summary}
    >
      <g aria-hidden>
        {layout.frames.map(frame => (
          <line key={frame.y1} x1={frame.x} x2={frame.x} y1={frame.y1} y2={frame.y2} className={classes.frame} />
        ))}
        {layout.separators.map(separator => (
          <line key={separator.y} {...separatorLine(separator)} className={classes.separator} />
        ))}
        {layout.axles.map(axle => (
          <g key={axle.axle}>
            <line
              x1={axle.x1}
              x2={axle.x2}
              y1={axle.y}
              y2={axle.y}
              className={classes.axle}
              data-lift={axle.lift || undefined}
            />
            <AxleMarks axle={axle} />
          </g>
        ))}
      </g>
      {spots.map(spot => {
        const square = <Tyre spot={spot} />
        if (look) {
          return (
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- there is no button in SVG
            <g
              key={spot.position}
              data-position={spot.position}
              data-state={spot.state}
              data-tread={worstOf(spot.tyres) ?? undefined}
              className={classes.tyre}
              role="button"
              aria-pressed={look.position === spot.position}
              aria-label={labelOf(spot)}
              tabIndex={spot === tabStop ? 0 : -1}
              onFocus={() => setFocused(spot.position)}
              onKeyDown={event => press(event, spot)}
              onClick={() => choose(spot, 'click')}
            >
              {square}
            </g>
          )
        }
        if (!pick || spot.state === 'empty') {
          return (
            <g
              key={spot.position}
              data-position={spot.position}
              data-state={spot.state}
              className={classes.tyre}
              aria-hidden
            >
              {square}
            </g>
          )
        }
        return (
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- there is no checkbox in SVG
          <g
            key={spot.position}
            data-position={spot.position}
            data-state={spot.state}
            className={classes.tyre}
            role="checkbox"
            aria-checked={spot.state === 'partly' ? 'mixed' : spot.state === 'selected'}
            aria-disabled={spot.state === 'blocked' || undefined}
            aria-label={labelOf(spot)}
            tabIndex={spot === tabStop ? 0 : -1}
            onFocus={() => setFocused(spot.position)}
            onKeyDown={event => press(event, spot)}
            onClick={() => choose(spot, 'click')}
          >
            <title>{labelOf(spot)}</title>
            {square}
          </g>
        )
      })}
    </svg>
  )
}

const separatorLine = ({ x1, x2, y }: { x1: number; x2: number; y: number }) => ({ x1, x2, y1: y, y2: y })

/** How many tyres one position has. */
const stacked = (tyres: readonly PictureTyre[]) => `×${tyres.length}`

/** Of several tyres on one position the one that has to go first speaks for all. */
const worstOf = (tyres: readonly PictureTyre[]) => treadLooks.find(tread => tyres.some(tyre => tyre.tread === tread))

/** Of several tyres on one position the worst one's depth and status are written. */
function written(tyres: readonly PictureTyre[]): Pick<PictureTyre, 'depth' | 'status'> {
  const worst = worstOf(tyres)
  return tyres.find(tyre => tyre.tread === worst) ?? tyres[0] ?? {}
}

function Tyre({
  spot,
}: {
  spot: { position: string; x: number; y: number; state: string; tyres: readonly PictureTyre[] }
}) {
  const { x, y, state, position, tyres } = spot
  const { depth, status } = written(tyres)
  const Status = status && tyreLooks[status].icon
  return (
    <>
      <rect x={x - 2} y={y - 2} width={tyreSize + 4} height={tyreSize + 4} rx={5.5} className={classes.ring} />
      <rect x={x} y={y} width={tyreSize} height={tyreSize} rx={4} className={classes.square} />
      <text
        x={x + tyreSize / 2}
        y={y + tyreSize / 2 + (state === 'selected' || state === 'blocked' ? -3.2 : depth ? -2.5 : 0)}
        className={classes.position}
      >
        {position}
      </text>
      {/* So that they are words of their own. */}
      {depth && ' '}
      {depth && (
        <text x={x + tyreSize / 2} y={y + 19} className={classes.depth}>
          {depth}
        </text>
      )}
      {Status && <Status x={x + 1.5} y={y + 1.5} size={6.5} stroke={2.2} className={classes.status} />}
      {state === 'selected' && <path d={`M${x + 9} ${y + 18} l2.6 2.6 l5 -5.2`} className={classes.check} />}
      {state === 'blocked' && (
        <path
          d={`M${x + 9.5} ${y + 17.5} h6 v4.5 h-6 z m1.4 0 v-1.4 a1.6 1.6 0 0 1 3.2 0 v1.4`}
          className={classes.lock}
        />
      )}
      {tyres.length > 1 && ' '}
      {tyres.length > 1 && (
        <text x={x + tyreSize - 2.5} y={y + 5.5} className={classes.stack}>
          {stacked(tyres)}
        </text>
      )}
    </>
  )
}

type MarkedAxle = Record<AxleMark, boolean> & { x1: number; x2: number; y: number }

/** Steered, driven, lifted: signs in the middle of the axle, where it is long enough for them. */
function AxleMarks({ axle }: { axle: MarkedAxle }) {
  const shown = markNames.filter(mark => axle[mark])
  if (shown.length === 0) return null
  const size = 10
  const width = shown.length * (size + 2) + 2
  const middle = (axle.x1 + axle.x2) / 2
  if (axle.x2 - axle.x1 < width) return null
  return (
    <>
      <rect x={middle - width / 2} y={axle.y - 7} width={width} height={14} rx={4} className={classes.marks} />
      {shown.map((mark, at) => {
        const Icon = axleMarks[mark]
        return (
          <Icon
            key={mark}
            x={middle - width / 2 + 2 + at * (size + 2)}
            y={axle.y - size / 2}
            size={size}
            stroke={2}
            className={classes.mark}
          />
        )
      })}
    </>
  )
}

/** A legend of the signs that this vehicle has; for screen readers, with their axles. */
function Marks({ config }: { config: VehicleConfig }) {
  const { t } = useTranslation('vehicles')
  const axles = config.axles.filter(axle => axle.type === 'axle')
  const present = markNames.filter(mark => axles.some(axle => axle[mark]))
  if (present.length === 0) return null
  return (
    <ul className={classes.legend}>
      {present.map(mark => {
        const Icon = axleMarks[mark]
        const on = axles.flatMap((axle, at) => (axle[mark] ? [at + 1] : []))
        return (
          <li key={mark}>
            <Icon size={14} stroke={1.8} aria-hidden />
            {t(`mark.${mark}`)}
            <span className="wh-hidden"> {t('picture.onAxles', { axles: on.join(', '), count: on.length })}</span>
          </li>
        )
      })}
    </ul>
  )
}
