/**
 * A page that takes over rows ends with the list that it would load (docs/product/calls.md "Live changes"), after any changes by two people at
 * either node, and when events arrive late, merged or not at all.
 */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { changedRows, rowPaths, withRows, type LiveEvent, type RowList } from '#contract/live.ts'
import { contract } from '#contract/index.ts'
import type { Operation } from '#contract/wire.ts'
import type { Who } from '../features/handler.ts'
import { reportCases } from '../testing/cases.ts'
import { testDatabase } from '../testing/database.ts'
import { addOperation } from '../testing/operations.ts'
import { keep, type Kept } from '../testing/state.ts'
import { pollOptions } from '../testing/waiting.ts'
import { whole } from '../testing/whole.ts'
import { world, type Principal, type World } from '../testing/world.ts'
import { openGroups, type Groups } from './liveGroups.ts'
import { openLive, type Live } from './live.ts'

const { operations, locations } = contract

let at: World
let kept: Kept
let nodes: readonly [Live, Live]
let places: number[]
let tried = 0

beforeAll(async () => {
  const on = await testDatabase()
  nodes = [openLive(on.appUrl), openLive(on.appUrl)]
  at = await world({ now: new Date('2026-11-18T10:00:00Z'), on, served: () => ({ live: nodes[0], queues: null }) })
  places = await at.addLocations({ places: 4, capacity: 40 })
  kept = await keep(at)
  await vi.waitUntil(() => nodes.every(live => live.connected()), pollOptions)
})
afterAll(async () => {
  for (const live of nodes) await live.close()
  await at.close()
})
reportCases('Rows of live changes', () => ({ tried }))

const whoOf = ({ account, type, site, customer, name }: Principal): Who => ({
  account,
  type: type ?? 'user',
  warehouse: false,
  site,
  customer,
  username: name,
  fullname: '',
  lang: 'eng',
})

type Shown = { groups: Groups; who: Principal; list: RowList; input: object; takesRows: boolean }

/** A page that shows a list, with the events that it has yet to take in. */
class Page {
  shown: readonly Operation[] = []
  readonly #inbox: LiveEvent[] = []
  #leave: (() => void) | null = null
  readonly #of: Shown

  constructor(shown: Shown) {
    this.#of = shown
  }

  async load(): Promise<readonly Operation[]> {
    const { who, list, input } = this.#of
    const reply = await at.send(rowPaths[list], who, input)
    return operations.fetch.output.parse(reply.answer)
  }

  async connect(): Promise<void> {
    if (this.#leave) return
    const { groups, who } = this.#of
    this.#leave = groups.join(whoOf(who), {
      write: text => {
        for (const line of String(text).split('\n\n'))
          if (line !== '') this.#inbox.push(JSON.parse(line.slice('data: '.length)) as LiveEvent)
      },
    })
    this.shown = await this.load()
  }

  /** Its connection breaks, with all that was on its way. */
  lose(): void {
    this.#leave?.()
    this.#leave = null
    this.#inbox.length = 0
  }

  /** Takes in the oldest events, as many as these. One whose list can't be loaded stays the oldest, as a page tries again. */
  async takeIn(count = Number.POSITIVE_INFINITY): Promise<void> {
    for (let taken = 0; taken < count && this.#inbox[0]; taken++) {
      await this.#takeInOne(this.#inbox[0])
      this.#inbox.shift()
    }
  }

  async #takeInOne({ paths, rows }: LiveEvent): Promise<void> {
    const { list, input, takesRows } = this.#of
    const path = rowPaths[list]
    if (!paths.includes(path)) return
    if (rows === undefined) this.shown = await this.load()
    else if (takesRows)
      this.shown = withRows(this.shown, { path, input }, changedRows.parse(rows)) ?? (await this.load())
  }
}

