/**
 * docs/promises.md "Secrets": what is built for the browser holds no secret of the machine that built it, nor do the files of the project, and no
 * dependency has a known fault that is high or critical. That no secret is logged or answered, and that a new installation has no
 * account, is tried in src/server/http/secrets.test.ts.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tally, type DrillOptions, type Figure } from './drill.ts'

export const line = 29
export const says = 'no secret in bundle or project, no known fault in a dependency'

const project = fileURLToPath(new URL('..', import.meta.url))

/** What the surroundings of a build may hold. */
const planted = {
  DATABASE_URL: 'postgres://planted-user:planted-secret@db.example/planted',
  METRICS_TOKEN: 'planted-metrics-token',
  NPM_TOKEN: 'planted-npm-token',
  AWS_SECRET_ACCESS_KEY: 'planted-aws-key',
  VITE_PLANTED: 'planted-vite-variable',
}
/** What looks like a secret whoever planted it. */
const suspicious = {
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  'a token of AWS': /\bAKIA[0-9A-Z]{16}\b/,
  'a token of npm or GitHub': /\b(?:npm_[A-Za-z0-9]{36}|gh[pousr]_[A-Za-z0-9]{36})\b/,
  'the password of a database': /postgres(?:ql)?:\/\/[^\s:/@'"`$]+:[^\s@'"`$]{6,}@(?!localhost|127\.0\.0\.1)[^\s'"`]+/,
  'a password hash': /\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]{11,}\$/,
}

type Run = { code: number; said: string }
const execute = (program: string, words: string[], env: Record<string, string> = {}): Promise<Run> =>
  new Promise(resolve => {
    execFile(
      program,
      words,
      { cwd: project, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, out, err) => resolve({ code: error ? Number(error.code ?? 1) : 0, said: out + err }),
    )
  })

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !/\.(?:br|gz)$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
}

/** The secrets that a text holds. */
const found = (text: string): string[] => [
  ...Object.values(planted).filter(secret => text.includes(secret)),
  ...Object.entries(suspicious).flatMap(([name, pattern]) => (pattern.test(text) ? [name] : [])),
]

export async function run({ short, log }: DrillOptions): Promise<Figure> {
  const { check, control, figure } = tally(log)
  const notes: string[] = []
  const place = mkdtempSync(join(tmpdir(), 'wheelhouse-bundle-'))
  try {
    // in the short form what npm test has built already
    let bundle = join(project, 'dist', 'web')
    if (!short) {
      bundle = join(place, 'web')
      const words = ['node_modules/vite/bin/vite.js', 'build', '--outDir', bundle, '--logLevel', 'warn']
      const { code, said } = await execute(process.execPath, words, planted)
      check('a build', code === 0 ? null : said)
    }
    let bytes = 0
    const all = filesBelow(bundle)
    for (const file of all) {
      const text = readFileSync(file, 'latin1')
      bytes += text.length
      const secrets = found(text)
      if (text.includes(project)) secrets.push('where it was built')
      check(file.slice(bundle.length + 1), secrets.length > 0 ? secrets.join(', ') : null)
    }
    notes.push(`bundle of ${all.length} files, ${(bytes / 1e6).toFixed(1)} MB`)
    control('a planted secret', found(`x="${planted.METRICS_TOKEN}"`).length === 1)
    control('a key', found('-----BEGIN RSA PRIVATE KEY-----').length === 1)
    control(
      'a bundle is text that can be searched',
      all.some(file => readFileSync(file, 'latin1').includes('/users/authenticate')),
    )
  } finally {
    rmSync(place, { recursive: true, force: true })
  }

  const tracked = (await execute('git', ['ls-files', '-z'])).said.split('\0').filter(Boolean)
  // this file and its kind name what they look for
  const known = tracked.filter(file => !/^drill\/secrets\.ts$|\.test\.ts$|^package-lock\.json$/.test(file))
  for (const file of known) {
    const secrets = Object.entries(suspicious).flatMap(([name, pattern]) => (pattern.test(read(file)) ? [name] : []))
    check(file, secrets.length > 0 ? secrets.join(', ') : null)
  }
  notes.push(`${known.length} files of the project`)

  for (const part of short ? [] : [['--omit=dev'], []]) {
    const name = ['npm audit', ...part].join(' ')
    const { said } = await execute('npm', ['audit', '--json', ...part])
    const counts = counted(said)
    if (counts)
      check(name, counts.high + counts.critical > 0 ? `${counts.high} high, ${counts.critical} critical` : null)
    else
      notes.push(
        `${name}: the registry does not answer (${/\b\d{3} [A-Z][^"\\]*/.exec(said)?.[0]?.slice(0, 60) ?? 'no network'})`,
      )
  }
  return figure(...notes)
}

function read(file: string): string {
  try {
    return readFileSync(join(project, file), 'latin1')
  } catch {
    // removed and not committed yet
    return ''
  }
}

/** How many known faults npm has counted; undefined when it could not ask. */
function counted(said: string): { high: number; critical: number } | undefined {
  try {
    const { metadata } = JSON.parse(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1)) as {
      metadata?: { vulnerabilities: { high: number; critical: number } }
    }
    return metadata?.vulnerabilities
  } catch {
    return undefined
  }
}
