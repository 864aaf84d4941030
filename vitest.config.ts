import os from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { whole } from './src/server/testing/whole.ts'

/** The files that take longest, the longest first. */
const long = [
  'matrix.both',
  'matrix.fields',
  'matrix.hotelonly',
  'matrix.fleetonly',
  'imports',
  'supervisor',
  'manage',
  'matrix.ids',
  'documents',
  'sheet',
  'factors',
  'demo',
  'matrix.depth',
  'migrate',
  'import',
  'backup',
  'mail',
  'secrets',
  'operations.life',
  'matrix.policies',
  'drill',
  'prerender',
  'accessibility',
  'find',
  'typed',
  'keyboard',
  'storage',
  'languages',
  'card',
  'tyrelist',
  'warehouseAccount',
  'fleet',
  'intake',
  'newSite',
  'config',
  'wrapping',
  'truckJourney',
  'workbooks',
  'keyboard.admin',
]

const placeOf = ({ moduleId }: TestSpecification): number => {
  const at = long.findIndex(name => moduleId.endsWith(`/${name}.test.ts`))
  return at < 0 ? long.length : at
}
const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder

/** Begins with what takes longest, in a fresh clone, too, where nothing is known of earlier runs: nobody waits for it at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => groupOf(a) - groupOf(b) || placeOf(a) - placeOf(b))
  }
}

const cores = os.availableParallelism()
/** More than cores: a test waits for its database half of its time. */
const workers = Math.max(1, 2 * cores)
/** Each has a portal and a browser: some 2 GB, and a core most of its time. */
const browsers = Math.max(1, Math.min(cores + 1, Math.floor(os.totalmem() / 2e9)))

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    tags: [{ name: 'whole', description: 'takes long: for `npm run test:whole` and the drills, not for `npm test`' }],
    ...(whole ? {} : { tagsFilter: ['!whole'] }),
    maxWorkers: workers,
    // Ends what hangs; no test is judged by it. A machine that does other work takes ten times as long.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    // as patient as what is done with a page: e2e/browser.ts
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'domain',
          // A process for each file takes longer than most of their tests do.
          isolate: false,
          include: ['src/domain/**/*.test.ts', 'src/contract/**/*.test.ts', 'mutants/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          // Loading the server takes longer than most files of tests do. What it remembers is of a database, and each file has its own.
          isolate: false,
          // The house is checked with the server's tests because it asks the migrated database, too.
          include: [
            'src/server/**/*.test.ts',
            'db/**/*.test.ts',
            'bench/**/*.test.ts',
            'client/**/*.test.ts',
            'src/house.test.ts',
          ],
          globalSetup: 'src/server/testing/setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'web',
          isolate: false,
          setupFiles: 'bin/lib/afterFile.mjs',
          include: ['src/web/**/*.test.{ts,tsx}'],
        },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          isolate: false,
          setupFiles: 'bin/lib/afterFile.mjs',
          include: ['e2e/**/*.test.ts'],
          globalSetup: 'e2e/setup.ts',
          // After the server's tests: a journey sees what a person would see.
          sequence: { groupOrder: 1 },
          maxWorkers: browsers,
          // On a machine that does other work a browser may fail for it. `npm test` names each that passed the second time only.
          retry: 1,
        },
      },
      {
        extends: true,
        test: {
          name: 'drills',
          include: ['drill/**/*.test.ts'],
          globalSetup: 'e2e/setup.ts',
          // Beside the journeys: each starts a portal and a database of its own.
          sequence: { groupOrder: 1 },
          maxWorkers: browsers,
        },
      },
    ],
  },
})
