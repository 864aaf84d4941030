import { QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import { operations } from '#contract/operations.ts'
import { invalidate, keyOf, queryClient, setAnswer } from './api.ts'

const submitted = { status: 'submitted' } as const

afterEach(() => queryClient.clear())

/** A screen that shows a list; each time that it is asked for can be answered. */
function listed() {
  const asked: ((ids: string) => void)[] = []
  const observer = new QueryObserver<string>(queryClient, {
    queryKey: keyOf(operations.admin, submitted),
    queryFn: () => new Promise<string>(answer => asked.push(answer)),
  })
  observer.subscribe(() => {})
  return {
    observer,
    answer: (nth: number, text: string) => asked[nth]?.(text),
    askedTimes: (count: number) => vi.waitFor(() => expect(asked).toHaveLength(count)),
    shows: (text: unknown) => vi.waitFor(() => expect(observer.getCurrentResult().data).toEqual(text)),
  }
}

describe('an answer that came with a change', () => {
  it('is not replaced by one that was asked for before, which is asked for again', async () => {
    const { observer, answer, askedTimes, shows } = listed()
    answer(0, 'first')
    await shows('first')
    void observer.refetch()
    await askedTimes(2)
    setAnswer(operations.admin, submitted, [])
    answer(1, 'from before the change')
    await askedTimes(3)
    expect(observer.getCurrentResult().data).toEqual([])
    answer(2, 'after it')
    await shows('after it')
  })

  it('is shown at once, also where none was there yet', async () => {
    const { answer, askedTimes, shows } = listed()
    await askedTimes(1)
    setAnswer(operations.admin, submitted, [])
    answer(0, 'from before the change')
    await askedTimes(2)
    await shows([])
  })
})

test('a first answer that was asked for before a change is asked for again after it', async () => {
  const { answer, askedTimes, shows } = listed()
  await askedTimes(1)
  void invalidate(['operations.admin'])
  answer(0, 'from before the change')
  await askedTimes(2)
  answer(1, 'after it')
  await shows('after it')
})
