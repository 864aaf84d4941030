/** Runs TypeScript files of the project on the pinned Node. */
import { pathToFileURL } from 'node:url'
import { inProject, node24 } from './packages.mjs'
import { runInForeground } from './processes.mjs'

const stopWithParent = pathToFileURL(inProject('bin', 'lib', 'stopWithParent.mjs')).href

/** Runs a file in the foreground. What Node has compiled is kept: a short command takes half the time. @returns its exit code */
export function runTypeScript(file, args = [], nodeFlags = [], { env = process.env, ...options } = {}) {
  const NODE_COMPILE_CACHE = env.NODE_COMPILE_CACHE ?? inProject('node_modules', '.cache', 'node')
  return runInForeground(node24, [...nodeFlags, '--import', stopWithParent, inProject(file), ...args], {
    ...options,
    env: { ...env, NODE_COMPILE_CACHE },
  })
}
