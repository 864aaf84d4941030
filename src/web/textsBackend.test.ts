import i18next from 'i18next'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TextsBackend } from './textsBackend.ts'

const server = { up: true, reported: 0 }
beforeEach(() => {
  Object.assign(server, { up: true, reported: 0 })
  vi.stubGlobal('fetch', (url: string, options?: RequestInit) => {
    if (!server.up) return Promise.reject(new TypeError('Failed to fetch'))
    if (options?.method === 'POST') server.reported++
    return Promise.resolve(new Response(url.endsWith('/fleet.json') ? '{"title":"Fleet"}' : '{"said":"Said"}'))
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('texts that are asked for while the server does not answer come when it does, and none is missing meanwhile', async () => {
  const texts = i18next.createInstance()
  await texts.use(TextsBackend).init({
    lng: 'en',
    load: 'languageOnly',
    fallbackLng: false,
    ns: ['common'],
    saveMissing: true,
    backend: { request },
  })
  const textOf = (key: string) => texts.t(key as 'common:failed')
  expect(textOf('common:said')).toBe('Said')
  vi.useFakeTimers()
  server.up = false
  const loaded = texts.loadNamespaces('fleet')
  await vi.advanceTimersByTimeAsync(60_000)
  // a toast says something that is not there yet
  textOf('fleet:title')
  server.up = true
  await vi.advanceTimersByTimeAsync(60_000)
  await loaded
  expect([textOf('fleet:title'), server.reported]).toEqual(['Fleet', 0])
  textOf('fleet:none')
  await vi.advanceTimersByTimeAsync(1000)
  expect(server.reported).toBe(1)
})

/** As the backend asks with `fetch`, which it takes hold of before a test can. */
async function request(_: unknown, url: string, payload: unknown, tell: (error: unknown, reply: unknown) => void) {
  try {
    const reply = await fetch(url, payload === undefined ? {} : { method: 'POST' })
    tell(null, { status: reply.status, data: await reply.text() })
  } catch (error) {
    tell(error, undefined)
  }
}
