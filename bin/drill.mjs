/** `npm run drill [-- LINE … --short]`: what must hold, tried on real portals and in a real browser (drill/main.ts). */
import { findBrowser } from './lib/browser.mjs'
import { install } from './lib/packages.mjs'
import { runTypeScript } from './lib/portal.mjs'
import { buildWeb } from './lib/web.mjs'

await install()
const failure = await buildWeb()
if (failure !== undefined) {
  console.error(`The browser part can't be built:\n\n${failure}\n`)
  process.exit(1)
}
const browser = await findBrowser()
// a drill is neither production nor development, whatever the machine says
delete process.env.NODE_ENV
process.exitCode = await runTypeScript('drill/main.ts', process.argv.slice(2), [], {
  env: { ...process.env, ...(browser && { CHROMIUM: browser }) },
})