/** Actions on the nth operation, or events of the nth page. */
const does = [
  'scan',
  'scan',
  'unscan',
  'submit',
  'undo',
  'edit',
  'confirm',
  'cancel',
  'withdraw',
  'delete',
  'new',
  'move',
] as const
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constantFrom(...does), nth: fc.nat({ max: 5 }), tyre: fc.nat({ max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('takeIn' as const), nth: fc.nat({ max: 4 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constantFrom('lose' as const, 'connect' as const), nth: fc.nat({ max: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('wait' as const), nth: fc.nat({ max: 30 }) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Operations of two customers, two of them halves of a swap, in the states in which much can happen to them. */
async function prepare() {
  await kept.restore()
  at.clock.now = new Date('2026-11-18T10:00:00Z')
  const { a, b } = at.customers
  const operations = [
    await addOperation(at, { customer: a, status: 'submitted' }),
    await addOperation(at, { customer: a, status: 'pending' }),
    await addOperation(at, { customer: a, type: 'to_customer', status: 'submitted' }),
    await addOperation(at, { customer: a, status: 'submitted', scanned: true }),
    await addOperation(at, { customer: b, status: 'submitted' }),
    await addOperation(at, { customer: b, status: 'pending' }),
  ]
  await at.query('update operation set swap_id = case id when $1 then $2::int else $1 end where id in ($1, $2)', [
    operations[0]?.id,
    operations[2]?.id,
  ])
  return operations
}

async function take(step: Step, prepared: Awaited<ReturnType<typeof prepare>>, pages: readonly Page[]): Promise<void> {
  const page = pages[step.nth % pages.length]
  if (step.does === 'takeIn') return page?.takeIn(1)
  if (step.does === 'lose') return page?.lose()
  if (step.does === 'connect') return page?.connect()
  if (step.does === 'wait') return void (await new Promise(resolve => setTimeout(resolve, step.nth)))
  const operation = prepared[step.nth]
  if (!operation || !('tyre' in step)) return
  const [_id, tyre] = [operation.id, operation.tyres[step.tyre] ?? 0]
  const { admin, a, b } = at.who
  const customer = step.nth < 4 ? a : b
  at.clock.now = new Date(at.clock.now.getTime() + 1 + step.tyre * 7)
  const calls = {
    scan: () => at.ask(operations.markscan, admin, { tyres: [{ tyreId: tyre }] }),
    unscan: () => at.ask(operations.unscan, admin, { tyres: [tyre] }),
    submit: () => at.ask(operations.update, customer, { operation: { _id, status: 'submitted' } }),
    undo: () => at.ask(operations.update, admin, { operation: { _id, status: 'pending' } }),
    edit: () => at.ask(operations.update, customer, { operation: { _id, remarks: `at ${at.clock.now.getTime()}` } }),
    confirm: () => at.ask(operations.confirm, admin, { operation: { _id }, here: 'all' }),
    cancel: () => at.ask(operations.cancel, admin, { operation: { _id } }),
    withdraw: () => at.ask(operations.withdraw, customer, { operation: { _id } }),
    delete: () => at.ask(operations.delete, customer, { operation: { _id } }),
    move: () => at.ask(locations.move, admin, { location: places[step.tyre] ?? 0, tyres: [tyre] }),
    new: () =>
      at.ask(operations.new, customer, {
        operation: { flt_id: operation.vehicle, tyres: operation.tyres, operationType: 'to_stock' },
      }),
  }
  // a refused call changes nothing, and notifies nobody
  expect((await calls[step.does]()).status).toBeLessThan(500)
}

/** Pages of all that show such a list, at two nodes. */
function openPages(takesRows = true): Page[] {
  const [here, there] = nodes.map(live => openGroups({ database: at.database, queues: null, live }, { interval: 15 }))
  if (!here || !there) throw new Error('there are two nodes')
  const { admin, a } = at.who
  return [
    new Page({ groups: here, who: admin, list: 'operations.admin', input: { status: 'submitted' }, takesRows }),
    new Page({ groups: there, who: admin, list: 'operations.admin', input: { status: 'submitted' }, takesRows }),
    new Page({ groups: here, who: admin, list: 'operations.admin', input: { status: 'pending' }, takesRows }),
    new Page({ groups: there, who: a, list: 'operations.fetch', input: {}, takesRows }),
    new Page({ groups: here, who: admin, list: 'operations.fetch', input: { seq_id: at.customers.a }, takesRows }),
  ]
}

async function play(steps: readonly Step[]): Promise<void> {
  tried++
  const prepared = await prepare()
  const pages = openPages()
  for (const page of pages) await page.connect()
  for (const step of steps) await take(step, prepared, pages)
  // pages that lost the connection come back
  for (const page of pages) await page.connect()
  await vi.waitFor(async () => {
    for (const page of pages) {
      await page.takeIn()
      expect(page.shown).toEqual(await page.load())
    }
  }, pollOptions)
  for (const page of pages) page.lose()
}

test('whatever happens, in whatever order events come, a page that takes over rows shows what it would load', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), play), {
    numRuns: whole ? 300 : 6,
    endOnFailure: true,
  })
})

test('a page that overlooked the rows would show another list, and be found out', async () => {
  const prepared = await prepare()
  const [desk] = openPages(false)
  await desk?.connect()
  await take({ does: 'scan', nth: 0, tyre: 0 }, prepared, [])
  const others = openPages()
  await others[0]?.connect()
  await take({ does: 'scan', nth: 0, tyre: 1 }, prepared, [])
  await vi.waitFor(async () => {
    await others[0]?.takeIn()
    expect(others[0]?.shown).toEqual(await others[0]?.load())
  }, pollOptions)
  await desk?.takeIn()
  expect(desk?.shown).not.toEqual(await desk?.load())
  for (const page of [desk, others[0]]) page?.lose()
})
