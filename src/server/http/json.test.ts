/** Bodies that cost more to decode than any call needs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calls } from '#contract/index.ts'
import { maxServices } from '#contract/config.ts'
import { world, type World } from '../testing/world.ts'
import { boundJson, jsonBounds } from './json.ts'

const refused = (json: string): string | null => {
  try {
    boundJson(json)
    return null
  } catch (error) {
    return (error as { code: string }).code
  }
}
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const keys = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, nth) => [`k${nth}`, ''])))

describe('JSON', () => {
  test('is bounded in its different names, its values and its depth, each to the last', () => {
    const { names, values, depth } = jsonBounds
    expect([keys(names), keys(names + 1)].map(refused)).toEqual([null, 'request.too_complex'])
    expect([nested(depth), nested(depth + 1)].map(refused)).toEqual([null, 'request.too_complex'])
    const list = (length: number) => JSON.stringify(Array.from({ length }, () => 1))
    expect([list(values - 2), list(values)].map(refused)).toEqual([null, 'request.too_complex'])
  })

  test('has its signs in texts counted as text', () => {
    const text = JSON.stringify({ 'a\\"[{:': '"]},:\\'.repeat(200_000), b: '\\' })
    expect(refused(text)).toBeNull()
    // a text without an end is for the parser to refuse
    expect(refused('{"a')).toBeNull()
    expect(refused(`["${'\\'.repeat(50_000)}`)).toBeNull()
  })

  test('of the largest calls passes: 20,000 wheels to charge, a whole configuration, whole wheels of a megabyte', () => {
    const wheels = Array.from({ length: 20_000 }, (_, db_id) => ({ db_id }))
    expect(refused(JSON.stringify({ tyres: wheels, seq_id: 1 }))).toBeNull()
    const row = Object.fromEntries(Array.from({ length: 40 }, (_, nth) => [`field_${nth}`, nth]))
    const whole = {
      services: Array.from({ length: maxServices }, () => row),
      tyres: Array.from({ length: 1500 }, () => [row]),
    }
    expect(refused(JSON.stringify(whole))).toBeNull()
  })
})

describe('a body', () => {
  let at: World
  beforeAll(async () => {
    at = await world()
  })
  afterAll(() => at.close())

  const json = { 'content-type': 'application/json' }
  const idempotent = calls.find(({ name }) => name === 'operations.new')?.call.path ?? ''
  test('nested 5,000 deep is refused, with and without a key of repetition', async () => {
    for (const headers of [{}, { 'idempotency-key': crypto.randomUUID() }]) {
      const reply = await at.send(idempotent, at.who.admin, `{"a":${nested(5000)}}`, { ...json, ...headers })
      expect([reply.status, reply.refusal.code]).toEqual([422, 'request.too_complex'])
    }
  })

  test('with 80,000 keys is refused before it is decoded', async () => {
    const { status, refusal } = await at.send('/operations/update', at.who.admin, keys(80_000), json)
    expect([status, refusal.code]).toEqual([422, 'request.too_complex'])
  })
})
