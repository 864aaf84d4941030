import { QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import { operations } from '#contract/operations.ts'
import { fieldsIn, invalidate, isWorthAnotherTry, keyOf, queryClient, Refused, setAnswer } from './api.ts'

const submitted = { status: 'submitted' } as const

afterEach(() => queryClient.clear())

/** A screen that shows a list; the test answers each of its fetches. */
function listed() {
  const runs: ((ids: string) => void)[] = []
  const observer = new QueryObserver<string>(queryClient, {
    queryKey: keyOf(operations.admin, submitted),
    queryFn: () => new Promise<string>(answer => runs.push(answer)),
  })
  observer.subscribe(() => {})
  return {
    observer,
    answer: (nth: number, text: string) => runs[nth]?.(text),
    askedTimes: (count: number) => vi.waitFor(() => expect(runs).toHaveLength(count)),
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

describe('another try', () => {
  const refused = (code: Refused['code'], status: number) => new Refused(code, 'refused', { status })
  test.each([
    ['no answer came', refused('network', 0), true],
    ['the portal failed', refused('server.unexpected', 500), true],
    ['the portal is not available', refused('server.unavailable', 503), true],
    ['the portal is busy', refused('server.busy', 429), true],
    ['the session has expired', refused('session.missing', 401), true],
    ['who asks had to confirm who they are', refused('session.stale', 403), true],
    ['something else than the portal answered', refused('unreadable', 404), true],
    ['a fault of this page', new TypeError('undefined is not a function'), true],
    ['a period is too long', refused('operation.period_too_long', 400), false],
    ['the input is wrong', refused('request.invalid', 400), false],
    ['there are too many', refused('request.too_much', 422), false],
    ['there is no such record', refused('record.missing', 404), false],
    ['it is not for this account', refused('session.forbidden', 403), false],
    ['a day has not begun', refused('stock.date_ahead', 409), false],
  ] as const)('%s', (_, error, helps) => {
    expect(isWorthAnotherTry(error)).toBe(helps)
  })

  test('a refusal names the fields that it is about', () => {
    expect(fieldsIn(new Refused('request.too_much', '', { params: { fields: ['tyres'], most: 200 } }))).toEqual([
      'tyres',
    ])
    expect(fieldsIn(refused('record.missing', 404))).toEqual([])
  })
})
