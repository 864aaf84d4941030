/**
 * Every regular expression of the sources, found by a parser, and every pattern of what calls take is looked at by recheck: none
 * takes time that grows faster than what it reads (docs/promises.md "Regular expressions"). recheck works without a network, in this process.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { calls } from '#contract/index.ts'
import { tally, type DrillOptions, type Figure } from './drill.ts'
import { schemaOf } from './hostile.ts'

export const line = 15
export const says = 'regular expressions take no more than linear time'

type Diagnosis = {
  status: 'safe' | 'vulnerable' | 'unknown'
  complexity?: { type: string; summary: string }
  attack?: { pattern: string }
  error?: unknown
}
// the build without a process or a binary of its own: the same everywhere
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as {
  checkSync(source: string, flags: string, options: { timeout: number }): Diagnosis
}

type Pattern = { readonly source: string; readonly flags: string; readonly where: string }

export async function run({ log }: DrillOptions): Promise<Figure> {
  const { check, control, figure } = tally(log)
  const inSources = patternsBelow('src', check)
  const inCalls = calls.flatMap(({ name, call }) => patternsIn(schemaOf(call), name))
  const all = new Map<string, Pattern>()
  for (const pattern of [...inSources, ...inCalls]) all.set(`/${pattern.source}/${pattern.flags}`, pattern)
  for (const [written, { source, flags, where }] of all) check(`${written} of ${where}`, slow(source, flags))
  for (const source of ['^(a+)+$', '^\\s*(\\d+)\\s*\\s*$', '[a-z]*=.*;[a-z]*$'])
    control(`/${source}/`, slow(source, '') !== null)
  control('a pattern of a source is found', inSources.length > 50)
  return figure(`${all.size} patterns`)
}

/** How a pattern gets slow, `null` when it does not. */
function slow(source: string, flags: string): string | null {
  const { status, complexity, attack, error } = checkSync(source, flags, { timeout: 30_000 })
  return status === 'safe'
    ? null
    : `${complexity?.summary ?? JSON.stringify(error)} by ${attack?.pattern ?? 'nothing known'}`
}

const root = fileURLToPath(new URL('..', import.meta.url))

/** The regular expressions that are written in the sources; one that is made of text that is not written there is refused. */
function patternsBelow(folder: string, check: (what: string, wrong: string | null) => void): Pattern[] {
  const found: Pattern[] = []
  for (const entry of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(entry) || /\.test\.tsx?$|testing/.test(entry)) continue
    const where = join(folder, entry)
    const { program } = parseSync(entry, readFileSync(join(root, where), 'utf8'))
    walk(program, node => {
      if (node.type === 'Literal' && node.regex)
        found.push({ source: node.regex.pattern, flags: node.regex.flags, where })
      if (/^(?:New|Call)Expression$/.test(node.type ?? '') && node.callee?.name === 'RegExp')
        check(where, 'makes an expression out of text')
    })
  }
  return found
}

type Node = { type?: string; regex?: { pattern: string; flags: string }; callee?: { name?: string } }

function walk(part: unknown, visit: (node: Node) => void): void {
  if (part === null || typeof part !== 'object') return
  if (!Array.isArray(part)) visit(part)
  for (const inside of Object.values(part)) walk(inside, visit)
}

/** The patterns that what a call takes is held against, those of zod itself, too. */
function patternsIn(schema: unknown, where: string): Pattern[] {
  if (schema === null || typeof schema !== 'object') return []
  return Object.entries(schema).flatMap(([name, part]) =>
    name === 'pattern' && typeof part === 'string' ? [{ source: part, flags: '', where }] : patternsIn(part, where),
  )
}
