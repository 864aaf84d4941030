/**
 * `npm run import` and its like: runs a TypeScript file of the project, with the words after it, on the pinned Node.
 * `--web` before the file builds the browser part, which a portal that the file starts serves.
 */
import { install } from './lib/packages.mjs'
import { runTypeScript } from './lib/portal.mjs'
import { needWeb } from './lib/web.mjs'

const words = process.argv.slice(2)
const web = words[0] === '--web' && Boolean(words.shift())
const file = words.shift()
if (!file) {
  console.error('Say which file to run: node bin/run.mjs src/server/cli/import.ts …')
  process.exit(1)
}
await install()
if (web) await needWeb()
process.exitCode = await runTypeScript(file, words)
