/**
 * `npm run mutants [-- WORDS …]`: breaks each rule of mutants/rules.ts in a copy of the project, one at a time, runs the tests that are
 * nearest to it, and prints which one noticed. The exit code is 1 when nobody notices one. With words only the rules that have one of
 * them in their name or file are tried.
 */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { broken } from './apply.ts'
import { rules, type Rule } from './rules.ts'

const project = join(import.meta.dirname, '..')
/** The files that tests of the domain and the server read. */
const copied = (
  'src db texts bin client docs e2e drill bench deploy mutants package.json package-lock.json tsconfig.json ' +
  'vitest.config.ts vite.config.ts index.html compose.yaml Dockerfile README.md knip.jsonc'
).split(' ')

/** The file that bin/lib/results.mjs writes. */
type Results = { readonly passed: number; readonly failed: readonly string[]; readonly reasons: readonly string[] }

/** Runs these files of tests in the copy, up to the first that fails. @throws Error when no test was run */
async function run(copy: string, files: readonly string[]): Promise<Results> {
  const file = join(copy, 'results.json')
  rmSync(file, { force: true })
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--reporter=./bin/lib/results.mjs', ...files]
  const output = await new Promise<string>(resolve => {
    const env: NodeJS.ProcessEnv = { ...process.env, WHEELHOUSE_RESULTS: file }
    delete env['NODE_ENV']
    execFile(process.execPath, args, { cwd: copy, env, maxBuffer: 64 * 1024 * 1024 }, (_, out, err) =>
      resolve(out + err),
    )
  })
  const results = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : null
  // a file that can't be loaded notices nothing: the change was no rule but nonsense
  if (!results || (results.passed === 0 && results.reasons.length === 0)) throw new Error(output)
  return results
}

const words = process.argv.slice(2).map(word => word.toLowerCase())
const isAsked = ({ rule, file }: Rule): boolean =>
  words.length === 0 || words.some(word => `${rule} ${file}`.toLowerCase().includes(word))

async function tryAll(): Promise<number> {
  const chosen = rules.filter(isAsked)
  const copy = mkdtempSync(join(tmpdir(), 'wheelhouse-mutants-'))
  try {
    for (const name of copied) cpSync(join(project, name), join(copy, name), { recursive: true })
    symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))
    const unbroken = await run(copy, [...new Set(chosen.flatMap(({ tests }) => tests))])
    if (unbroken.failed.length > 0) {
      console.log(`These fail while no rule is broken:\n${unbroken.failed.join('\n')}`)
      return 1
    }
    let unnoticed = 0
    for (const rule of chosen) {
      const file = join(copy, rule.file)
      writeFileSync(file, broken(rule, copy))
      const { failed } = await run(copy, rule.tests)
      cpSync(join(project, rule.file), file)
      if (failed.length === 0) unnoticed++
      console.log(
        `${failed.length > 0 ? 'noticed  ' : 'UNNOTICED'}  ${rule.rule}\n             ${failed[0] ?? rule.tests.join(', ')}`,
      )
    }
    console.log(`\n${chosen.length} rules broken, ${unnoticed} of them unnoticed`)
    return chosen.length > 0 && unnoticed === 0 ? 0 : 1
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

process.exitCode = await tryAll()
