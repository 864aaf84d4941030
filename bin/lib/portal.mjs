/** TypeScript of the project on the pinned Node. */
import { pathToFileURL } from 'node:url'
import { inProject, node24 } from './packages.mjs'
import { foreground } from './processes.mjs'

const leash = pathToFileURL(inProject('bin', 'lib', 'leash.mjs')).href

/** Runs a file in the foreground and answers its exit code. */
export function runTypeScript(file, words = [], flags = [], options = {}) {
  return foreground(node24, [...flags, '--import', leash, inProject(file), ...words], options)
}
