/**
 * A plot over days, weeks or months: columns side by side or on top of each other, lines, or points: lines with a mark where something is, and a gap where nothing is.
 * Its axis begins at nothing. The numbers of one point are in the legend: of the one that is pointed at, touched, or chosen with the
 * arrow keys. What the plot shows is also a table.
 */
import { formatNumber } from '#domain/texts/number.ts'
import { labelled } from '../../i18n.ts'
import { Text } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useState } from 'react'
import { useTranslation } from '../texts.ts'
import type { Columns } from '../dataTable/column.ts'
import { DataTable } from '../dataTable/dataTable.tsx'
import classes from './plot.module.css'
import { labelEvery, scaleOf } from './scale.ts'

/** `tint`: which of the six colours of plots it has. `dashed`: it is not certain, or a limit. */
type PlotSeries = {
  readonly id: string
  readonly label: string
  readonly tint: number
  readonly dashed?: boolean
  readonly values: readonly (number | null)[]
}

type PlotProps = {
  /** The subject of the plot; the name of its table, too. */
  readonly title: string
  /** The name of its horizontal axis: day, week, month. */
  readonly over: string
  /** A point of the axis in full, and as short as the axis writes it. */
  readonly points: readonly { readonly key: string; readonly label: string; readonly short: string }[]
  readonly series: readonly PlotSeries[]
  readonly kind: 'columns' | 'stack' | 'lines' | 'points'
  readonly write?: (value: number) => string
  /** How the axis writes, where it is shorter. */
  readonly writeMark?: (value: number) => string
  /** A note to a point, such as the reason of a closed day. */
  readonly noteOf?: (at: number) => string | null
  /** The point that is chosen at first. */
  readonly chosen?: number
  /** The name of all points together: while none is chosen, the legend has their sums. */
  readonly whole?: string
  readonly children?: ReactNode
}

const roomForLabels = 8

export function Plot(props: PlotProps) {
  const { title, points, series, kind, children, chosen = points.length - 1, whole } = props
  const { i18n } = useTranslation()
  const write = props.write ?? ((value: number) => formatNumber(value, i18n.language))
  const [at, choose] = useState(whole === undefined ? chosen : null)
  const here = Math.min(at ?? chosen, points.length - 1)
  const legend = useId()
  const heights = kind === 'stack' ? points.map((_, nth) => sumAt(series, nth)) : series.flatMap(({ values }) => values)
  const scale = scaleOf(heights)
  const name = at === null ? whole : points[here]?.label
  const valueOf = ({ values }: PlotSeries) => written(at === null ? sumOf(values) : values[here], write)
  const summary = series.map(line => `${line.label} ${valueOf(line)}`).join(', ')
  const note = at === null ? null : (props.noteOf?.(here) ?? null)
  return (
    <figure className={classes.plot} aria-label={title}>
      <div className={classes.legend} id={legend}>
        <strong>{name}</strong>
        {note !== null && <span>{note}</span>}
        <ul>
          {series.map((line, nth) => (
            <li key={line.id}>
              <span
                className={classes.swatch}
                data-tint={line.tint}
                data-line={kind === 'lines' || undefined}
                data-shape={kind === 'points' ? shapes[nth] : undefined}
                data-dashed={line.dashed || undefined}
                aria-hidden
              />
              {line.label} <strong>{valueOf(line)}</strong>
            </li>
          ))}
        </ul>
      </div>
      <div className={classes.area}>
        <div className={classes.marks} aria-hidden>
          {scale.marks.map(mark => (
            <span key={mark} style={{ bottom: `${(mark / scale.top) * 100}%` }}>
              {(props.writeMark ?? write)(mark)}
            </span>
          ))}
        </div>
        <div
          className={classes.drawing}
          role="slider"
          tabIndex={0}
          aria-label={title}
          aria-valuemin={1}
          aria-valuemax={points.length}
          aria-valuenow={here + 1}
          aria-valuetext={[note, summary].reduce<string>(
            (all, value) => (value ? labelled(all, value) : all),
            name ?? '',
          )}
          onKeyDown={event => {
            const next = nextPoint(event, here, points.length)
            if (next === null) return
            event.preventDefault()
            choose(next)
          }}
          onPointerMove={event => choose(pointAt(event, points.length))}
          onPointerDown={event => choose(pointAt(event, points.length))}
          onPointerLeave={event => whole !== undefined && event.pointerType === 'mouse' && choose(null)}
        >
          {scale.marks.map(mark => (
            <div key={mark} className={classes.line} style={{ bottom: `${(mark / scale.top) * 100}%` }} />
          ))}
          {at !== null && (
            <div
              className={classes.here}
              style={{ left: `${(here / points.length) * 100}%`, width: `${100 / points.length}%` }}
            />
          )}
          {kind === 'lines' || kind === 'points' ? (
            <Lines series={series} count={points.length} top={scale.top} marked={kind === 'points'} />
          ) : (
            <div className={classes.columns}>
              {points.map((point, nth) => (
                <div key={point.key} data-stack={kind === 'stack' || undefined}>
                  {series.map(({ id, tint, dashed, values }) => (
                    <span
                      key={id}
                      data-tint={tint}
                      data-dashed={dashed || undefined}
                      style={{
                        width: `${84 / (kind === 'stack' ? 1 : series.length)}%`,
                        height: `${((values[nth] ?? 0) / scale.top) * 100}%`,
                      }}
                    />
                  ))}
                </div>
              ))}
            </div>
          )}
        </div>
        <Labels points={points} />
      </div>
      {children}
      <AsTable {...props} write={write} />
    </figure>
  )
}

