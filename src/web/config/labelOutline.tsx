import { labelPapers, type LabelLayout } from '#domain/warehouse/label.ts'
import classes from './labelReports.module.css'

type OutlineProps = { layout: LabelLayout; /** The longer side of the paper, in pixels. */ size: number }

/** The paper of a layout in proportion, with its printed areas: the code to scan, the plate, the size of the tyre. */
export function LabelOutline({ layout, size }: OutlineProps) {
  const { page, label, across, down } = labelPapers[layout]
  const scale = size / Math.max(page.width, page.height)
  const left = (page.width - across * label.width) / 2
  const top = (page.height - down * label.height) / 2
  const cells = Array.from({ length: across * down }, (_, nth) => ({
    x: left + (nth % across) * label.width,
    y: top + Math.floor(nth / across) * label.height,
  }))
  return (
    <svg
      viewBox={`-1 -1 ${page.width + 2} ${page.height + 2}`}
      width={page.width * scale}
      height={page.height * scale}
      className={classes.outline}
      aria-hidden
    >
      <rect width={page.width} height={page.height} rx={across * down > 1 ? 0 : 3} className={classes.paper} />
      {cells.map(cell => (
        <g key={`${cell.x} ${cell.y}`} transform={`translate(${cell.x} ${cell.y})`}>
          {cells.length > 1 && (
            <rect x={1} y={1} width={label.width - 2} height={label.height - 2} rx={3} className={classes.paper} />
          )}
          {label.height > label.width ? <Upright {...label} /> : <Lengthwise {...label} />}
        </g>
      ))}
    </svg>
  )
}

type Size = { width: number; height: number }

function Upright({ width, height }: Size) {
  return (
    <>
      <rect x={5} y={5} width={width - 10} height={10} rx={1} className={classes.printed} />
      <Code x={5} y={21} size={24} />
      <rect x={36} y={22} width={16} height={12} rx={1} className={classes.printed} />
      <rect x={36} y={39} width={20} height={4} rx={1} className={classes.faint} />
      <rect x={5} y={52} width={width - 10} height={8} rx={1} className={classes.printed} />
      <rect x={5} y={65} width={width - 20} height={4} rx={1} className={classes.faint} />
      <rect x={5} y={76} width={width - 32} height={4} rx={1} className={classes.faint} />
      <rect x={5} y={height - 10} width={18} height={5} rx={1} className={classes.faint} />
    </>
  )
}

function Lengthwise({ width, height }: Size) {
  const code = height * 0.62
  const x = code + 8
  return (
    <>
      <Code x={4} y={(height - code) / 2 - 2} size={code} />
      <rect
        x={x}
        y={height * 0.12}
        width={(width - x - 4) * 0.7}
        height={height * 0.16}
        rx={1}
        className={classes.printed}
      />
      <rect x={x} y={height * 0.38} width={width - x - 4} height={height * 0.14} rx={1} className={classes.printed} />
      <rect
        x={x}
        y={height * 0.6}
        width={(width - x - 4) * 0.85}
        height={height * 0.09}
        rx={1}
        className={classes.faint}
      />
      <rect
        x={x}
        y={height * 0.78}
        width={(width - x - 4) * 0.5}
        height={height * 0.09}
        rx={1}
        className={classes.faint}
      />
    </>
  )
}

/** A sketch of a QR code: its three corners and some of the modules between them. */
function Code({ x, y, size }: { x: number; y: number; size: number }) {
  const dot = size / 7
  const corners = [
    [0, 0],
    [4, 0],
    [0, 4],
  ] as const
  const dots = [
    [4, 4],
    [5, 5],
    [6, 4],
    [4, 6],
    [6, 6],
  ] as const
  return (
    <g transform={`translate(${x} ${y})`} className={classes.printed}>
      {corners.map(([column, row]) => (
        <path
          key={`${column} ${row}`}
          fillRule="evenodd"
          d={`M${column * dot} ${row * dot} h${3 * dot} v${3 * dot} h${-3 * dot} z m${0.75 * dot} ${0.75 * dot} v${1.5 * dot} h${1.5 * dot} v${-1.5 * dot} z`}
        />
      ))}
      {dots.map(([column, row]) => (
        <rect key={`${column} ${row}`} x={column * dot} y={row * dot} width={dot} height={dot} />
      ))}
    </g>
  )
}
