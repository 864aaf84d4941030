/** How much memory a portal takes, with the processes that read files for it. */
import { readFileSync } from 'node:fs'

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // the process has just ended
    return ''
  }
}

/** In MB; `RssAnon` is what a process does not share, as it does the pages of Node itself. */
const residentOf = (pid: string, field: 'VmRSS' | 'RssAnon'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024

const readersOf = (pid: number): string[] =>
  read(`/proc/${pid}/task/${pid}/children`)
    .trim()
    .split(' ')
    .filter(child => read(`/proc/${child}/cmdline`).includes('sheet.process'))

type Watch = {
  /** By how many MB it grew until it was stopped, at its most. */
  grown(): number
  /** How many MB it took until then, at its most. */
  most(): number
  stop(): void
}

/** Watches a portal by its process. */
export function watchMemory(pid: number): Watch {
  const began = residentOf(String(pid), 'VmRSS')
  let most = began
  let stopped = false
  const look = (): void => {
    if (stopped) return
    const readers = readersOf(pid).reduce((sum, reader) => sum + residentOf(reader, 'RssAnon'), 0)
    most = Math.max(most, residentOf(String(pid), 'VmRSS') + readers)
  }
  const timer = setInterval(look, 20)
  return {
    grown: () => {
      look()
      return Math.round(most - began)
    },
    most: () => {
      look()
      return Math.round(most)
    },
    stop() {
      look()
      stopped = true
      clearInterval(timer)
    },
  }
}
