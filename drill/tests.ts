/** Figures that tests of `npm test` show in full: the drill of such a figure runs their files and counts what they tried. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Drill, DrillOptions, Figure } from './drill.ts'

type Tests = {
  readonly files: readonly [string, ...string[]]
  /** Only the tests with these words in their names. */
  readonly only?: string
  /** What they are told by their surroundings. */
  readonly env?: Readonly<Record<string, string>>
}
type Shown = Tests & { readonly line: number; readonly says: string }

/** The figures, and the files that show them. */
export const shown: readonly Shown[] = [
  {
    line: 1,
    says: 'no call shows or changes another one’s row, whoever asks with which id in which mode',
    files: ['src/server/authorisation/matrix.test.ts', 'src/server/features/sites/modes.test.ts'],
  },
  {
    line: 2,
    says: 'a foreign id in any place of any body is refused and writes nothing',
    files: ['src/server/authorisation/matrix.ids.test.ts'],
  },
  {
    line: 3,
    says: 'fields that nobody may set have no effect, hidden tread depth is nowhere',
    files: ['src/server/authorisation/matrix.fields.test.ts', 'src/server/authorisation/matrix.depth.test.ts'],
  },
  {
    line: 4,
    says: 'row-level security alone keeps customers and sites apart',
    files: ['src/server/authorisation/matrix.test.ts', 'src/server/db/database.test.ts', 'src/house.test.ts'],
    only: 'row-level security alone|the database|a context ends',
  },
  {
    line: 5,
    says: 'every step in every status of operations and tyres does what is written out',
    files: ['src/server/features/operations/operations.life.test.ts', 'src/server/features/tyres/tyres.states.test.ts'],
  },
  {
    line: 17,
    says: 'sessions are new at login, hashed, and end with what should end them',
    files: ['src/server/features/session/sessions.test.ts', 'src/server/features/customers/accounts.test.ts'],
  },
  {
    line: 19,
    says: 'pictures are made anew; bombs and files of two kinds do nothing',
    files: ['src/server/features/sites/images.test.ts'],
  },
  {
    line: 20,
    says: 'no cell of an export is a formula, and each is read back as it was',
    files: ['src/domain/cell.test.ts'],
  },
  { line: 23, says: 'security headers stand on every answer', files: ['src/server/http/headers.test.ts'] },
  { line: 24, says: 'too much is told as that', files: ['src/server/http/rateLimits.test.ts'] },
  {
    line: 27,
    says: 'what happened can’t be changed or removed by the portal',
    files: ['src/server/db/grants.test.ts'],
  },
  {
    line: 28,
    says: 'a person’s data is handed out and erased, documents stay',
    files: ['src/server/features/people/people.test.ts'],
  },
  { line: 30, says: 'health, metrics and logs say what is', files: ['src/server/http/metrics.test.ts'] },
]

const project = fileURLToPath(new URL('..', import.meta.url))

/** What bin/lib/results.mjs writes down. */
type Results = {
  readonly passed: number
  readonly tried: number
  readonly failed: readonly string[]
  readonly reasons: readonly string[]
}

/** Runs these files with Vitest. A run that ends without results, or in which no test was chosen, has failed. */
export async function runTests({ files, only, env: told }: Tests, { log }: DrillOptions): Promise<Figure> {
  const place = mkdtempSync(join(tmpdir(), 'wheelhouse-results-'))
  const file = join(place, 'results.json')
  const words = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=./bin/lib/results.mjs', ...files]
  try {
    const said = await new Promise<string>(resolve => {
      const env = { ...process.env, ...told, WHEELHOUSE_RESULTS: file }
      const asked = { cwd: project, env, maxBuffer: 64 * 1024 * 1024 }
      execFile(process.execPath, [...words, ...(only ? ['--testNamePattern', only] : [])], asked, (_, out, err) =>
        resolve(out + err),
      )
    })
    if (!existsSync(file)) throw new Error(said)
    const { passed, tried, failed, reasons } = JSON.parse(readFileSync(file, 'utf8')) as Results
    for (const name of [...failed, ...reasons]) log(name)
    return { tried, failed: failed.length, notes: [`${passed} tests`] }
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** The drill of each of them; there is no shorter form. */
export const testDrills: readonly Drill[] = shown.map(figure => ({
  line: figure.line,
  says: figure.says,
  run: options => runTests(figure, options),
}))
