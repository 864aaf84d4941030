/** Time of a core that processes take: it hardly changes with what else the machine does. */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'

const msOfTick = 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

type Process = { pid: number; parent: number; ended: number }

/** Every process of the machine, with its parent, and the time that its children took which have ended, in ms. */
function processes(): Process[] {
  return fs.readdirSync('/proc').flatMap(entry => {
    if (!/^\d+$/.test(entry)) return []
    try {
      const stat = fs.readFileSync(`/proc/${entry}/stat`, 'utf8')
      const [, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return [{ pid: Number(entry), parent: Number(parent), ended: (Number(rest[11]) + Number(rest[12])) * msOfTick }]
    } catch {
      return []
    }
  })
}

/** The process that this one has started by a command with these words. @throws Error when there is none */
export function child(words: string): number {
  const descendant = processes().find(({ pid, parent }) => {
    if (parent !== process.pid) return false
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(words)
  })
  if (!descendant) throw new Error(`${words} does not run`)
  return descendant.pid
}

/** The time of each thread of a process, in ms; `stat` would round it to ticks. */
function threadsOf(pid: number): [thread: string, ms: number][] {
  try {
    return fs.readdirSync(`/proc/${pid}/task`).map(thread => {
      const [ns] = fs.readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
      return [thread, Number(ns) / 1e6]
    })
  } catch {
    return []
  }
}

/** The CPU time so far of each thread of a process and of all its descendants, and of the ended children of each, in ms. */
export type Taken = ReadonlyMap<number, ReadonlyMap<string, number>>

export function taken(root: number): Taken {
  const all = processes()
  const family = new Set([root])
  for (let grown = -1; grown !== family.size;) {
    grown = family.size
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid)
  }
  return new Map(
    all
      .filter(({ pid }) => family.has(pid))
      .map(({ pid, ended }) => [pid, new Map([...threadsOf(pid), ['ended children', ended]])]),
  )
}

/** The processor time that they have used since then, in ms. */
export function takenSince(root: number, before: Taken): number {
  let sum = 0
  const now = taken(root)
  for (const [pid, threads] of now) for (const [thread, ms] of threads) sum += ms - (before.get(pid)?.get(thread) ?? 0)
  // one that has ended since counts among the children of its parent, with what it had taken before
  for (const [pid, threads] of before) if (!now.has(pid)) for (const ms of threads.values()) sum -= ms
  return sum
}
