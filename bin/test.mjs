/**
 * `npm test`: checks, builds and tests everything, and ends with one line that counts it all. `npm test -- PATH …` runs the tests
 * of these files only; arguments that start with a dash go to Vitest. `--whole` leaves nothing out (src/server/testing/whole.ts).
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { findBrowser } from './lib/browser.mjs'
import { check } from './lib/checks.mjs'
import { describeInteractions } from './lib/interactions.mjs'
import { inProject, install, node24, project, tool } from './lib/packages.mjs'
import { runInForeground } from './lib/processes.mjs'
import { buildWeb } from './lib/web.mjs'

const args = process.argv.slice(2).filter(arg => arg !== '--whole')
const whole = process.argv.includes('--whole')
const everything = args.length === 0
const journeys = everything || args.some(arg => /e2e|drill/.test(arg))
const failed = []
let passed = 0
const count = (name, good) => (good ? passed++ : failed.push(name))

await install()

if (everything) console.log('Running the static checks …')
// beside the build and the first tests: none of them has work for all cores all of its time
const checking = everything ? check() : Promise.resolve([])
const failure = journeys ? await buildWeb() : undefined

let browser
if (journeys) {
  if (failure !== undefined) console.log(`The browser part can't be built:\n\n${failure}\n`)
  count('build of the browser part', failure === undefined)
  browser = await findBrowser()
  count('browser for the journeys', browser !== undefined)
}

/**
 * A directory in memory for temporary files, where there is plenty of it. Each journey has a database that waits for the disk at
 * every commit, and some disks are slow. Drills are about real disks: `npm run drill` stays there.
 */
function memoryDir() {
  try {
    const { bavail, bsize } = fs.statfsSync('/dev/shm')
    fs.accessSync('/dev/shm', fs.constants.W_OK)
    return Math.min(bavail * bsize, os.freemem()) > 10e9 ? '/dev/shm' : undefined
  } catch {
    return undefined
  }
}

const resultsDir = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-results-'))
const resultsFile = path.join(resultsDir, 'results.json')
const interactionsFile = path.join(resultsDir, 'interactions.jsonl')
const env = {
  ...process.env,
  PATH: `${path.dirname(node24)}${path.delimiter}${process.env.PATH}`,
  WHEELHOUSE_RESULTS: resultsFile,
  WHEELHOUSE_INTERACTIONS: interactionsFile,
  ...(whole ? { WHOLE: '1' } : {}),
  ...(browser ? { CHROMIUM: browser } : {}),
  TMPDIR: process.env.TMPDIR ?? memoryDir() ?? os.tmpdir(),
  // Hundreds of processes load the same modules: types are stripped and code is compiled once.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? inProject('node_modules', '.cache', 'node'),
}
// A test run is neither production nor development, even if the machine's environment says so.
delete env.NODE_ENV
const flags = ['run', '--reporter=default', `--reporter=${inProject('bin', 'lib', 'results.mjs')}`]
// Without a browser every journey would fail for one reason, which is counted already.
if (everything && !browser) flags.push('--project=!journeys')
const code = await runInForeground(node24, [tool('vitest'), ...flags, ...args], { cwd: project, env })
for (const { name, output } of await checking) {
  count(name, output === undefined)
  if (output !== undefined) console.log(`\n${name}: failed\n\n${output}`)
}
const tests = fs.existsSync(resultsFile)
  ? JSON.parse(fs.readFileSync(resultsFile, 'utf8'))
  : { passed: 0, skipped: 0, failed: [], repeated: [] }
const interactions = describeInteractions(interactionsFile)
if (interactions) console.log(interactions)
fs.rmSync(resultsDir, { recursive: true, force: true })
// No test ran, or Vitest was killed before it had a result.
if (code !== 0 && tests.failed.length === 0) tests.failed.push('the run of Vitest')

failed.push(...tests.failed)
const named = names => names.map(name => `  ${name}`).join('\n')
if (tests.repeated.length > 0)
  console.log(`\nFailed, and passed when tried again; find out why:\n${named(tests.repeated)}`)
if (failed.length > 0) console.log(`\nFailed:\n${named(failed)}`)
const skipped = tests.skipped > 0 ? `, ${tests.skipped} left out${whole ? '' : ': `npm run test:whole`'}` : ''
console.log(`\n${passed + tests.passed} passed, ${failed.length} failed${skipped}`)
process.exitCode = failed.length > 0 ? 1 : 0
