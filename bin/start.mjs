/** `npm start`: installs and builds what is missing, then opens the portal until somebody stops it. */
import { install, project } from './lib/packages.mjs'
import { runTypeScript } from './lib/portal.mjs'
import { buildWeb } from './lib/web.mjs'

await install()
const failure = await buildWeb()
if (failure !== undefined) {
  console.error(`The browser part can't be built:\n\n${failure}\n`)
  process.exit(1)
}
process.exitCode = await runTypeScript('src/server/main.ts', process.argv.slice(2), [], { cwd: project })
