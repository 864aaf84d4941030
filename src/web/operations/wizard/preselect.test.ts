import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makePreselection, preselectDelayMs } from './preselect.ts'

const spied = () => {
  const taken: string[] = []
  const shown: (readonly number[])[] = []
  const preselection = makePreselection({
    take: tyres => taken.push(`take ${tyres.join()}`),
    takeSet: tyres => taken.push(`set ${tyres.join()}`),
    show: tyres => shown.push(tyres),
  })
  return { preselection, taken, shown }
}

describe('pre-selection', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('waits 250 ms, and shows the tyre as pre-selected meanwhile', () => {
    const { preselection, taken, shown } = spied()
    preselection.click([7])
    expect(shown).toEqual([[7]])
    vi.advanceTimersByTime(249)
    expect(taken).toEqual([])
    vi.advanceTimersByTime(1)
    expect(taken).toEqual(['take 7'])
    expect(shown).toEqual([[7], []])
    expect(preselectDelayMs).toBe(250)
  })

  it('a second click within the delay takes the set instead of the tyre', () => {
    const { preselection, taken } = spied()
    preselection.click([7])
    vi.advanceTimersByTime(200)
    preselection.click([7])
    vi.advanceTimersByTime(1000)
    expect(taken).toEqual(['set 7'])
  })

  it('two slow clicks are two clicks', () => {
    const { preselection, taken } = spied()
    preselection.click([7])
    vi.advanceTimersByTime(260)
    preselection.click([7])
    vi.advanceTimersByTime(260)
    expect(taken).toEqual(['take 7', 'take 7'])
  })

  it('quick clicks on two tyres take both, in their order', () => {
    const { preselection, taken, shown } = spied()
    preselection.click([7])
    preselection.click([8])
    vi.advanceTimersByTime(1000)
    expect(taken).toEqual(['take 7', 'take 8'])
    expect(shown).toEqual([[7], [], [8], []])
  })

  it('a position with several tyres is one place, another with one of them is another', () => {
    const { preselection, taken } = spied()
    preselection.click([7, 8])
    preselection.click([7])
    preselection.click([7])
    expect(taken).toEqual(['take 7,8', 'set 7'])
  })

  it('somebody who goes on without waiting is told what waits, once', () => {
    const { preselection, taken, shown } = spied()
    preselection.click([7])
    expect(preselection.stop()).toEqual([7])
    expect(preselection.stop()).toEqual([])
    vi.advanceTimersByTime(1000)
    expect(taken).toEqual([])
    expect(shown).toEqual([[7], []])
  })
})
