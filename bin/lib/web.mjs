/** The browser part: built when its sources have changed. */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { inProject, node24, project, tool } from './packages.mjs'
import { capture } from './processes.mjs'

const sources = [
  'src/web',
  'src/contract',
  'src/domain',
  'index.html',
  'vite.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
  'bin/lib/web.mjs',
]
const target = inProject('dist', 'web')
/** The fingerprint of the sources of the build. */
const stamp = inProject('dist', 'web.sources')

/**
 * Builds `dist/web` if it is out of date: beside the old one, which it replaces when it is complete.
 * @returns the builder's output when it failed, else undefined
 */
export async function buildWeb() {
  const fingerprint = fingerprintOf(sources)
  if (
    fs.existsSync(path.join(target, 'index.html')) &&
    fs.existsSync(stamp) &&
    fs.readFileSync(stamp, 'utf8') === fingerprint
  )
    return undefined
  console.log('Building the browser part …')
  removeAbandoned()
  const fresh = inProject('dist', `web.${process.pid}`)
  const undo = () => fs.rmSync(fresh, { recursive: true, force: true })
  try {
    const args = ['build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn']
    const { code, output } = await capture(node24, [tool('vite'), ...args], {
      cwd: project,
      env: { ...process.env, NODE_ENV: 'production' },
      undo,
    })
    if (code !== 0) return output.trim()
    fs.rmSync(stamp, { force: true })
    fs.rmSync(target, { recursive: true, force: true })
    fs.renameSync(fresh, target)
    fs.writeFileSync(stamp, fingerprint)
    return undefined
  } finally {
    undo()
  }
}

/** Removes what builds that were killed have left. */
function removeAbandoned() {
  if (!fs.existsSync(inProject('dist'))) return
  for (const name of fs.readdirSync(inProject('dist'))) {
    const pid = /^web\.(\d+)$/.exec(name)?.[1]
    if (pid && !isAlive(Number(pid))) fs.rmSync(inProject('dist', name), { recursive: true, force: true })
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Builds it for a command that can't go on without it: ends the process with a message when that fails. */
export async function requireWeb() {
  const failure = await buildWeb()
  if (failure === undefined) return
  console.error(`The browser part can't be built:\n\n${failure}\n`)
  process.exit(1)
}

function fingerprintOf(places) {
  const hash = createHash('sha256')
  for (const file of places.flatMap(place => filesIn(inProject(place)))) {
    if (/\.test\.tsx?$/.test(file)) continue
    hash
      .update(`${path.relative(project, file)}\0`)
      .update(fs.readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesIn(place) {
  const stats = fs.statSync(place, { throwIfNoEntry: false })
  if (!stats) return []
  if (stats.isFile()) return [place]
  return fs
    .readdirSync(place, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => (entry.isDirectory() ? filesIn(path.join(place, entry.name)) : [path.join(place, entry.name)]))
}
