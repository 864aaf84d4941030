/** Processes by the directory that they work in (Linux): PostgreSQL's work in their cluster. */
import fs from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** Whether this is the working directory of a process. */
export function worksIn(pid: string, dir: string): boolean {
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`) === dir
  } catch {
    return false
  }
}

/** Waits some seconds until no process works in a directory. Elsewhere than on Linux, for a moment. */
export async function untilNoneWorksIn(dir: string): Promise<void> {
  if (process.platform !== 'linux') return pause(500)
  for (let tries = 0; tries < 100; tries++) {
    if (!fs.readdirSync('/proc').some(entry => /^\d+$/.test(entry) && worksIn(entry, dir))) return
    await pause(50)
  }
}
