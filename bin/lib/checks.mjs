/** What must hold before a test runs: types, lint, format. */
import { node24, project, tool } from './packages.mjs'
import { captured } from './processes.mjs'

const checks = [
  {
    name: 'types',
    words: () => [tool('typescript', 'tsc'), '--noEmit', '--pretty', String(process.stdout.isTTY ?? false)],
  },
  { name: 'lint', words: () => [tool('oxlint')] },
  { name: 'format', words: () => [tool('oxfmt'), '--check'] },
]

/** Runs all of them at once, tells how each went, and answers the names of those that failed. */
export async function check() {
  const failed = []
  await Promise.all(
    checks.map(async ({ name, words }) => {
      const began = performance.now()
      const { code, output } = await captured(node24, words(), { cwd: project })
      const took = `${((performance.now() - began) / 1000).toFixed(1)} s`
      if (code === 0) return console.log(`  ${name}: good (${took})`)
      failed.push(name)
      console.log(`  ${name}: not good (${took})\n\n${output.trim()}\n`)
    }),
  )
  return failed
}
