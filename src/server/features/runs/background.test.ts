/** Billing runs in a process of their own (docs/decisions/0054). */
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { chargeByDay } from '../../testing/charging.ts'
import { world, type World } from '../../testing/world.ts'
import { startRuns } from './background.ts'

const calls = contract.billing
let w: World

beforeAll(async () => {
  w = await world({ now: new Date('2026-11-20T12:00:00Z') })
  await chargeByDay(w)
})
afterAll(() => w.close())

/** The processes that work on runs, of this test. */
function processes(): number[] {
  const all = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
  return all
    .split('\n')
    .filter(line => line.includes('runs/background.process.ts'))
    .map(line => Number.parseInt(line, 10))
}

test(
  'a run is worked on by another process, which takes its turns, may be killed, and goes when nothing is left',
  { tags: 'whole' },
  async () => {
    for (const customer of [w.customers.a, w.customers.b]) {
      const vehicle = await w.addVehicle({ customer })
      await w.addSet({ vehicle, set: 'Winter', status: 'in_stock', statusDate: '2026-10-01' })
    }
    const { _id } = (
      await w.ask(calls.begin, w.who.admin, { covers: 'all', until: '2026-10-31', days: 0, marks: true })
    ).answer
    const read = async () => (await w.ask(calls.read, w.who.admin, { _id })).answer
    const turns: number[] = []
    const changed: number[] = []
    const problems: string[] = []
    let isKilled = false
    let ended = 0
    const worker = startRuns(w.database, {
      sendsMail: false,
      access: { url: w.appUrl, checkRows: true },
      linger: 300,
      async inTurn(site, work) {
        turns.push(site)
        if (!isKilled) {
          // while it waits for its turn
          for (const pid of processes()) isKilled = process.kill(pid, 'SIGKILL')
          await expect.poll(() => problems).toHaveLength(1)
        }
        return work().finally(() => ended++)
      },
      changed: site => void changed.push(site),
      failed: problem => void problems.push(problem),
    })
    try {
      const waiting = { timeout: 60_000 }
      await expect.poll(async () => (await read()).state, waiting).toBe('ready')
      expect(isKilled).toBe(true)
      expect(problems).toEqual(['the process of runs ended with null'])
      expect(processes()).toHaveLength(1)
      await w.ask(calls.make, w.who.admin, { _id, without: [] })
      await expect.poll(async () => (await read()).state, waiting).toBe('made')
      expect((await read()).done).toBe(2)
      await expect.poll(() => [...new Set(changed)], waiting).toEqual([w.sites.home])
      expect([...new Set(turns)]).toEqual([w.sites.home])
      await expect.poll(processes, waiting).toEqual([])
    } finally {
      await worker.stop()
    }
    expect(problems).toHaveLength(1)
    // none holds its place for ever
    expect(ended).toBe(turns.length)
  },
)
