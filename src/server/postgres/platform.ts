/** The operating system below: what differs on Windows, and running programs. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export const isWindows = process.platform === 'win32'

/** Runs a program to its end. @throws with its `stderr` when it fails */
export const run = promisify(execFile)
