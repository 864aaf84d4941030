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

/** Watches a portal by its process; `grown()` is by how many MB it grew since, at its most, `stop()` ends that. */
export function watchMemory(pid: number): { grown(): number; stop(): void } {
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
    stop: () => clearInterval(timer),
  }
}
