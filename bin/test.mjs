/**
 * `npm test`: checks, builds and tests everything, and closes with one line that counts it all. `npm test -- PATH …` runs the
 * tests of these files only; words that begin with a dash are passed on to Vitest.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { findBrowser } from './lib/browser.mjs'
import { check } from './lib/checks.mjs'
import { inProject, install, node24, project, tool } from './lib/packages.mjs'
import { foreground } from './lib/processes.mjs'
import { buildWeb } from './lib/web.mjs'

const words = process.argv.slice(2)
const everything = words.length === 0
const journeys = everything || words.some(word => /e2e|drill/.test(word))
const failed = []
let passed = 0
const count = (name, good) => (good ? passed++ : failed.push(name))

await install()

if (everything) {
  console.log('Checking types, lint and format …')
  const bad = await check()
  for (const name of ['types', 'lint', 'format']) count(name, !bad.includes(name))
}

let browser
if (journeys) {
  const failure = await buildWeb()
  if (failure !== undefined) console.log(`The browser part can't be built:\n\n${failure}\n`)
  count('build of the browser part', failure === undefined)
  browser = await findBrowser()
  count('browser for the journeys', browser !== undefined)
}

/**
 * Where the run keeps what it throws away: in memory where there is plenty of it. Each journey has a database that waits for the disk
 * at every commit, and some disks are slow. Drills are for real disks: `npm run drill` stays there.
 */
function roomInMemory() {
  try {
    const { bavail, bsize } = fs.statfsSync('/dev/shm')
    fs.accessSync('/dev/shm', fs.constants.W_OK)
    return Math.min(bavail * bsize, os.freemem()) > 10e9 ? '/dev/shm' : undefined
  } catch {
    return undefined
  }
}

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-results-'))
const results = path.join(place, 'results.json')
const env = {
  ...process.env,
  PATH: `${path.dirname(node24)}${path.delimiter}${process.env.PATH}`,
  WHEELHOUSE_RESULTS: results,
  ...(browser ? { CHROMIUM: browser } : {}),
  TMPDIR: process.env.TMPDIR ?? roomInMemory() ?? os.tmpdir(),
}
// A test run is neither production nor development, whatever the machine says.
delete env.NODE_ENV
const flags = ['run', '--reporter=default', `--reporter=${inProject('bin', 'lib', 'results.mjs')}`]
// Without a browser every journey would fail for the same reason, which is counted already.
if (everything && !browser) flags.push('--project=!journeys')
const code = await foreground(node24, [tool('vitest'), ...flags, ...words], { cwd: project, env })
const tests = fs.existsSync(results)
  ? JSON.parse(fs.readFileSync(results, 'utf8'))
  : { passed: 0, skipped: 0, failed: [] }
fs.rmSync(place, { recursive: true, force: true })
// No test at all, or Vitest itself was ended before it had a result.
if (code !== 0 && tests.failed.length === 0) tests.failed.push('the run of Vitest')

failed.push(...tests.failed)
if (failed.length > 0) console.log(`\nFailed:\n${failed.map(name => `  ${name}`).join('\n')}`)
const skipped = tests.skipped > 0 ? `, ${tests.skipped} skipped` : ''
console.log(`\n${passed + tests.passed} passed, ${failed.length} failed${skipped}`)
process.exitCode = failed.length > 0 ? 1 : 0
