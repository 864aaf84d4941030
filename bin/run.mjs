/**
 * `npm run import` and others: runs a TypeScript file of the project, with the arguments after it, on the pinned Node. Before the
 * file, `--web` builds the browser part, which a portal that the file starts serves; `--browser` also finds a Chromium.
 */
import { findBrowser } from './lib/browser.mjs'
import { install } from './lib/packages.mjs'
import portalProcess from './lib/portalProcess.json' with { type: 'json' }
import { runTypeScript } from './lib/typescript.mjs'
import { requireWeb } from './lib/web.mjs'

const args = process.argv.slice(2)
const flag = args[0]?.startsWith('--') ? args.shift() : undefined
const file = args.shift()
if (!file || ![undefined, '--web', '--browser'].includes(flag)) {
  console.error('Usage: node bin/run.mjs [--web | --browser] FILE [ARGUMENT]…')
  process.exit(1)
}
await install()
if (flag) await requireWeb()
const env = { ...process.env }
if (flag === '--browser') {
  const browser = await findBrowser()
  if (browser) env.CHROMIUM = browser
  // It is neither production nor development, even if the machine's environment says so.
  delete env.NODE_ENV
}
process.exitCode = await runTypeScript(file, args, portalProcess.flags, { env })
