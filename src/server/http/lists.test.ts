import { expect, test } from 'vitest'
import { z } from 'zod'
import { endlessListsIn } from '../testing/inputs.ts'
import { calls } from '#contract/index.ts'
import { list } from '#contract/list.ts'

test('a list without a maximum is found wherever it is in a schema', () => {
  const text = z.array(z.string())
  expect(endlessListsIn(text)).toEqual([''])
  const deep = z.object({ rows: z.array(z.object({ names: text.optional().transform(names => names) })).max(3) })
  expect(endlessListsIn(z.union([z.null(), z.preprocess(value => value, deep)]))).toEqual(['rows.*.names'])
  expect(endlessListsIn(deep.extend({ rows: list(z.string(), 3) }))).toEqual([])
})

test.each(calls)('every list of $name has a maximum', ({ call }) => {
  expect({ input: endlessListsIn(call.input), output: endlessListsIn(call.output) }).toEqual({ input: [], output: [] })
})

test('items of a too long list are not looked at', () => {
  let seen = 0
  const item = z.string().refine(() => ++seen > 0)
  const most = 3
  const refused = list(item, most).safeParse(['a', 'b', 'c', 'd'])
  expect(refused.error?.issues).toEqual([expect.objectContaining({ code: 'too_big', origin: 'array', maximum: most })])
  expect(seen).toBe(0)
  expect(list(item, most, 1).safeParse(['a', 'b', 'c']).success).toBe(true)
  expect(list(item, most, 1).safeParse([]).success).toBe(false)
  expect(list(item, most).safeParse('a').success).toBe(false)
})
