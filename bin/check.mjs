/** `npm run check`: types, lint, format, licences and unused code of the whole project. */
import { check } from './lib/checks.mjs'
import { install } from './lib/packages.mjs'

await install()
process.exitCode = (await check()).every(({ output }) => output === undefined) ? 0 : 1
