import { QueryObserver } from '@tanstack/react-query'
import { describe, expect, it, test, vi } from 'vitest'
import { operations } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import { type ConfirmOptions, deskSteps } from './desk.ts'
import { sampleOperation, sampleTyre } from './sample.ts'

/** A page whose questions and calls are answered when the test says so. */
function page() {
  const calls: string[] = []
  const asks: string[] = []
  const left: number[] = []
  const answers: { take: () => void; refuse: () => void }[] = []
  const questions: ((yes: boolean) => void)[] = []
  const call = <T>(what: string, answer: T): Promise<T> => {
    calls.push(what)
    return new Promise((resolve, reject) =>
      answers.push({ take: () => resolve(answer), refuse: () => reject(new Error('refused')) }),
    )
  }
  const sure = (what: string): Promise<boolean> => {
    asks.push(what)
    return new Promise(resolve => questions.push(resolve))
  }
  const parts = {
    undo: (_id: number) => call(`undo ${_id}`, null),
    confirm: (_id: number, { missing, document }: ConfirmOptions) =>
      call(`confirm ${_id}${missing ? ' anyway' : ''}${document === false ? ' without document' : ''}`, null),
    cancel: (_id: number) => call(`cancel ${_id}`, null),
    markAll: (_id: number) => call(`mark ${_id}`, [sampleTyre({ db_id: 11, scanned: true })]),
    unasked: ({ type, tyres }: Operation) => (type === 'to_waste' || tyres.some(tyre => !tyre.scanned) ? null : {}),
    sureToConfirm: async ({ type }: Operation) =>
      (await sure('confirm')) ? { missing: [11], ...(type === 'to_waste' && { document: false }) } : null,
    sureToCancel: () => sure('cancel'),
    sureToUndo: () => sure('undo'),
    left: (_id: number) => void left.push(_id),
    marked: () => void left.push(-1),
  }
  return { steps: deskSteps(parts), again: deskSteps(parts), calls, asks, left, answers, questions }
}
const scanned = (_id: number) => sampleOperation({ _id, tyres: [sampleTyre({ db_id: _id * 10, scanned: true })] })

describe('a double click', () => {
  it.each([
    ['confirm', 'confirm 1'],
    ['markAll', 'mark 1'],
  ] as const)('on %s makes one call', async (step, call) => {
    const { steps, again, calls, answers, left } = page()
    // The second click may hit a new render of the page, with other functions.
    const clicks = [steps[step](scanned(1)), steps[step](scanned(1)), again[step](scanned(1))]
    expect(calls).toEqual([call])
    answers[0]?.take()
    await Promise.all(clicks)
    expect(calls).toEqual([call])
    expect(left).toHaveLength(1)
  })

  it.each(['cancel', 'undo'] as const)('on %s asks once and makes one call', async step => {
    const { steps, calls, asks, answers, questions, left } = page()
    const clicks = [steps[step](scanned(1)), steps[step](scanned(1))]
    expect(asks).toEqual([step])
    questions[0]?.(true)
    await clicks[1]
    expect(calls).toEqual([`${step} 1`])
    answers[0]?.take()
    await Promise.all(clicks)
    expect(left).toEqual([1])
  })

  it('on confirm with tyres missing asks once and makes one call', async () => {
    const { steps, calls, asks, answers, questions } = page()
    const clicks = [steps.confirm(sampleOperation({ _id: 1 })), steps.confirm(sampleOperation({ _id: 1 }))]
    questions[0]?.(true)
    await vi.waitFor(() => expect(calls).toHaveLength(1))
    expect([asks, calls]).toEqual([['confirm'], ['confirm 1 anyway']])
    answers[0]?.take()
    await Promise.all(clicks)
  })
})

test('what was answered to the question goes along, and going back confirms nothing', async () => {
  const { steps, calls, questions, answers, left } = page()
  const waste = sampleOperation({ _id: 1, type: 'to_waste' })
  const first = steps.confirm(waste)
  questions[0]?.(false)
  await first
  expect([calls, left]).toEqual([[], []])
  const second = steps.confirm(waste)
  questions[1]?.(true)
  await vi.waitFor(() => expect(calls).toEqual(['confirm 1 anyway without document']))
  answers[0]?.take()
  await second
  expect(left).toEqual([1])
})

describe('a step', () => {
  it('on another operation does not wait, and both leave the list', async () => {
    const { steps, calls, answers, left } = page()
    const both = [steps.confirm(scanned(1)), steps.confirm(scanned(2))]
    expect(calls).toEqual(['confirm 1', 'confirm 2'])
    for (const { take } of answers) take()
    await Promise.all(both)
    expect(left).toEqual([1, 2])
  })

  it('of another kind is not taken while one is under way', async () => {
    const { steps, calls, answers } = page()
    const first = steps.markAll(scanned(1))
    await steps.confirm(scanned(1))
    expect(calls).toEqual(['mark 1'])
    answers[0]?.take()
    await first
  })

  it('that was refused can be taken again, and its operation stays', async () => {
    const { steps, calls, answers, left } = page()
    const first = steps.confirm(scanned(1))
    answers[0]?.refuse()
    await first
    expect(left).toEqual([])
    const second = steps.confirm(scanned(1))
    answers[1]?.take()
    await second
    expect(calls).toEqual(['confirm 1', 'confirm 1'])
    expect(left).toEqual([1])
  })

  it('that was not meant makes no call', async () => {
    const { steps, calls, questions } = page()
    const first = steps.cancel(scanned(1))
    questions[0]?.(false)
    await first
    expect(calls).toEqual([])
  })
})

test('scans that are sent while the first list is on its way do not break it off; it is asked for once more', async () => {
  const { keyOf, queryClient } = await import('../shared/api.ts')
  const { applyMarked: takeMarked } = await import('./desk.ts')
  const requests: { answer: (list: Operation[]) => void; signal: AbortSignal }[] = []
  const observer = new QueryObserver(queryClient, {
    queryKey: keyOf(operations.admin, { status: 'submitted' }),
    queryFn: ({ signal }) => new Promise<Operation[]>(answer => requests.push({ answer, signal })),
  })
  const stop = observer.subscribe(() => {})
  const tyre = sampleTyre({ db_id: 10 })
  takeMarked([{ ...tyre, scanned: true }])
  await new Promise(resolve => setTimeout(resolve))
  expect(requests[0]?.signal.aborted).toBe(false)
  requests[0]?.answer([sampleOperation({ _id: 1, tyres: [tyre] })])
  await vi.waitFor(() => expect(requests).toHaveLength(2))
  expect(observer.getCurrentResult().data).toHaveLength(1)
  // an existing list takes the newer row, even while a fetch is under way
  takeMarked([{ ...tyre, scanned: true }])
  expect(observer.getCurrentResult().data?.[0]?.tyres[0]?.scanned).toBe(true)
  requests[1]?.answer([sampleOperation({ _id: 1, tyres: [tyre] })])
  await vi.waitFor(() => expect(requests).toHaveLength(3))
  expect(observer.getCurrentResult().data?.[0]?.tyres[0]?.scanned).toBe(true)
  stop()
})
