/** How the lists of a page take rows that the server sends (docs/decisions/0074). */
import { operations } from '#contract/operations.ts'
import type { LiveEvent } from '#contract/live.ts'
import type { Operation } from '#contract/wire.ts'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** As PostgreSQL writes it. */
const wire = (_id: number, remarks: string, more: object = {}) => ({
  _id,
  status: 'submitted',
  type: 'to_stock',
  user: { username: '', fullname: '', companyname: 'Garage Alfa' },
  seq_id: 1,
  flt_id: 1,
  vehicle: { type: ['car'], license_plate: ['1ABC234'] },
  tyres: [],
  services: [],
  transport: null,
  deliveryDate: null,
  created: '2026-11-18T10:00:00+00:00',
  submitted: `2026-11-18T10:00:0${_id}+00:00`,
  updated: '2026-11-18T10:00:00+00:00',
  handledAt: null,
  remarks,
  withRims: null,
  withBolts: false,
  withHubcaps: false,
  tachometer: null,
  wornTyres: null,
  swap: null,
  document: null,
  ...more,
})
const path = operations.admin.path
const event = (ids: number[], rows: object[], from = 'another page'): LiveEvent => ({
  paths: [path],
  from,
  rows: { changed: { [path]: ids }, operations: rows },
})

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal(
    'document',
    Object.assign(new EventTarget(), { visibilityState: 'visible', documentElement: {}, querySelector: () => null }),
  )
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('fetch', async () => Response.json({}))
})
afterEach(async () => {
  const { queryClient } = await import('./api.ts')
  queryClient.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A screen that shows the submitted operations; the test answers its fetches. */
async function openDesk() {
  const { keyOf, queryClient } = await import('./api.ts')
  const { invalidateChanged } = await import('./live.ts')
  const requests: ((rows: object[]) => void)[] = []
  const observer = new QueryObserver<Operation[]>(queryClient, {
    queryKey: keyOf(operations.admin, { status: 'submitted' }),
    queryFn: () =>
      new Promise<Operation[]>(answer => requests.push(rows => answer(operations.admin.output.parse(rows)))),
  })
  const settled = () => vi.advanceTimersByTimeAsync(0)
  return {
    requests,
    leave: observer.subscribe(() => {}),
    shown: () => observer.getCurrentResult().data?.map(({ _id, remarks }) => `${_id} ${remarks}`),
    async answer(rows: object[]) {
      requests.at(-1)?.(rows)
      await settled()
    },
    async hear(event: LiveEvent) {
      invalidateChanged(event)
      await settled()
    },
  }
}

test('rows are put in, replaced and taken out in the order of the list, and nothing is asked', async () => {
  const desk = await openDesk()
  await desk.answer([wire(1, 'one'), wire(2, 'two'), wire(4, 'four')])
  await desk.hear(event([4, 3], [wire(3, 'three'), wire(4, 'new')]))
  expect(desk.shown()).toEqual(['1 one', '2 two', '3 three', '4 new'])
  // handled or deleted, and taken back
  await desk.hear(event([1, 2], [wire(2, 'two', { status: 'pending', submitted: null })]))
  expect(desk.shown()).toEqual(['3 three', '4 new'])
  expect(desk.requests).toHaveLength(1)
  desk.leave()
})

test('what the page changed itself is taken over, too: the rows may be newer than its own', async () => {
  const { tab } = await import('./api.ts')
  const desk = await openDesk()
  await desk.answer([wire(1, 'one')])
  await desk.hear(event([1], [wire(1, 'new')], tab))
  expect(desk.shown()).toEqual(['1 new'])
  desk.leave()
})

test('an answer on its way may be older than rows that come before it: they are put in afterwards', async () => {
  const desk = await openDesk()
  await desk.hear(event([1], [wire(1, 'new')]))
  expect(desk.shown()).toBeUndefined()
  await desk.answer([wire(1, 'one'), wire(2, 'two')])
  expect(desk.shown()).toEqual(['1 new', '2 two'])
  expect(desk.requests).toHaveLength(1)
  desk.leave()
})

test('a list that shows nowhere is loaded again when it is shown', async () => {
  const desk = await openDesk()
  await desk.answer([wire(1, 'one')])
  desk.leave()
  await desk.hear(event([1], [wire(1, 'new')]))
  expect(desk.shown()).toEqual(['1 one'])
  const again = await openDesk()
  expect(again.requests).toHaveLength(1)
  await again.answer([wire(1, 'new')])
  expect(again.shown()).toEqual(['1 new'])
  again.leave()
})

test('rows that this version does not understand make it load the list', async () => {
  const desk = await openDesk()
  await desk.answer([wire(1, 'one')])
  await desk.hear(event([1], [{ _id: 1, status: 'imagined' }]))
  expect(desk.requests).toHaveLength(2)
  await desk.answer([wire(1, 'new')])
  expect(desk.shown()).toEqual(['1 new'])
  desk.leave()
})
