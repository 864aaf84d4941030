/** The browser part: built when what it is made of has changed. */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { inProject, node24, project, tool } from './packages.mjs'
import { captured } from './processes.mjs'

const sources = [
  'src/web',
  'src/contract',
  'src/domain',
  'public',
  'index.html',
  'vite.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
  'bin/lib/web.mjs',
]
const built = inProject('dist', 'web')
const stamp = inProject('dist', 'web.sources')

/**
 * Builds `dist/web` if it is stale. The new one is made beside the old one and takes its place when it is whole.
 * @returns what the builder said when it failed, else undefined.
 */
export async function buildWeb() {
  const wanted = fingerprint()
  if (
    fs.existsSync(path.join(built, 'index.html')) &&
    fs.existsSync(stamp) &&
    fs.readFileSync(stamp, 'utf8') === wanted
  )
    return undefined
  console.log('Building the browser part …')
  const fresh = inProject('dist', `web.${process.pid}`)
  try {
    const words = ['build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn']
    const { code, output } = await captured(node24, [tool('vite'), ...words], {
      cwd: project,
      env: { ...process.env, NODE_ENV: 'production' },
    })
    if (code !== 0) return output.trim()
    fs.rmSync(stamp, { force: true })
    fs.rmSync(built, { recursive: true, force: true })
    fs.renameSync(fresh, built)
    fs.writeFileSync(stamp, wanted)
    return undefined
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true })
  }
}

/** Builds it for what can't go on without it: says why it failed, and ends. */
export async function needWeb() {
  const failure = await buildWeb()
  if (failure === undefined) return
  console.error(`The browser part can't be built:\n\n${failure}\n`)
  process.exit(1)
}

function fingerprint() {
  const hash = createHash('sha256')
  for (const source of sources)
    for (const file of filesOf(inProject(source))) {
      if (/\.test\.tsx?$/.test(file)) continue
      hash
        .update(`${path.relative(project, file)}\0`)
        .update(fs.readFileSync(file))
        .update('\0')
    }
  return hash.digest('hex')
}

function filesOf(place) {
  const found = fs.statSync(place, { throwIfNoEntry: false })
  if (!found) return []
  if (found.isFile()) return [place]
  return fs
    .readdirSync(place, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => (entry.isDirectory() ? filesOf(path.join(place, entry.name)) : [path.join(place, entry.name)]))
}
