/**
 * `npm run drill [-- LINE …] [--short]`: what must hold, tried on real portals: one line per figure with what was tried, how
 * often, and how much of it failed, in the order in which they end. The exit code is 1 when a figure falls short. Without lines
 * it runs all, in under an hour on two cores.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import type { Drill, DrillOptions, Figure } from './drill.ts'
import * as backups from './backups.ts'
import * as faults from './faults.ts'
import * as fuzz from './fuzz.ts'
import * as kills from './kills.ts'
import * as model from './model.ts'
import { onlyOne, places, steps } from './races.ts'
import * as origins from './origins.ts'
import * as patterns from './patterns.ts'
import * as prints from './prints.ts'
import * as repeats from './repeats.ts'
import * as scanner from './scanner.ts'
import { readable, spoken } from './screens.ts'
import * as scripts from './scripts.ts'
import * as secrets from './secrets.ts'
import * as signIns from './signIns.ts'
import { shown, testDrills } from './tests.ts'
import * as upgrades from './upgrades.ts'

/** Every drill, by the number of its figure. */
export const drills: readonly Drill[] = [
  kills,
  faults,
  scanner,
  repeats,
  backups,
  upgrades,
  secrets,
  fuzz,
  patterns,
  signIns,
  origins,
  prints,
  scripts,
  model,
  steps,
  places,
  onlyOne,
  readable,
  spoken,
  ...testDrills,
].toSorted((a, b) => a.line - b.line)

/** Where `npm test` tries the same, in little; of all other drills it runs the short form itself. */
export const triedBy: Readonly<Record<number, string>> = {
  ...Object.fromEntries(shown.map(({ line, files }) => [line, files[0]])),
  7: 'src/server/features/operations/operations.races.test.ts',
  8: 'src/server/features/operations/operations.races.test.ts',
  12: 'src/web/shared/scanning/scanQueue.test.ts',
  13: 'src/server/http/idempotency.test.ts',
  16: 'src/server/features/session/sessions.test.ts',
  21: 'src/server/printing/labels.test.ts',
  25: 'src/server/backup/backup.test.ts',
  26: 'src/server/db/migrate.test.ts',
  31: 'e2e/barriers.test.ts',
  32: 'e2e/languages.test.ts',
}

/** A figure that tried nothing shows nothing. */
export const holds = ({ tried, failed }: Figure): boolean => tried > 0 && failed === 0

/** Runs one drill to its end, whatever becomes of it: one that breaks off has failed. */
export async function carryOut(drill: Drill, options: DrillOptions): Promise<Figure> {
  try {
    return await drill.run(options)
  } catch (error) {
    options.log(`broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    return { tried: 1, failed: 1, notes: ['broke off'] }
  }
}

const width = Math.max(...drills.map(({ says }) => says.length))

/** Runs one drill here and prints its line. */
async function print(drill: Drill, short: boolean): Promise<boolean> {
  const begun = performance.now()
  const figure = await carryOut(drill, { short, log: sentence => console.error(`    ${drill.line}: ${sentence}`) })
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  const counts = `${String(figure.tried).padStart(7)} tried ${String(figure.failed).padStart(5)} failed ${seconds.padStart(7)} s`
  const notes = figure.notes.length > 0 ? `   (${figure.notes.join('; ')})` : ''
  console.log(`${String(drill.line).padStart(3)}  ${drill.says.padEnd(width)} ${counts}${notes}`)
  return holds(figure)
}

const under = new Set<ChildProcess>()

/** The same in a process of its own, so that no drill waits for the work of another. */
function printBeside({ line }: Drill, short: boolean): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const words = [import.meta.filename, String(line), ...(short ? ['--short'] : [])]
    const child = spawn(process.execPath, words, { stdio: 'inherit' })
    under.add(child)
    child.once('error', reject)
    child.once('exit', code => {
      under.delete(child)
      resolve(code === 0)
    })
  })
}

/** Runs many: two at a time, but for those that have to be alone. Answers how many fall short. */
async function printAll(chosen: readonly Drill[], short: boolean): Promise<number> {
  let fallen = 0
  const lane = async (waiting: Drill[]) => {
    for (let drill = waiting.shift(); drill; drill = waiting.shift()) if (!(await printBeside(drill, short))) fallen++
  }
  const shared = chosen
    .filter(({ alone }) => !alone)
    .toSorted((a, b) => Number(b.long ?? false) - Number(a.long ?? false))
  await Promise.all([lane(shared), lane(shared)])
  await lane(chosen.filter(({ alone }) => alone))
  return fallen
}

async function command(words: readonly string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { short: { type: 'boolean', default: false } },
  })
  const wanted = new Set(positionals.map(Number))
  const unknown = [...wanted].filter(line => !drills.some(drill => drill.line === line))
  if (unknown.length > 0) {
    console.error(
      `No drill has the line ${unknown.join(', ')}; there are ${drills.map(({ line }) => line).join(', ')}.`,
    )
    return 1
  }
  const chosen = drills.filter(({ line }) => wanted.size === 0 || wanted.has(line))
  const [only] = chosen
  if (only && chosen.length === 1) return (await print(only, values.short)) ? 0 : 1
  const begun = performance.now()
  const fallen = await printAll(chosen, values.short)
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1)
  console.log(`${chosen.length - fallen} of ${chosen.length} figures hold, tried in ${minutes} minutes.`)
  return fallen > 0 ? 1 : 0
}

if (import.meta.main) {
  // broken off, it still gives back what it took of the machine
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      for (const child of under) child.kill(signal)
      process.exit(1)
    })
  process.exitCode = await command(process.argv.slice(2))
}
