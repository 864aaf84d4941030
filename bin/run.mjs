/** `npm run import` and its like: runs a TypeScript file of the project, with the words after it, on the pinned Node. */
import { install } from './lib/packages.mjs'
import { runTypeScript } from './lib/portal.mjs'

const [file, ...words] = process.argv.slice(2)
if (!file) {
  console.error('Say which file to run: node bin/run.mjs src/server/import.ts …')
  process.exit(1)
}
await install()
process.exitCode = await runTypeScript(file, words)
