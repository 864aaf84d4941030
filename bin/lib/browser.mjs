/** The Chromium that the journeys run in: one of the machine, or one that is installed for them. */
import fs from 'node:fs'
import path from 'node:path'
import { node24, project, tool } from './packages.mjs'
import { captured } from './processes.mjs'

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
  'chrome',
  'msedge',
]
const macPlaces = ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
  name => `/Applications/${name}.app/Contents/MacOS/${name}`,
)
const windowsPlaces = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'].flatMap(place =>
  [process.env.ProgramFiles, process.env['ProgramFiles(x86)'], process.env.LocalAppData]
    .filter(Boolean)
    .map(folder => path.join(folder, place)),
)

/**
 * The path of a browser that can be run, installed first when the machine has none.
 * @returns its path, or undefined after having said why there is none.
 */
export async function findBrowser() {
  const { CHROMIUM } = process.env
  if (CHROMIUM) {
    const named = await firstThatRuns([CHROMIUM])
    if (!named) console.log(`CHROMIUM names ${CHROMIUM}, which can't be run.`)
    return named
  }
  return (
    (await firstThatRuns(onMachine())) ??
    (await firstThatRuns([await playwrights()])) ??
    (await fromDebian()) ??
    (await fromPlaywright())
  )
}

function onMachine() {
  const { PATH = '' } = process.env
  const folders = PATH.split(path.delimiter).filter(Boolean)
  const onPath = names.flatMap(name =>
    folders.map(folder => path.join(folder, process.platform === 'win32' ? `${name}.exe` : name)),
  )
  return [
    ...onPath,
    ...(process.platform === 'darwin' ? macPlaces : []),
    ...(process.platform === 'win32' ? windowsPlaces : []),
  ]
}

/** A name is not enough: where a snap is not installed, its command is there and only says so. */
async function firstThatRuns(places) {
  for (const place of places) {
    if (!place || !fs.existsSync(place)) continue
    // On Windows a browser that is asked for its version opens a window.
    if (process.platform === 'win32') return place
    const { code, output } = await captured(place, ['--version'], { timeout: 20_000 })
    if (code === 0 && /\d+\.\d+/.test(output)) return place
  }
  return undefined
}

async function fromDebian() {
  if (process.getuid?.() !== 0 || !fs.existsSync('/usr/bin/apt-get')) return undefined
  console.log('Installing Chromium with apt-get …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  let said = ''
  for (const words of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const { code, output } = await captured('/usr/bin/apt-get', words, { env })
    if (code !== 0) said = output.trim().split('\n').slice(-3).join('\n')
  }
  const found = await firstThatRuns(['/usr/bin/chromium', '/usr/bin/chromium-browser'])
  if (!found) console.log(`apt-get can't install it. ${said}`)
  return found
}

async function fromPlaywright() {
  console.log('Installing Chromium with Playwright …')
  const { code, output } = await captured(node24, [tool('playwright-core'), 'install', 'chromium'], { cwd: project })
  const place = await playwrights()
  const found = code === 0 ? await firstThatRuns([place]) : undefined
  if (found) return found
  const why =
    code === 0 && place ? (await captured(place, ['--version'])).output : output.trim().split('\n').slice(-5).join('\n')
  console.log(`There is no Chromium that can be run. Install one, or name its path in CHROMIUM.\n${why.trim()}`)
  return undefined
}

/** Where Playwright keeps, or would keep, its own. */
async function playwrights() {
  const ask = "process.stdout.write(require('playwright-core').chromium.executablePath())"
  const { code, output } = await captured(node24, ['-e', ask], { cwd: project })
  return code === 0 ? output : undefined
}
