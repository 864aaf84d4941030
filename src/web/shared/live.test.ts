/** The ear of an open page (docs/decisions/0013). */
import { operations } from '#contract/operations.ts'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** An event source as browsers have it: the test sets the state of its connection. */
class Source extends EventTarget {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSED = 2
  static made: Source[] = []
  readyState: number = Source.CONNECTING
  constructor() {
    super()
    Source.made.push(this)
  }
  becomes(state: number, event: string) {
    this.readyState = state
    this.dispatchEvent(new Event(event))
  }
  close() {
    this.readyState = Source.CLOSED
  }
}

beforeEach(() => {
  Source.made = []
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', Source)
  vi.stubGlobal(
    'document',
    Object.assign(new EventTarget(), { visibilityState: 'visible', documentElement: {}, querySelector: () => null }),
  )
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('fetch', async () => Response.json({}))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a stream that was refused is asked for again after a while, and not once nobody listens', async () => {
  const { isLive, listenLive } = await import('./live.ts')
  const stop = listenLive()
  Source.made[0]?.becomes(Source.OPEN, 'open')
  expect(isLive()).toBe(true)
  // lost: the browser itself tries again
  Source.made[0]?.becomes(Source.CONNECTING, 'error')
  vi.advanceTimersByTime(60_000)
  expect(Source.made).toHaveLength(1)
  Source.made[0]?.becomes(Source.CLOSED, 'error')
  expect(isLive()).toBe(false)
  vi.advanceTimersByTime(29_000)
  expect(Source.made).toHaveLength(1)
  vi.advanceTimersByTime(1000)
  expect(Source.made).toHaveLength(2)
  Source.made[1]?.becomes(Source.CLOSED, 'error')
  stop()
  vi.advanceTimersByTime(120_000)
  expect(Source.made).toHaveLength(2)
})

test('an answer that is on its way when it changes is waited for, and asked for once more', async () => {
  const { keyOf, queryClient } = await import('./api.ts')
  const { invalidateChanged: hear } = await import('./live.ts')
  const requests: { answer: (text: string) => void; signal: AbortSignal }[] = []
  const observer = new QueryObserver(queryClient, {
    queryKey: keyOf(operations.admin, {}),
    queryFn: ({ signal }) => new Promise<string>(answer => requests.push({ answer, signal })),
  })
  const stop = observer.subscribe(() => {})
  const change = () => hear({ paths: ['/operations/admin'], from: 'another tab' })
  const settled = () => vi.advanceTimersByTimeAsync(0)
  requests[0]?.answer('first')
  await settled()
  change()
  await settled()
  expect(requests).toHaveLength(2)
  change()
  change()
  await settled()
  expect(requests).toHaveLength(2)
  expect(requests[1]?.signal.aborted).toBe(false)
  requests[1]?.answer('second')
  await settled()
  expect(observer.getCurrentResult().data).toBe('second')
  expect(requests).toHaveLength(3)
  requests[2]?.answer('third')
  await settled()
  expect(observer.getCurrentResult()).toMatchObject({ data: 'third', fetchStatus: 'idle' })
  expect(requests).toHaveLength(3)
  stop()
})
