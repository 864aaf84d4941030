import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { world, type Principal, type World } from '../testing/world.ts'
import { serve } from './serve.ts'

let at: World
let app: FastifyInstance
const begun: string[] = []

beforeAll(async () => {
  at = await world()
  app = await serve({ database: at.database, limits: null, trustProxy: true, clock: () => at.clock.now })
  app.get('/begins/:name', request => {
    begun.push((request.params as { name: string }).name)
    return ''
  })
})
afterAll(async () => {
  await app.close()
  await at.close()
})
beforeEach(() => void (begun.length = 0))

const ask = (name: string, headers: Record<string, string> = {}) =>
  app.inject({ url: `/begins/${name}`, headers: { host: 'a.example', ...headers } })
const crowd = (address: string, size: number) =>
  Array.from({ length: size }, () => ask(address, { 'x-forwarded-for': address }))
const headersOf = ({ host, cookie }: Principal) => ({ host, cookie: cookie ?? '' })

test('a caller who is known begins before a crowd of strangers who came first', async () => {
  const signedIn = { ...headersOf(at.who.a), 'x-forwarded-for': '192.0.2.1' }
  // any call looks the session up
  await app.inject({ method: 'POST', url: '/users/loginstate', headers: signedIn, payload: {} })
  const strangers = crowd('192.0.2.1', 50)
  await Promise.all([...strangers, ask('known', signedIn)])
  expect(begun).toHaveLength(51)
  expect(begun.indexOf('known')).toBeLessThan(5)
})

test('of strangers, one of another address begins among the first', async () => {
  const strangers = crowd('192.0.2.1', 50)
  await Promise.all([...strangers, ask('other', { 'x-forwarded-for': '192.0.2.2' })])
  expect(begun.indexOf('other')).toBeLessThan(5)
})

test('a cookie or token that nobody was given makes no known caller', async () => {
  const strangers = Array.from({ length: 20 }, (_, nth) =>
    ask('forged', nth % 2 === 0 ? { cookie: `wheelhouse=${'x'.repeat(43)}` } : { authorization: 'Bearer wh_x' }),
  )
  await Promise.all([...strangers, ask('other', { 'x-forwarded-for': '192.0.2.2' })])
  expect(begun.indexOf('other')).toBeLessThan(5)
})
