/**
 * docs/promises.md "Secrets": neither the browser bundle nor the files of the project hold a secret, and no dependency has a known
 * vulnerability that is high or critical. src/server/http/secrets.test.ts checks that no secret is logged or answered and that a new
 * installation has no account.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tally, type DrillOptions, type Result } from './drill.ts'

export const promise = 29
export const summary = 'no secret in bundle or project, no vulnerable dependency'

const project = fileURLToPath(new URL('..', import.meta.url))

/** Environment variables of the build machine that must not end up in the bundle. */
const planted = {
  DATABASE_URL: 'postgres://planted-user:planted-secret@db.example/planted',
  METRICS_TOKEN: 'planted-metrics-token',
  NPM_TOKEN: 'planted-npm-token',
  AWS_SECRET_ACCESS_KEY: 'planted-aws-key',
  VITE_PLANTED: 'planted-vite-variable',
}
/** Patterns that look like a secret. */
const suspicious = {
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  'an AWS key': /\bAKIA[0-9A-Z]{16}\b/,
  'an npm or GitHub token': /\b(?:npm_[A-Za-z0-9]{36}|gh[pousr]_[A-Za-z0-9]{36})\b/,
  'a database password': /postgres(?:ql)?:\/\/[^\s:/@'"`$]+:[^\s@'"`$]{6,}@(?!localhost|127\.0\.0\.1)[^\s'"`]+/,
  'a password hash': /\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]{11,}\$/,
}

type Run = { code: number; output: string }
const execute = (program: string, words: string[], env: Record<string, string> = {}): Promise<Run> =>
  new Promise(resolve => {
    execFile(
      program,
      words,
      { cwd: project, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, out, err) => resolve({ code: error ? Number(error.code ?? 1) : 0, output: out + err }),
    )
  })

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !/\.(?:br|gz)$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
}

/** The secrets in a text. */
const secretsIn = (text: string): string[] => [
  ...Object.values(planted).filter(secret => text.includes(secret)),
  ...Object.entries(suspicious).flatMap(([name, pattern]) => (pattern.test(text) ? [name] : [])),
]

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const { check, control, result } = tally(log)
  const notes: string[] = []
  const directory = mkdtempSync(join(tmpdir(), 'wheelhouse-bundle-'))
  try {
    // the short form uses what npm test has built
    let bundle = join(project, 'dist', 'web')
    if (!short) {
      bundle = join(directory, 'web')
      const words = ['node_modules/vite/bin/vite.js', 'build', '--outDir', bundle, '--logLevel', 'warn']
      const { code, output } = await execute(process.execPath, words, planted)
      check('a build', code === 0 ? null : output)
    }
    let bytes = 0
    const all = filesBelow(bundle)
    for (const file of all) {
      const text = readFileSync(file, 'latin1')
      bytes += text.length
      const secrets = secretsIn(text)
      if (text.includes(project)) secrets.push('the path of the build')
      check(file.slice(bundle.length + 1), secrets.length > 0 ? secrets.join(', ') : null)
    }
    notes.push(`bundle of ${all.length} files, ${(bytes / 1e6).toFixed(1)} MB`)
    control('a planted secret', secretsIn(`x="${planted.METRICS_TOKEN}"`).length === 1)
    control('a key', secretsIn('-----BEGIN RSA PRIVATE KEY-----').length === 1)
    control(
      'the bundle is searchable text',
      all.some(file => readFileSync(file, 'latin1').includes('/users/authenticate')),
    )
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }

  const tracked = (await execute('git', ['ls-files', '-z'])).output.split('\0').filter(Boolean)
  // this file and tests contain such patterns on purpose
  const checked = tracked.filter(file => !/^drill\/secrets\.ts$|\.test\.ts$|^package-lock\.json$/.test(file))
  for (const file of checked) {
    const secrets = Object.entries(suspicious).flatMap(([name, pattern]) => (pattern.test(read(file)) ? [name] : []))
    check(file, secrets.length > 0 ? secrets.join(', ') : null)
  }
  notes.push(`${checked.length} files in git`)

  for (const part of short ? [] : [['--omit=dev'], []]) {
    const name = ['npm audit', ...part].join(' ')
    const { output } = await execute('npm', ['audit', '--json', ...part])
    const counts = vulnerabilitiesIn(output)
    if (counts)
      check(name, counts.high + counts.critical > 0 ? `${counts.high} high, ${counts.critical} critical` : null)
    else
      notes.push(
        `${name}: the registry does not answer (${/\b\d{3} [A-Z][^"\\]*/.exec(output)?.[0]?.slice(0, 60) ?? 'no network'})`,
      )
  }
  return result(...notes)
}

function read(file: string): string {
  try {
    return readFileSync(join(project, file), 'latin1')
  } catch {
    // deleted, but not committed yet
    return ''
  }
}

/** The vulnerabilities that npm counts; undefined when the registry does not answer. */
function vulnerabilitiesIn(output: string): { high: number; critical: number } | undefined {
  try {
    const { metadata } = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)) as {
      metadata?: { vulnerabilities: { high: number; critical: number } }
    }
    return metadata?.vulnerabilities
  } catch {
    return undefined
  }
}
