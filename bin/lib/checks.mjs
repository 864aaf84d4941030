/** The static checks: types, lint, format, licences, and files, exports and packages that nothing uses. */
import { node24, project, tool } from './packages.mjs'
import { capture } from './processes.mjs'

const checks = [
  {
    name: 'types',
    args: () => [
      tool('typescript', 'tsc'),
      '--noEmit',
      '--checkers',
      '1',
      '--pretty',
      String(process.stdout.isTTY ?? false),
    ],
  },
  { name: 'lint', args: () => [tool('oxlint')] },
  { name: 'format', args: () => [tool('oxfmt'), '--check'] },
  { name: 'licences', args: () => ['bin/licences.mjs'] },
  { name: 'unused code', args: () => [tool('knip'), '--no-progress'] },
]

/** Makes the client's types, which are not kept, runs all checks at once and prints how each went. @returns a list of `{ name, output }`, `output` only of those that failed */
export async function check() {
  const client = await capture(node24, ['client/generate.ts'], { cwd: project })
  if (client.code !== 0) return [{ name: 'types of the client', output: client.output.trim() }]
  return Promise.all(
    checks.map(async ({ name, args }) => {
      const started = performance.now()
      const { code, output } = await capture(node24, args(), { cwd: project })
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      const passed = code === 0
      console.log(
        passed ? `  ${name}: passed (${seconds} s)` : `  ${name}: failed (${seconds} s)\n\n${output.trim()}\n`,
      )
      return { name, output: passed ? undefined : output.trim() }
    }),
  )
}
