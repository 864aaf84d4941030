/** The start of the portal as a process: what it says, and what an interrupted one leaves. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { freePort } from '../src/server/postgres/connection.ts'
import { pollOptions } from '../src/server/testing/waiting.ts'

let dir: string
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-start-'))
  fs.chmodSync(dir, 0o755)
})
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }))

/** Starts the portal in production, without the demo, unless `env` says otherwise. */
function start(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['src/server/main.ts'], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      ALLOW_UNSAFE_DATABASE: 'yes',
      PRERENDER: 'no',
      DATA_DIR: path.join(dir, 'data'),
      PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const running = { output: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (running.output += text))
  const ended = once(child, 'close').then(([code]) => Number(code))
  return {
    child,
    ended,
    says: (text: string) => vi.waitUntil(() => running.output.includes(text), pollOptions),
    get output() {
      return running.output
    },
  }
}

/** Processes that work in the folder of this test (Linux). */
const left = (): string[] =>
  process.platform !== 'linux'
    ? []
    : fs.readdirSync('/proc').filter(pid => {
        try {
          return /^\d+$/.test(pid) && fs.readlinkSync(`/proc/${pid}/cwd`).startsWith(dir)
        } catch {
          return false
        }
      })

test.each([
  ['what is no number', { PORT: 'abc' }, /^Invalid settings: PORT is "abc"; write a port/],
  [
    'a password that is not encoded',
    { DATABASE_URL: 'postgres://u:a/b@host/db' },
    /^Invalid settings: DATABASE_URL is/,
  ],
  [
    'a server that is not there',
    { DATABASE_URL: 'postgres://u:x@127.0.0.1:1/db' },
    /^DATABASE_URL can't be used: nothing listens/,
  ],
])('a start with %s ends with one line and no stack', async (_, env, words) => {
  const refused = start(env)
  expect(await refused.ended).toBe(1)
  expect(refused.output).toMatch(words)
  expect(refused.output.trim().split('\n')).toHaveLength(1)
})

test('a portal says its schema and its address, IPv6 in brackets; a second start on its data ends at once', async () => {
  const port = String(await freePort())
  const first = start({ HOST: '::1', PORT: port })
  await first.says(`Wheelhouse is open at http://[::1]:${port}\n`)
  expect(first.output).toMatch(/^The database has schema \d{4} \(\d+ migrations, \d+\.\d s\)\.$/m)
  const second = start({ HOST: '127.0.0.1' })
  expect(await second.ended).toBe(1)
  expect(second.output).toMatch(/^Another Wheelhouse \(process \d+ on .*\) already uses the data directory/)
  const taken = start({ HOST: '::1', PORT: port, DATA_DIR: path.join(dir, 'other') })
  expect(await taken.ended).toBe(1)
  expect(taken.output).toContain(`::1:${port} is in use by another program. Set PORT to a free port.`)
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  expect(left()).toEqual([])
})

test(
  'a first start that is interrupted at any stage leaves nothing running and nothing half made',
  { tags: 'whole' },
  async () => {
    const cluster = path.join(dir, 'data', 'database', 'cluster')
    const exists = (file: string) => () => vi.waitUntil(() => fs.existsSync(file), { timeout: 60_000, interval: 2 })
    for (const [env, stage] of [
      [{}, exists(`${cluster}.new`)],
      [{}, exists(path.join(cluster, 'postmaster.pid'))],
      [{ NODE_ENV: 'development' }, null],
    ] as const)
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        fs.rmSync(path.join(dir, 'data'), { recursive: true, force: true })
        const portal = start(env)
        await (stage?.() ?? portal.says('Loading the demo'))
        portal.child.kill(signal)
        expect(await portal.ended, portal.output).toBe(0)
        expect(portal.output).toContain('Stopped.')
        expect(portal.output).not.toContain('    at ')
        expect(left()).toEqual([])
        expect(fs.existsSync(`${cluster}.new`)).toBe(false)
      }
    // what the last one has left is an empty database
    const next = start({ NODE_ENV: 'development' })
    await next.says('Loading the demo')
    await next.says('Wheelhouse is open')
    next.child.kill('SIGINT')
    expect(await next.ended).toBe(0)
  },
)
