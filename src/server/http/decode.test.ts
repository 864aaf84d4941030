/** The forms in which values arrive, over every call of the contract (docs/product/calls.md "Wire format"). */
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { fleet } from '#contract/fleet.ts'
import { calls } from '#contract/index.ts'
import { invoicing } from '#contract/invoicing.ts'
import { defOf, readInput } from '#contract/readInput.ts'
import { leavesOf, put } from '../testing/inputs.ts'
import { rowOf } from '../testing/bodies.ts'
import type { Owned } from '../testing/owners.ts'

const lists = new Set(['home', 'stored', 'expected', 'scrap', 'words'])
const texts = new Set(['configName', 'host', 'siteWord', 'scan', 'locationScan', 'countScan'])
const uuid = '0f0e6b1c-3f7e-4f0c-9d52-0c6a3f0d1b2a'
/** Rows whose ids are as good as any: nothing here is looked up. */
const someone = new Proxy({} as Owned, {
  get: (_, name: string) => (lists.has(name) ? [7, 8] : texts.has(name) ? (name.endsWith('can') ? uuid : 'a') : 7),
})

const candidates = [
  7,
  0,
  1.5,
  '7',
  'a',
  '2026-01-31',
  '12:30',
  'a@b.example',
  uuid,
  true,
  '1A',
  '2026-01-31T10:00:00Z',
  '',
]

/** The right bodies of a call, each with the way to a value: that of the matrix, and with each field that may be added to it. */
function* valuesOf(input: z.ZodType, body: object): Generator<{ way: string; body: unknown; value: unknown }> {
  for (const [way, schemas] of leavesOf(input)) {
    // read by nobody, or by its own rule
    if (schemas.some(schema => defOf(schema).type === 'unknown')) continue
    const path = way.split('.')
    const options = schemas.flatMap(schema => {
      const { entries, values } = defOf(schema)
      return [...Object.values(entries ?? {}), ...(values ?? [])]
    })
    for (const value of [...options, ...candidates]) {
      const tried = put(body, path, value)
      if (!input.safeParse(tried).success) continue
      yield { way, body: tried, value }
      break
    }
  }
}

test('every value of every call may be a one-item list, and every number a text', () => {
  const wrong: string[] = []
  let tried = 0
  for (const { name, call } of calls) {
    const { input, files } = call
    if (files.length > 0) continue
    const plain = rowOf(name).body(someone) as object
    for (const { way, body, value } of valuesOf(input, plain)) {
      const right = input.parse(body)
      const forms = [[value], ...(typeof value === 'number' ? [String(value), [` ${value}`]] : [])]
      for (const form of forms) {
        tried++
        const read = input.safeParse(readInput(input, put(body, way.split('.'), form)))
        if (!read.success || JSON.stringify(read.data) !== JSON.stringify(right))
          wrong.push(`${name} ${way} ${String(form)}`)
      }
    }
  }
  expect(tried).toBeGreaterThan(800)
  expect(wrong).toEqual([])
})

/** Fields that are taken verbatim: passwords and the like, and the texts of the portal itself. */
const verbatim = new Set(['password', 'wanted', 'client_secret', 'value', 'text'])

test('no text of any call keeps what nobody sees, but passwords', () => {
  const wrong: string[] = []
  let tried = 0
  for (const { name, call } of calls) {
    if (call.files.length > 0) continue
    for (const { way, body, value } of valuesOf(call.input, rowOf(name).body(someone) as object)) {
      if (typeof value !== 'string') continue
      tried++
      const path = way.split('.')
      const hidden = put(body, path, `\u200b${value.slice(0, 1)}\u202a${value.slice(1)}\u2060`)
      const read = JSON.stringify(readInput(call.input, hidden))
      const exempt = verbatim.has(path.at(-1) ?? '') && /users|account|customers|hotelconfig|signOn|locale/.test(name)
      if (/[\u200b\u202a\u2060]/.test(read) !== exempt) wrong.push(`${name} ${way}`)
    }
  }
  expect(tried).toBeGreaterThan(200)
  expect(wrong).toEqual([])
})

test('an object may be a one-item list, too, bare or under its name', () => {
  const { input } = fleet.update
  const vehicle = { flt_id: ['7'], driver: [{ name: ['Ann'] }], yearly_distance: '25000' }
  const right = input.parse({ vehicle: { flt_id: 7, driver: { name: 'Ann' }, yearly_distance: 25_000 } })
  for (const body of [{ vehicle }, { vehicle: [vehicle] }, vehicle])
    expect(input.parse(readInput(input, body))).toEqual(right)
})

test('an empty text is no number, where one may be left out', () => {
  const { input } = fleet.searcharticles
  expect(input.parse(readInput(input, { search_value: '205', last_article: '' }))).toEqual(
    input.parse({ search_value: '205', last_article: null }),
  )
})

test('other forms are refused as before', () => {
  for (const days of [['7', '8'], [], '7 days', '0x10', '1e3', '', {}])
    expect(invoicing.customers.input.safeParse(readInput(invoicing.customers.input, { days })).success).toBe(false)
})
