/** `npm start`: installs and builds missing parts, then runs the portal until it is stopped. */
import { install, project } from './lib/packages.mjs'
import portalProcess from './lib/portalProcess.json' with { type: 'json' }
import { runTypeScript } from './lib/typescript.mjs'
import { requireWeb } from './lib/web.mjs'

await install()
await requireWeb()
process.exitCode = await runTypeScript('src/server/main.ts', process.argv.slice(2), portalProcess.flags, {
  cwd: project,
  env: { ...process.env, ...portalProcess.env },
})
