/** `npm run dev`: the server, restarted at every change, and the browser part served from its sources by Vite. */
import { spawn } from 'node:child_process'
import { install, node24, project, tool } from './lib/packages.mjs'
import { runTypeScript } from './lib/typescript.mjs'
import { buildWeb } from './lib/web.mjs'

await install()
// The server also serves the built part. In the middle of a change it may not build, and Vite shows why.
const failure = await buildWeb()
if (failure !== undefined) console.error(`The browser part can't be built:\n\n${failure}\n`)

const port = process.env.PORT || '3000'
const vite = spawn(node24, [tool('vite'), '--clearScreen', 'false'], {
  cwd: project,
  env: { ...process.env, WHEELHOUSE_SERVER: `http://127.0.0.1:${port}` },
  stdio: ['ignore', 'inherit', 'inherit'],
})
process.once('exit', () => vite.kill())
process.exitCode = await runTypeScript(
  'src/server/main.ts',
  process.argv.slice(2),
  ['--watch', '--watch-preserve-output'],
  {
    cwd: project,
    env: { ...process.env, PORT: port },
  },
)
vite.kill()
