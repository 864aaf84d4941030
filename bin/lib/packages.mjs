/**
 * The project's packages and its pinned Node. Everything in bin/ is plain JavaScript without dependencies, because it runs before
 * there are any, on the machine's own Node, from 20.19 on.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { capture } from './processes.mjs'

export const project = fileURLToPath(new URL('../..', import.meta.url))
export const inProject = (...steps) => path.join(project, ...steps)

/** The pinned Node 24, which runs TypeScript without a build. */
export const node24 = inProject('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** A stamp of the last installation: the checksum of the lock file, and the machine's kind. */
const stamp = inProject('node_modules', '.wheelhouse')

/** The path of the script behind a package's command. */
export function tool(name, command = name) {
  const { bin } = JSON.parse(fs.readFileSync(inProject('node_modules', name, 'package.json'), 'utf8'))
  return inProject('node_modules', name, typeof bin === 'string' ? bin : bin[command])
}

/** Installs the packages of package-lock.json unless they are installed. Ends the process with a message when it can't. */
export async function install() {
  const lock = fs.readFileSync(inProject('package-lock.json'), 'utf8')
  const fingerprint = `${createHash('sha256').update(lock).digest('hex')} ${process.platform} ${process.arch}\n`
  if (readIfExists(stamp) === fingerprint && fs.existsSync(node24)) return
  if (!(await isInstalled(JSON.parse(lock)))) {
    console.log('Installing the packages, once. That takes about half a minute …')
    const network = await registryAnswers()
    await npm(['ci', '--include=dev', '--include=optional', ...network.flags], network.problem)
    // Where install scripts are disabled, the pinned Node has not been downloaded yet.
    if (!fs.existsSync(node24)) await npm(['rebuild', '--ignore-scripts=false', 'node'], network.problem)
    if (!fs.existsSync(node24)) {
      console.error(
        `The packages are installed, but the pinned Node is not in ${node24}. Allow the install script of the package "node" and try again.`,
      )
      process.exit(1)
    }
  }
  try {
    fs.writeFileSync(stamp, fingerprint)
  } catch {
    // In a read-only directory the packages are compared again at every start.
  }
}

function readIfExists(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Whether exactly these packages are installed already, by hand for example. */
async function isInstalled(lock) {
  const installed = readIfExists(inProject('node_modules', '.package-lock.json'))
  if (!installed || !fs.existsSync(node24)) return false
  const { packages } = JSON.parse(installed)
  for (const [place, { version, optional, devOptional }] of Object.entries(lock.packages)) {
    if (place === '') continue
    const library = packages[place]
    if (library ? library.version !== version : !optional && !devOptional) return false
  }
  // Copied from a machine of another kind they would be complete and useless.
  return (await capture(node24, ['--version'])).code === 0
}

/** How npm says that it reaches no registry; any answer of one is another error. */
const noNetwork =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR)\b/

/**
 * Asks the registry, with npm's own settings and proxies, for a few seconds: without a network `npm ci` would try for minutes. Then what
 * npm has in its cache may do.
 */
async function registryAnswers() {
  const { code, output } = await runNpm(['ping', '--fetch-retries=0', '--fetch-timeout=5000'], { timeout: 8000 })
  // npm was ended by the time-out: it says nothing then
  const problem =
    code === 0 ? undefined : (noNetwork.exec(output)?.[0] ?? (output.trim() === '' ? 'ETIMEDOUT' : undefined))
  return problem === undefined ? { flags: [] } : { flags: ['--offline'], problem }
}

/** Removes packages of an installation that was not finished: npm's list of them is written last. */
function removeHalf() {
  const packages = inProject('node_modules')
  if (!fs.existsSync(path.join(packages, '.package-lock.json'))) fs.rmSync(packages, { recursive: true, force: true })
}

function runNpm(args, options = {}) {
  // npm tells its scripts where it is; otherwise the one on the path is used.
  const [command, before] = process.env.npm_execpath?.endsWith('.js')
    ? [process.execPath, [process.env.npm_execpath]]
    : [process.platform === 'win32' ? 'npm.cmd' : 'npm', []]
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
  return capture(command, [...before, ...args, ...quiet], { cwd: project, shell: command.endsWith('.cmd'), ...options })
}

async function npm(args, problem) {
  const { code, output } = await runNpm(args, { undo: removeHalf })
  if (code === 0) return
  removeHalf()
  console.error(
    problem === undefined
      ? `The packages can't be installed. npm reports:\n\n${output.trim()}\n`
      : `The packages can't be installed: the registry of npm can't be reached (${problem}), and npm has not all of them in its cache. Connect this machine, or set npm's proxy or registry (npm config set proxy …), and start again.`,
  )
  process.exit(1)
}
