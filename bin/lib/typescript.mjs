/** Runs TypeScript files of the project on the pinned Node. */
import { pathToFileURL } from 'node:url'
import { inProject, node24 } from './packages.mjs'
import { runInForeground } from './processes.mjs'

const stopWithParent = pathToFileURL(inProject('bin', 'lib', 'stopWithParent.mjs')).href

/** Runs a file in the foreground. @returns its exit code */
export function runTypeScript(file, args = [], nodeFlags = [], options = {}) {
  return runInForeground(node24, [...nodeFlags, '--import', stopWithParent, inProject(file), ...args], options)
}
