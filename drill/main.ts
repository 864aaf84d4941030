/**
 * `npm run drill [-- NUMBER …] [--short]`: fault-injection tests against real processes, one per numbered promise of docs/promises.md.
 * Each prints one line when it ends: what it tried, how often, how much of it failed. The exit code is 1 when one fails. Without
 * numbers all are run, in a few hours on two cores.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import type { Drill, DrillOptions, Result } from './drill.ts'
import * as backups from './backups.ts'
import * as billing from './billing.ts'
import * as counting from './counting.ts'
import * as faults from './faults.ts'
import * as fuzz from './fuzz.ts'
import * as kills from './kills.ts'
import * as messages from './messages.ts'
import * as model from './model.ts'
import { uniqueness, places, steps } from './races.ts'
import * as origins from './crossOrigin.ts'
import * as payments from './payments.ts'
import * as patterns from './regexes.ts'
import * as prints from './prints.ts'
import * as repeats from './idempotency.ts'
import * as scanner from './scanner.ts'
import { accessibility, languages } from './layout.ts'
import * as scripts from './scripts.ts'
import * as secrets from './secrets.ts'
import * as photos from './photos.ts'
import * as hostileFiles from './hostileFiles.ts'
import * as hostileNetworks from './hostileNetworks.ts'
import * as isolation from './isolation.ts'
import * as signIns from './signIns.ts'
import { testDrills, testedInFull } from './tests.ts'
import * as upgrades from './upgrades.ts'
import * as mounted from './mounted.ts'
import * as wear from './wear.ts'
import * as wheels from './wheels.ts'

/** All drills, by the number of their promise. */
export const drills: readonly Drill[] = [
  kills,
  faults,
  scanner,
  repeats,
  backups,
  billing,
  upgrades,
  wheels,
  counting,
  secrets,
  fuzz,
  patterns,
  hostileFiles,
  photos,
  hostileNetworks,
  isolation,
  signIns,
  origins,
  prints,
  scripts,
  messages,
  model,
  steps,
  places,
  uniqueness,
  accessibility,
  languages,
  wear,
  mounted,
  payments,
  ...testDrills,
].toSorted((a, b) => a.promise - b.promise)

/** The tests that check the same to a smaller extent. Of all other drills drill.test.ts runs the short form. */
export const testedBy: Readonly<Record<number, string>> = {
  ...Object.fromEntries(testedInFull.map(({ promise, files }) => [promise, files[0]])),
  7: 'src/server/features/operations/operations.races.test.ts',
  8: 'src/server/features/operations/operations.races.test.ts',
  12: 'src/web/scanning/scanQueue.test.ts',
  13: 'src/server/http/idempotency.test.ts',
  16: 'src/server/features/session/sessions.test.ts',
  21: 'src/server/printing/labels.test.ts',
  25: 'src/server/backup/backup.test.ts',
  26: 'src/server/db/migrate.test.ts',
  31: 'e2e/accessibility.test.ts',
  32: 'e2e/languages.test.ts',
  33: 'src/server/fairQueue.test.ts',
  34: 'src/server/features/wheels/wheel.sequences.test.ts',
  36: 'src/domain/tyres/wear.test.ts',
  39: 'src/server/features/imports/sheet.test.ts',
  54: 'src/server/features/billing/billing.test.ts',
  60: 'src/domain/money/bankMatch.test.ts',
  38: 'src/server/features/mail/mail.test.ts',
  62: 'src/server/http/hangUp.test.ts',
}

/** A drill that tried nothing has failed, too. */
export const passes = ({ tried, failed }: Result): boolean => tried > 0 && failed === 0

/** Runs one drill. One that throws has failed. */
export async function runDrill(drill: Drill, options: DrillOptions): Promise<Result> {
  try {
    return await drill.run(options)
  } catch (error) {
    options.log(`aborted: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    return { tried: 1, failed: 1, notes: ['aborted'] }
  }
}

const width = Math.max(...drills.map(({ summary }) => summary.length))

/** Runs one drill in this process and prints its line. */
async function print(drill: Drill, short: boolean): Promise<boolean> {
  const begun = performance.now()
  const result = await runDrill(drill, { short, log: text => console.error(`    ${drill.promise}: ${text}`) })
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  const counts = `${String(result.tried).padStart(7)} tried ${String(result.failed).padStart(5)} failed ${seconds.padStart(7)} s`
  const notes = result.notes.length > 0 ? `   (${result.notes.join('; ')})` : ''
  console.log(`${String(drill.promise).padStart(3)}  ${drill.summary.padEnd(width)} ${counts}${notes}`)
  return passes(result)
}

const running = new Set<ChildProcess>()

/** Runs one drill in a process of its own, so that drills do not share an event loop. */
function printFromProcess({ promise }: Drill, short: boolean): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const args = [import.meta.filename, String(promise), ...(short ? ['--short'] : [])]
    const child = spawn(process.execPath, args, { stdio: 'inherit' })
    running.add(child)
    child.once('error', reject)
    child.once('exit', code => {
      running.delete(child)
      resolve(code === 0)
    })
  })
}

/** Runs drills two at a time, and then those that measure durations alone. Returns how many fail. */
async function printAll(selected: readonly Drill[], short: boolean): Promise<number> {
  let failed = 0
  const runNext = async (queue: Drill[]) => {
    for (let drill = queue.shift(); drill; drill = queue.shift()) if (!(await printFromProcess(drill, short))) failed++
  }
  const shared = selected
    .filter(({ alone }) => !alone)
    .toSorted((a, b) => Number(b.long ?? false) - Number(a.long ?? false))
  await Promise.all([runNext(shared), runNext(shared)])
  await runNext(selected.filter(({ alone }) => alone))
  return failed
}

async function command(args: readonly string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { short: { type: 'boolean', default: false } },
  })
  const numbers = new Set(positionals.map(Number))
  const unknown = [...numbers].filter(promise => !drills.some(drill => drill.promise === promise))
  if (unknown.length > 0) {
    console.error(
      `No drill has the number ${unknown.join(', ')}. There are ${drills.map(({ promise }) => promise).join(', ')}.`,
    )
    return 1
  }
  const selected = drills.filter(({ promise }) => numbers.size === 0 || numbers.has(promise))
  const [only] = selected
  if (only && selected.length === 1) return (await print(only, values.short)) ? 0 : 1
  const begun = performance.now()
  const failed = await printAll(selected, values.short)
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1)
  console.log(`${selected.length - failed} of ${selected.length} promises hold. It took ${minutes} minutes.`)
  return failed > 0 ? 1 : 0
}

if (import.meta.main) {
  // on SIGINT or SIGTERM, end the child processes
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      for (const child of running) child.kill(signal)
      process.exit(1)
    })
  process.exitCode = await command(process.argv.slice(2))
}
