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

/** In MB. */
const residentOf = (pid: string): number => Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024

const readersOf = (pid: number): string[] =>
  read(`/proc/${pid}/task/${pid}/children`)
    .trim()
    .split(' ')
    .filter(child => read(`/proc/${child}/cmdline`).includes('sheet.process'))

type Watch = {
  /** By how many MB it grew since, at its most. */
  grown(): number
  /** How many MB it took since, at its most. */
  most(): number
  stop(): void
}

/** Watches a portal by its process. */
export function watchMemory(pid: number): Watch {
  const began = residentOf(String(pid))
  let most = began
  const look = (): void => {
    const all = [String(pid), ...readersOf(pid)].reduce((sum, one) => sum + residentOf(one), 0)
    most = Math.max(most, all)
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
    stop: () => clearInterval(timer),
  }
}
