/** `npm run drill`, `npm run screenshots` and their like: runs a TypeScript file that opens the portal in a real browser, with the words after it. */
import { findBrowser } from './lib/browser.mjs'
import { install } from './lib/packages.mjs'
import { runTypeScript } from './lib/portal.mjs'
import { needWeb } from './lib/web.mjs'

const [file, ...words] = process.argv.slice(2)
if (!file) {
  console.error('Say which file to run: node bin/browse.mjs e2e/screenshots.ts …')
  process.exit(1)
}
await install()
await needWeb()
const browser = await findBrowser()
// it is neither production nor development, whatever the machine says
delete process.env.NODE_ENV
process.exitCode = await runTypeScript(file, words, [], {
  env: { ...process.env, ...(browser && { CHROMIUM: browser }) },
})
