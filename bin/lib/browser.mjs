/** The Chromium that browser tests run in: one of the machine, or one that is installed for them. */
import fs from 'node:fs'
import path from 'node:path'
import { node24, project, tool } from './packages.mjs'
import { capture } from './processes.mjs'

const commands = [
  // without the window around the page, which costs a fifth of the processor's time
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
  'chrome',
  'msedge',
]
const macPaths = ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
  name => `/Applications/${name}.app/Contents/MacOS/${name}`,
)
const windowsPaths = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'].flatMap(file =>
  [process.env.ProgramFiles, process.env['ProgramFiles(x86)'], process.env.LocalAppData]
    .filter(Boolean)
    .map(folder => path.join(folder, file)),
)

/**
 * Finds a browser that runs, and installs one when the machine has none.
 * @returns its path, or undefined after printing why there is none
 */
export async function findBrowser() {
  const { CHROMIUM } = process.env
  if (CHROMIUM) {
    const configured = await firstThatRuns([CHROMIUM])
    if (!configured) console.log(`CHROMIUM names ${CHROMIUM}, which can't be run.`)
    return configured
  }
  return (
    (await firstThatRuns(machinePaths())) ??
    (await firstThatRuns([await playwrightPath()])) ??
    (await installWithApt()) ??
    (await installWithPlaywright())
  )
}

function machinePaths() {
  const { PATH = '' } = process.env
  const folders = PATH.split(path.delimiter).filter(Boolean)
  const onPath = commands.flatMap(name =>
    folders.map(folder => path.join(folder, process.platform === 'win32' ? `${name}.exe` : name)),
  )
  return [
    ...onPath,
    ...(process.platform === 'darwin' ? macPaths : []),
    ...(process.platform === 'win32' ? windowsPaths : []),
  ]
}

/** That a file exists is not enough: the command of a snap that is not installed exists and only says so. */
async function firstThatRuns(paths) {
  for (const candidate of paths) {
    if (!candidate || !fs.existsSync(candidate)) continue
    // On Windows a browser that is asked for its version opens a window.
    if (process.platform === 'win32') return candidate
    const { code, output } = await capture(candidate, ['--version'], { timeout: 20_000 })
    if (code === 0 && /\d+\.\d+/.test(output)) return candidate
  }
  return undefined
}

async function installWithApt() {
  if (process.getuid?.() !== 0 || !fs.existsSync('/usr/bin/apt-get')) return undefined
  console.log('Installing Chromium with apt-get …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = async (...args) => {
    const { code, output } = await capture('/usr/bin/apt-get', args, { env })
    return code === 0 ? undefined : output.trim().split('\n').slice(-3).join('\n')
  }
  let problem = await apt('update')
  for (const name of ['chromium-headless-shell', 'chromium']) {
    problem = (await apt('install', '-y', '--no-install-recommends', name)) ?? problem
    const executable = await firstThatRuns([`/usr/bin/${name}`])
    if (executable) return executable
  }
  console.log(`apt-get can't install it. ${problem ?? ''}`)
  return undefined
}

async function installWithPlaywright() {
  console.log('Installing Chromium with Playwright …')
  const { code, output } = await capture(node24, [tool('playwright-core'), 'install', 'chromium'], { cwd: project })
  const installed = await playwrightPath()
  const executable = code === 0 ? await firstThatRuns([installed]) : undefined
  if (executable) return executable
  const problem =
    code === 0 && installed
      ? (await capture(installed, ['--version'])).output
      : output.trim().split('\n').slice(-5).join('\n')
  console.log(`No Chromium can be run. Install one, or set CHROMIUM to its path.\n${problem.trim()}`)
  return undefined
}

/** Where Playwright installs its own. */
async function playwrightPath() {
  const script = "process.stdout.write(require('playwright-core').chromium.executablePath())"
  const { code, output } = await capture(node24, ['-e', script], { cwd: project })
  return code === 0 ? output : undefined
}
