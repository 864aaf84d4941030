/** `npm start`: installs and builds what is missing, then opens the portal until somebody stops it. */
import { install, project } from './lib/packages.mjs'
import { runTypeScript } from './lib/portal.mjs'
import { needWeb } from './lib/web.mjs'

await install()
await needWeb()
process.exitCode = await runTypeScript('src/server/main.ts', process.argv.slice(2), [], { cwd: project })
