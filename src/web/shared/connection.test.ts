import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { checkConnection, isLost, onConnection } from './connection.ts'

const server = { up: true, asked: 0 }
beforeEach(() => {
  vi.useFakeTimers()
  Object.assign(server, { up: true, asked: 0 })
  vi.stubGlobal('fetch', () => {
    server.asked++
    return server.up ? Promise.resolve({ ok: true }) : Promise.reject(new TypeError('refused'))
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('what fails while the server answers says nothing', async () => {
  const heard = vi.fn<() => void>()
  const forget = onConnection(heard)
  await checkConnection()
  expect([isLost(), heard.mock.calls.length, server.asked]).toEqual([false, 0, 1])
  forget()
})

test('a server that does not answer is lost at once, asked every two seconds by one alone, and found again', async () => {
  server.up = false
  const states: boolean[] = []
  const forget = onConnection(() => states.push(isLost()))
  const over = Promise.all([checkConnection(), checkConnection()])
  await vi.advanceTimersByTimeAsync(1)
  expect(states).toEqual([true])
  await vi.advanceTimersByTimeAsync(6000)
  expect([states, server.asked]).toEqual([[true], 4])
  server.up = true
  await vi.advanceTimersByTimeAsync(2000)
  await over
  expect([states, isLost()]).toEqual([[true, false], false])
  forget()
})
