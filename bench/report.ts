/** The report of the benchmark: a table for the terminal, a page with plots for the browser. */
import fs from 'node:fs'
import path from 'node:path'
import { ratiosOf, summed, verdictOf, type Round, type Row, type Verdict } from './figures.ts'
import type { Job } from './jobs.ts'

/** The results of a run. */
export type Report = {
  readonly version: string
  readonly seconds: number
  readonly jobs: ReadonlyMap<Job, readonly Round[]>
  readonly rows: readonly Row[]
  readonly growth?: readonly Growth[]
}

/** A job at so many times the data, by one client, and how it goes with more clients. */
export type Growth = {
  readonly job: string
  readonly scale: number
  /** Bytes of an answer. */
  readonly bytes: number
  /** Each with how many clients. */
  readonly at: readonly {
    readonly clients: number
    readonly perSecond: number
    readonly p50: number
    readonly p99: number
  }[]
}

const rate = (value: number): string => (value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en-GB'))
const ms = (value: number): string => (value < 100 ? value.toFixed(1) : value.toFixed(0))

type Cell = readonly string[]

function columns(rows: readonly Cell[]): string[] {
  const widths = rows[0]?.map((_, nth) => Math.max(...rows.map(row => row[nth]?.length ?? 0))) ?? []
  return rows.map(row =>
    row
      .map((cell, nth) =>
        nth === 0 || nth === row.length - 1 ? cell.padEnd(widths[nth] ?? 0) : cell.padStart(widths[nth] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}

function jobCells(jobs: Report['jobs']): { cells: Cell; verdict: Verdict | null }[] {
  const all = [...jobs].map(([job, rounds]) => ({ job, rounds, measured: summed(job, rounds) }))
  const scans = all.find(({ job }) => job.name === 'scan')?.measured.perSecond
  return all.map(({ job, rounds, measured }) => {
    const judged = verdictOf(job, measured, scans)
    const slow = job.p99AtMost !== undefined && measured.p99 > job.p99AtMost
    return {
      verdict: judged && (slow ? 'short' : judged.verdict),
      cells: [
        job.name,
        rate(measured.limitPerSecond),
        rate(measured.perSecond),
        measured.ratio.toFixed(2),
        job.reach === null
          ? ''
          : ratiosOf(rounds)
              .map(ratio => ratio.toFixed(2))
              .join(' '),
        judged?.reach ?? '',
        ms(measured.p50),
        ms(measured.limitP99),
        ms(measured.p99) + (job.p99AtMost === undefined ? '' : ` (≤ ${job.p99AtMost})`),
        judged ? judged.verdict + (slow ? ', p99 short' : '') : '',
      ],
    }
  })
}

const head: Cell = ['job', 'limit/s', 'ours/s', 'ratio', 'of each round', 'reach', 'p50 ms', 'limit p99', 'p99 ms', '']

/** The table for the terminal. */
export function tableOf({ jobs, rows, growth = [] }: Report): string {
  const lines = jobs.size > 0 ? columns([head, ...jobCells(jobs).map(({ cells }) => cells)]) : []
  const others = columns(rows.map(({ what, found: figure, reach, verdict }) => [what, figure, reach, verdict]))
  return [
    ...lines,
    ...(others.length > 0 ? ['', ...others] : []),
    ...(growth.length > 0 ? ['', ...growthLines(growth)] : []),
  ].join('\n')
}

function growthLines(growth: readonly Growth[]): string[] {
  const clients = growth[0]?.at.map(({ clients }) => clients) ?? []
  return columns([
    ['job', 'data', 'answer KB', 'ms of one', ...clients.map(count => `${count} clients/s`), ''],
    ...growth.map(({ job, scale, bytes, at }) => [
      job,
      `${scale}×`,
      (bytes / 1024).toFixed(1),
      ms(at[0]?.p50 ?? Number.NaN),
      ...clients.map(count => rate(at.find(point => point.clients === count)?.perSecond ?? 0).replace(/^0\.0$/, '–')),
      '',
    ]),
  ])
}

// The page ------------------------------------------------------------------------------------------------------------------

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const tint: Record<Verdict, string> = { good: 'var(--good)', reached: 'var(--reached)', short: 'var(--short)' }
const left = 150
const wide = 760
const rowHigh = 34

type Plot = {
  readonly high: number
  readonly marks: readonly string[]
  readonly ticks: readonly { readonly at: number; readonly text: string }[]
}

const svg = (title: string, { high, marks, ticks }: Plot): string => `<figure><figcaption>${escaped(title)}</figcaption>
<svg viewBox="0 0 ${left + wide + 40} ${high + 30}" role="img" aria-label="${escaped(title)}">
${ticks.map(({ at, text }) => `<line class="grid" x1="${at}" x2="${at}" y1="0" y2="${high}"/><text class="tick" x="${at}" y="${high + 20}">${text}</text>`).join('\n')}
${marks.join('\n')}
</svg></figure>`

const name = (text: string, nth: number): string =>
  `<text x="${left - 12}" y="${nth * rowHigh + rowHigh / 2 + 5}" text-anchor="end">${text}</text>`

const ofRatio = (ratio: number): number => left + Math.min(1, ratio) * wide

/** A bar per job up to its ratio, a dot per round, a stroke where it is to be. */
function ratioPlot(jobs: Report['jobs']): string {
  const judged = [...jobs].filter(([job]) => job.reach !== null)
  const marks = judged.flatMap(([job, rounds], nth) => {
    const measured = summed(job, rounds)
    const verdict = verdictOf(job, measured, undefined)?.verdict ?? 'short'
    const y = nth * rowHigh
    return [
      name(job.name, nth),
      `<rect x="${left}" y="${y + 9}" width="${ofRatio(measured.ratio) - left}" height="16" rx="2" fill="${tint[verdict]}"><title>${measured.ratio.toFixed(3)}</title></rect>`,
      ...ratiosOf(rounds).map(ratio => `<circle cx="${ofRatio(ratio)}" cy="${y + 17}" r="3" class="dot"/>`),
      `<line class="mark" x1="${ofRatio(job.reach ?? 0)}" x2="${ofRatio(job.reach ?? 0)}" y1="${y + 4}" y2="${y + 30}"/>`,
    ]
  })
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].map(at => ({ at: ofRatio(at), text: at.toFixed(1) }))
  return svg('Part of the limit that the complete stack reaches; dots are rounds, strokes what is to be reached', {
    high: judged.length * rowHigh,
    marks,
    ticks,
  })
}

const decades = (low: number, high: number): number[] =>
  Array.from(
    { length: Math.ceil(Math.log10(high)) - Math.floor(Math.log10(low)) + 1 },
    (_, nth) => 10 ** (Math.floor(Math.log10(low)) + nth),
  )

function timePlot(jobs: Report['jobs']): string {
  const all = [...jobs].map(([job, rounds]) => ({ job, measured: summed(job, rounds) }))
  const shown = decades(
    Math.min(...all.map(({ measured }) => measured.p50)),
    Math.max(...all.map(({ measured }) => measured.p99)),
  )
  const [low = 1, high = 10] = [shown[0], shown.at(-1)]
  const x = (value: number) => left + (Math.log10(value / low) / Math.log10(high / low)) * wide
  const marks = all.flatMap(({ job, measured: { p50, p99 } }, nth) => {
    const y = nth * rowHigh + rowHigh / 2
    return [
      name(job.name, nth),
      `<line class="range" x1="${x(p50)}" x2="${x(p99)}" y1="${y}" y2="${y}"/>`,
      `<circle cx="${x(p50)}" cy="${y}" r="5" fill="var(--reached)"><title>p50 ${ms(p50)} ms</title></circle>`,
      `<circle cx="${x(p99)}" cy="${y}" r="5" fill="var(--short)"><title>p99 ${ms(p99)} ms</title></circle>`,
    ]
  })
  const ticks = shown.map(value => ({ at: x(value), text: `${value} ms` }))
  return svg('From p50 to p99 with sixteen clients that never rest', { high: all.length * rowHigh, marks, ticks })
}

/** A line per job: how long one client waits, over the data. */
function growthPlot(growth: readonly Growth[]): string {
  const names = [...new Set(growth.map(({ job }) => job))]
  const scales = [...new Set(growth.map(({ scale }) => scale))].toSorted((a, b) => a - b)
  const alone = (point: Growth) => point.at[0]?.p50 ?? Number.NaN
  const shown = decades(Math.min(...growth.map(alone)), Math.max(...growth.map(alone)))
  const [low = 1, high = 10] = [shown[0], shown.at(-1)]
  const tall = 320
  const x = (scale: number) =>
    left + (scales.length < 2 ? 0.5 : scales.indexOf(scale) / (scales.length - 1)) * (wide - 90)
  const y = (value: number) => tall - (Math.log10(value / low) / Math.log10(high / low)) * tall
  const marks = [
    ...shown.map(
      value =>
        `<line class="grid" x1="${left}" x2="${left + wide}" y1="${y(value)}" y2="${y(value)}"/><text class="tick" x="${left - 30}" y="${y(value) + 5}">${value} ms</text>`,
    ),
    ...names.flatMap((job, nth) => {
      const points = growth.filter(point => point.job === job)
      const colour = `hsl(${(nth * 360) / names.length} 65% 50%)`
      return [
        `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.map(point => `${x(point.scale)},${y(alone(point))}`).join(' ')}"/>`,
        ...points.map(
          point =>
            `<circle cx="${x(point.scale)}" cy="${y(alone(point))}" r="4" fill="${colour}"><title>${job}, ${point.scale}×: ${ms(alone(point))} ms</title></circle>`,
        ),
        `<text x="${left + wide - 80}" y="${y(alone(points.at(-1) as Growth)) + 5}" fill="${colour}">${job}</text>`,
      ]
    }),
  ]
  return svg('How long one client waits (p50), over the data', {
    high: tall,
    marks,
    ticks: scales.map(scale => ({ at: x(scale), text: `${scale}×` })),
  })
}

const table = (rows: readonly { cells: Cell; verdict: Verdict | null }[], titles: Cell): string => `<table>
${titles.length > 0 ? `<tr>${titles.map(title => `<th>${title}</th>`).join('')}</tr>` : ''}
${rows.map(({ cells, verdict }) => `<tr>${cells.map((cell, nth) => `<td${nth === cells.length - 1 && verdict ? ` style="color:${tint[verdict]}"` : ''}>${escaped(cell)}</td>`).join('')}</tr>`).join('\n')}
</table>`

/** Writes the page and answers where it is. */
export function writePage(report: Report, file: string): string {
  const { jobs, rows, growth = [], version, seconds } = report
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(
    file,
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Wheelhouse: benchmark</title>
<style>
:root { color-scheme: light dark; --good: #2f9e44; --reached: #1c7ed6; --short: #e03131; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 1000px; margin: 2rem auto; padding: 0 1rem }
svg { width: 100%; font-size: 14px } text { fill: CanvasText } text.tick { text-anchor: middle; opacity: .65; font-size: 12px }
.grid { stroke: CanvasText; opacity: .15 } .mark { stroke: CanvasText; stroke-width: 3 } .range { stroke: CanvasText; opacity: .4; stroke-width: 4 }
.dot { fill: Canvas; stroke: CanvasText } figure { margin: 2rem 0 } figcaption { font-weight: 600; margin-bottom: .5rem }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums } td, th { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid color-mix(in srgb, CanvasText 15%, transparent) }
td:first-child, th:first-child { text-align: left }
</style>
<h1>Benchmark</h1>
<p>PostgreSQL ${escaped(version)}, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, ${seconds.toFixed(0)} s.
The limit is pgbench with prepared statements on the same rows in the same round; ours is the complete HTTP stack.</p>
${jobs.size > 0 ? table(jobCells(jobs), head) + ratioPlot(jobs) + timePlot(jobs) : ''}
${
  rows.length > 0
    ? table(
        rows.map(({ what, found: figure, reach, verdict }) => ({ cells: [what, figure, reach, verdict], verdict })),
        [],
      )
    : ''
}
${growth.length > 0 ? growthPlot(growth) + `<pre>${escaped(growthLines(growth).join('\n'))}</pre>` : ''}
</html>`,
  )
  return file
}
