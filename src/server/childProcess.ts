/** Work that would hold up everybody else's answers is done in a process of its own. */
import { fork, type ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

/** As `nice` counts: a portal has 0. */
const lowPriority = 10

/**
 * Starts a module in a process of its own, which gives way to people's requests. It gets what to do as its first message,
 * and ends when `signal` says so.
 */
export function forkInBackground(module: URL, order: object, signal: AbortSignal): ChildProcess {
  const child = fork(fileURLToPath(module), { signal, killSignal: 'SIGTERM' })
  if (child.pid !== undefined) {
    try {
      setPriority(child.pid, lowPriority)
    } catch {
      // it has ended already, or the system knows no priorities
    }
  }
  // one that has ended already can't be told
  child.send(order, () => {})
  return child
}