/** Told apart by more than their colour (WCAG 1.4.1). */
const shapes = ['circle', 'square', 'diamond']

const sumOf = (values: readonly (number | null)[]): number =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
const sumAt = (series: readonly PlotSeries[], at: number): number =>
  series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)
const written = (value: number | null | undefined, write: (value: number) => string): string =>
  value === null || value === undefined ? '–' : write(value)

function pointAt({ clientX, currentTarget }: PointerEvent<HTMLElement>, count: number): number {
  const { left, width } = currentTarget.getBoundingClientRect()
  return Math.max(0, Math.min(count - 1, Math.floor(((clientX - left) / width) * count)))
}

function nextPoint({ key }: KeyboardEvent, at: number, count: number): number | null {
  const wanted = {
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    PageUp: at + 7,
    PageDown: at - 7,
    Home: 0,
    End: count - 1,
  }[key]
  return wanted === undefined ? null : Math.max(0, Math.min(count - 1, wanted))
}

type LinesProps = { series: readonly PlotSeries[]; count: number; top: number; marked: boolean }

/** The lines of series; one is broken where it has no value. With marks, 0 is none. */
function Lines({ series, count, top, marked }: LinesProps) {
  const left = (nth: number) => ((nth + 0.5) / count) * 1000
  const height = (value: number) => 1000 - (value / top) * 1000
  /** The segment of a path for one point; a new subpath begins after a point without a value. */
  function part(values: PlotSeries['values'], nth: number): string {
    const valueAt = (point: number) => (marked ? values[point] || null : (values[point] ?? null))
    const value = valueAt(nth)
    return value === null ? '' : `${valueAt(nth - 1) === null ? 'M' : 'L'}${left(nth)} ${height(value)}`
  }
  return (
    <>
      <svg className={classes.lines} viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden>
        {series.map(({ id, tint, dashed, values }) => (
          <path
            key={id}
            data-tint={tint}
            data-dashed={dashed || undefined}
            d={values.map((_, nth) => part(values, nth)).join('')}
          />
        ))}
      </svg>
      {marked &&
        series.map(({ id, tint, values }, at) =>
          values.map((value, nth) =>
            value ? (
              <span
                // oxlint-disable-next-line react/no-array-index-key -- a point of the axis is its place
                key={`${id} ${nth}`}
                className={classes.mark}
                data-tint={tint}
                data-shape={shapes[at]}
                style={{ left: `${left(nth) / 10}%`, top: `${height(value) / 10}%` }}
              />
            ) : null,
          ),
        )}
    </>
  )
}

function Labels({ points }: Pick<PlotProps, 'points'>) {
  const every = labelEvery(points.length, roomForLabels)
  return (
    <div className={classes.labels} aria-hidden>
      {points.map(({ key, short }, nth) =>
        nth % every === 0 ? (
          <span
            key={key}
            style={{ left: `${((nth + 0.5) / points.length) * 100}%` }}
            data-even={(nth / every) % 2 === 0 || undefined}
          >
            {short}
          </span>
        ) : null,
      )}
    </div>
  )
}

type TableProps = PlotProps & { write: (value: number) => string }

function AsTable({ title, over, points, series, write, noteOf }: TableProps) {
  const { t } = useTranslation('common')
  type Row = { readonly key: string; readonly label: string; readonly at: number }
  const columns: Columns<Row> = [
    {
      id: 'point',
      header: over,
      rowHeader: true,
      render: row => (
        <>
          {row.label}
          {noteOf?.(row.at) && (
            <Text span size="sm" c="dimmed">
              {' '}
              {noteOf(row.at)}
            </Text>
          )}
        </>
      ),
    },
    ...series.map(line => ({
      id: line.id,
      header: line.label,
      align: 'end' as const,
      labelled: true,
      render: (row: Row) => written(line.values[row.at], write),
    })),
  ]
  return (
    <details className={classes.table}>
      <summary>{t('asTable')}</summary>
      <DataTable
        label={title}
        columns={columns}
        rows={points.map(({ key, label }, at) => ({ key, label, at }))}
        keyOf={row => row.key}
        spacing="0.125rem"
        phone={{ columns: 'minmax(0, 1fr)' }}
        still
      />
    </details>
  )
}
