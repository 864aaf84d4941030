/** PostgreSQL's notes about its running server: the file `postmaster.pid`. */
import fs from 'node:fs'
import path from 'node:path'

export type PidFile = {
  readonly pid: number
  readonly port: number
  readonly socketDir: string | undefined
  readonly status: string
}

const fileOf = (clusterDir: string) => path.join(clusterDir, 'postmaster.pid')

/** Its lines: process, directory, start, port, socket directory, address, shared memory, status. Undefined when there is none. */
export function readPidFile(clusterDir: string): PidFile | undefined {
  let lines: string[]
  try {
    lines = fs.readFileSync(fileOf(clusterDir), 'utf8').split('\n')
  } catch {
    return undefined
  }
  return {
    pid: Number(lines[0]),
    port: Number(lines[3]),
    socketDir: lines[4] || undefined,
    status: lines[7]?.trim() ?? '',
  }
}

/** Puts this process's id in place of the server's, and leaves the rest. */
export function claimPidFile(clusterDir: string): void {
  const file = fileOf(clusterDir)
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/^-?\d+/, String(process.pid)))
}
