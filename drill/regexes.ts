/**
 * docs/promises.md "Regular expressions": recheck finds that every regular expression in the sources, and every pattern in the schemas
 * of calls, takes linear time. recheck runs in this process and needs no network.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { parseSync } from 'vite'
import { calls } from '#contract/index.ts'
import { tally, type DrillOptions, type Result } from './drill.ts'
import { schemaOf } from './hostileInput.ts'

export const promise = 15
export const summary = 'regular expressions take no more than linear time'

type Diagnosis = {
  status: 'safe' | 'vulnerable' | 'unknown'
  complexity?: { type: string; summary: string }
  attack?: { pattern: string; string: string }
  error?: unknown
}
// the build that needs no binary
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as {
  checkSync(source: string, flags: string, options: { timeout: number }): Diagnosis
}

type Pattern = { readonly source: string; readonly flags: string; readonly where: string }

export async function run({ log }: DrillOptions): Promise<Result> {
  const { check, control, result } = tally(log)
  const inSources = patternsBelow('src', check)
  const inCalls = calls.flatMap(({ name, call }) => patternsIn(schemaOf(call), name))
  const all = new Map<string, Pattern>()
  for (const pattern of [...inSources, ...inCalls]) all.set(`/${pattern.source}/${pattern.flags}`, pattern)
  for (const [written, { source, flags, where }] of all) {
    check(`${written} of ${where}`, slow(source, flags))
    // what else this process has begun goes on between two patterns
    await setImmediate()
  }
  for (const source of ['^(a+)+$', '^\\s*(\\d+)\\s*\\s*$', '[a-z]*=.*;[a-z]*$'])
    control(`/${source}/`, slow(source, '') !== null)
  control('patterns in the sources are found', inSources.length > 50)
  return result(`${all.size} patterns`)
}

/** Why a pattern is slow, `null` when it is not. */
function slow(source: string, flags: string): string | null {
  const { status, complexity, attack, error } = checkSync(source, flags, { timeout: 300_000 })
  if (status === 'safe' || (attack && isHarmless(source, flags, attack.string))) return null
  return `${complexity?.summary ?? JSON.stringify(error)} by ${attack?.pattern ?? 'nothing known'}`
}

/**
 * Whether a text that was guessed to be slow is read at once. recheck tries its guesses, too, but takes a machine that does other work
 * for a slow pattern; here it is the time of the processor that counts.
 */
function isHarmless(source: string, flags: string, text: string): boolean {
  const before = process.cpuUsage()
  try {
    runInNewContext(
      'for (const found of text.matchAll(pattern)) found',
      { text, pattern: new RegExp(source, `${flags.replace('g', '')}g`) },
      { timeout: 20_000 },
    )
  } catch {
    return false
  }
  const { user, system } = process.cpuUsage(before)
  return user + system < 500_000
}

const root = fileURLToPath(new URL('..', import.meta.url))

/** The regular expressions in the sources. One that is built from a string at run time is a failure. */
function patternsBelow(folder: string, check: (what: string, wrong: string | null) => void): Pattern[] {
  const patterns: Pattern[] = []
  for (const entry of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(entry) || /\.test\.tsx?$|testing/.test(entry)) continue
    const where = join(folder, entry)
    const { program } = parseSync(entry, readFileSync(join(root, where), 'utf8'))
    walk(program, node => {
      if (node.type === 'Literal' && node.regex)
        patterns.push({ source: node.regex.pattern, flags: node.regex.flags, where })
      if (/^(?:New|Call)Expression$/.test(node.type ?? '') && node.callee?.name === 'RegExp')
        check(where, 'builds a regular expression from a string')
    })
  }
  return patterns
}

type Node = { type?: string; regex?: { pattern: string; flags: string }; callee?: { name?: string } }

function walk(part: unknown, visit: (node: Node) => void): void {
  if (part === null || typeof part !== 'object') return
  if (!Array.isArray(part)) visit(part)
  for (const inside of Object.values(part)) walk(inside, visit)
}

/** The patterns in the schema of a call's input, those of zod included. */
function patternsIn(schema: unknown, where: string): Pattern[] {
  if (schema === null || typeof schema !== 'object') return []
  return Object.entries(schema).flatMap(([name, part]) =>
    name === 'pattern' && typeof part === 'string' ? [{ source: part, flags: '', where }] : patternsIn(part, where),
  )
}
