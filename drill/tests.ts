/** Promises that test files check in full. Their drills run these files whole and count the tests. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Drill, DrillOptions, Result } from './drill.ts'

type Tests = {
  readonly files: readonly [string, ...string[]]
  /** A pattern for the names of the tests. */
  readonly only?: string
  /** Environment variables for the tests. */
  readonly env?: Readonly<Record<string, string>>
}
type TestedInFull = Tests & { readonly promise: number; readonly summary: string }

export const testedInFull: readonly TestedInFull[] = [
  {
    promise: 1,
    summary: 'no call shows or changes somebody else’s row, for any caller, id and mode',
    files: [
      'src/server/features/sites/modes.test.ts',
      ...['both', 'hotelonly', 'fleetonly', 'sessions'].map(mode => `src/server/authorisation/matrix.${mode}.test.ts`),
    ],
  },
  {
    promise: 2,
    summary: 'a foreign id anywhere in a body is refused and nothing is written',
    files: ['src/server/authorisation/matrix.ids.test.ts'],
  },
  {
    promise: 3,
    summary: 'forged fields have no effect, hidden tread depth is in no answer',
    files: ['src/server/authorisation/matrix.fields.test.ts', 'src/server/authorisation/matrix.depth.test.ts'],
  },
  {
    promise: 4,
    summary: 'row-level security alone keeps customers and sites apart',
    files: [
      'src/server/authorisation/matrix.policies.test.ts',
      'src/server/db/database.test.ts',
      'src/server/db/login.test.ts',
      'src/house.test.ts',
    ],
    only: 'row-level security alone|the database|a context ends',
  },
  {
    promise: 5,
    summary: 'every step in every status of operations and tyres does what its table says',
    files: ['src/server/features/operations/operations.life.test.ts', 'src/server/features/tyres/tyres.states.test.ts'],
  },
  {
    promise: 17,
    summary: 'sessions are new at sign-in, hashed, and end with what should end them',
    files: ['src/server/features/session/sessions.test.ts', 'src/server/features/customers/accounts.test.ts'],
  },
  {
    promise: 19,
    summary: 'images are re-encoded; decompression bombs and polyglot files do nothing',
    files: ['src/server/features/sites/images.test.ts'],
  },
  {
    promise: 20,
    summary: 'no cell of an export is a formula, and each is read back unchanged',
    files: ['src/domain/texts/cell.test.ts'],
  },
  { promise: 23, summary: 'every answer has security headers', files: ['src/server/http/headers.test.ts'] },
  {
    promise: 24,
    summary: 'requests over a limit are refused with 413, 422 or 429',
    files: ['src/server/http/rateLimits.test.ts'],
  },
  {
    promise: 27,
    summary: 'the portal cannot change or remove its history',
    files: ['src/server/db/grants.test.ts', 'src/server/db/login.test.ts'],
  },
  {
    promise: 28,
    summary: 'a person’s data is exported and erased, documents stay',
    files: ['src/server/features/people/people.test.ts'],
  },
  {
    promise: 30,
    summary: 'health, metrics and logs report the actual state',
    files: ['src/server/http/metrics.test.ts'],
  },
  {
    promise: 37,
    summary:
      'no stored day of 10,000 random histories is without a state, and none has two; in 5,000 of a year everything is charged once',
    files: [
      'src/server/features/invoicing/storedDays.property.test.ts',
      'src/server/features/charges/histories.property.test.ts',
      'src/server/features/billing/seasons.test.ts',
      'src/server/features/billing/runDays.test.ts',
    ],
  },
  {
    promise: 63,
    summary: 'every alert and every finding of the doctor is provoked and named',
    files: ['src/server/alerts.test.ts', 'src/server/features/doctor/doctor.test.ts'],
  },
  {
    promise: 40,
    summary: 'a second factor is accepted once, from its owner, before it expires',
    files: [
      'src/server/features/session/factors.test.ts',
      'src/server/features/signOn/signOn.test.ts',
      'src/server/outbound/outbound.test.ts',
      'e2e/secondStep.test.ts',
      'e2e/signOn.test.ts',
    ],
  },
]

const project = fileURLToPath(new URL('..', import.meta.url))

/** The file that bin/lib/results.mjs writes. */
type Results = {
  readonly passed: number
  readonly tried: number
  readonly failed: readonly string[]
  readonly reasons: readonly string[]
}

/** Runs these files with Vitest. A run without results, or in which the pattern matched no test, has failed. */
export async function runTests({ files, only, env: extra }: Tests, { log }: DrillOptions): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'wheelhouse-results-'))
  const file = join(directory, 'results.json')
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=./bin/lib/results.mjs', ...files]
  try {
    const output = await new Promise<string>(resolve => {
      const env = { ...process.env, WHOLE: '1', ...extra, WHEELHOUSE_RESULTS: file }
      const options = { cwd: project, env, maxBuffer: 64 * 1024 * 1024 }
      execFile(process.execPath, [...args, ...(only ? ['--testNamePattern', only] : [])], options, (_, out, err) =>
        resolve(out + err),
      )
    })
    if (!existsSync(file)) throw new Error(output)
    const { passed, tried, failed, reasons } = JSON.parse(readFileSync(file, 'utf8')) as Results
    for (const name of [...failed, ...reasons]) log(name)
    return { tried, failed: failed.length, notes: [`${passed} tests`] }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Their drills. They have no short form. */
export const testDrills: readonly Drill[] = testedInFull.map(tests => ({
  promise: tests.promise,
  summary: tests.summary,
  run: options => runTests(tests, options),
}))
