/**
 * The packages of the project and the Node that it runs on. Everything in bin/ is plain JavaScript without a dependency, because
 * it runs before there are any, on whatever Node from 20.19 the machine has.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { captured } from './processes.mjs'

export const project = fileURLToPath(new URL('../..', import.meta.url))
export const inProject = (...steps) => path.join(project, ...steps)

/** The pinned Node 24, which runs TypeScript as it is. */
export const node24 = inProject('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

const stamp = inProject('node_modules', '.wheelhouse')

/** The script behind a command that a package offers. */
export function tool(name, command = name) {
  const { bin } = JSON.parse(fs.readFileSync(inProject('node_modules', name, 'package.json'), 'utf8'))
  return inProject('node_modules', name, typeof bin === 'string' ? bin : bin[command])
}

/** Installs what package-lock.json names, if that isn't what is installed. Ends the process with a text when it can't. */
export async function install() {
  const lock = fs.readFileSync(inProject('package-lock.json'), 'utf8')
  const wanted = `${createHash('sha256').update(lock).digest('hex')} ${process.platform} ${process.arch}\n`
  if (read(stamp) === wanted && fs.existsSync(node24)) return
  if (!(await isInstalled(JSON.parse(lock)))) {
    console.log('Installing the packages. That takes about half a minute, once …')
    await npm('ci', '--include=dev', '--include=optional')
    // Where install scripts are switched off, the pinned Node still waits for its own.
    if (!fs.existsSync(node24)) await npm('rebuild', '--ignore-scripts=false', 'node')
    if (!fs.existsSync(node24)) {
      console.error(
        `The packages are installed, but the pinned Node is not in ${node24}. Allow the install script of the package "node" and try again.`,
      )
      process.exit(1)
    }
  }
  try {
    fs.writeFileSync(stamp, wanted)
  } catch {
    // A directory that can't be written is compared anew at every start.
  }
}

function read(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Whether somebody has already installed exactly this, by hand for example: then it isn't done again. */
async function isInstalled(lock) {
  const installed = read(inProject('node_modules', '.package-lock.json'))
  if (!installed || !fs.existsSync(node24)) return false
  const { packages } = JSON.parse(installed)
  for (const [place, { version, optional, devOptional }] of Object.entries(lock.packages)) {
    if (place === '') continue
    const found = packages[place]
    if (found ? found.version !== version : !optional && !devOptional) return false
  }
  // Copied from a machine of another kind it would be complete and useless.
  return (await captured(node24, ['--version'])).code === 0
}

async function npm(...words) {
  // npm tells its scripts where it is; without it there is one on the path.
  const [command, before] = process.env.npm_execpath?.endsWith('.js')
    ? [process.execPath, [process.env.npm_execpath]]
    : [process.platform === 'win32' ? 'npm.cmd' : 'npm', []]
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
  const { code, output } = await captured(command, [...before, ...words, ...quiet], {
    cwd: project,
    shell: command.endsWith('.cmd'),
  })
  if (code === 0) return
  console.error(`The packages can't be installed. npm says:\n\n${output.trim()}\n`)
  process.exit(1)
}
