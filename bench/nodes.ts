/**
 * `npm run bench:nodes`: what a second portal process gives over one, on the same database and machine: the same sixteen connections
 * at one process, and eight at each of two, in turn. Median of the rounds' ratios.
 */
import { parseArgs } from 'node:util'
import { median } from './figures.ts'
import { openFilled } from './filled.ts'
import { connections, jobs } from './jobs.ts'
import { openGenerator, openPortal } from './portal.ts'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    jobs: { type: 'string', default: 'scan,fleet' },
  },
})
const chosen = options.jobs.split(',').flatMap(name => jobs.filter(job => job.name === name))

const { cluster, shape, client, close } = await openFilled()
try {
  const portals = [await openPortal(cluster.url), await openPortal(cluster.url)]
  const generators = [openGenerator(), openGenerator()]
  for (const job of chosen) {
    /** Requests a second of all, and the slowest p99. */
    const play = async (processes: number, seconds: number): Promise<{ rate: number; p99: number }> => {
      const loads = await Promise.all(
        portals.slice(0, processes).map(({ port }, nth) =>
          generators[nth]?.load({
            job: job.name,
            port,
            shape,
            connections: connections / processes,
            seconds,
            times: job.times?.(shape, connections / processes) ?? Number.MAX_SAFE_INTEGER,
          }),
        ),
      )
      await job.reset?.(client)
      return {
        rate: loads.reduce((sum, load) => sum + (load ? load.requests / load.seconds : 0), 0),
        p99: Math.max(...loads.map(load => load?.p99 ?? Number.NaN)),
      }
    }
    await play(2, 2)
    await play(1, 2)
    const rounds: { one: { rate: number; p99: number }; two: { rate: number; p99: number } }[] = []
    for (let nth = 0; nth < Number(options.rounds); nth++) {
      const first = await play(1 + (nth % 2), Number(options.seconds))
      const second = await play(2 - (nth % 2), Number(options.seconds))
      rounds.push(nth % 2 === 0 ? { one: first, two: second } : { one: second, two: first })
    }
    const ratios = rounds.map(({ one, two }) => two.rate / one.rate)
    const medianOf = (pick: (round: (typeof rounds)[number]) => number): string => median(rounds.map(pick)).toFixed(0)
    console.log(
      `${job.name.padEnd(8)} one ${medianOf(({ one }) => one.rate)}/s, p99 ${medianOf(({ one }) => one.p99)} ms; two ${medianOf(({ two }) => two.rate)}/s, p99 ${medianOf(({ two }) => two.p99)} ms; ` +
        `ratio ${median(ratios).toFixed(2)} (${ratios.map(ratio => ratio.toFixed(2)).join(', ')})`,
    )
  }
  for (const generator of generators) await generator.close()
  for (const portal of portals) await portal.close()
} finally {
  await close()
}
