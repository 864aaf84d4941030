/** The commands of bin/: installing and building, interrupted and without a network. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pollOptions } from './testing/waiting.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))
let dir: string
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-commands-'))
  fs.cpSync(path.join(project, 'bin'), path.join(dir, 'bin'), { recursive: true })
  for (const file of ['package.json', 'package-lock.json'])
    fs.copyFileSync(path.join(project, file), path.join(dir, file))
})
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }))

/** A stand-in for a program: it says where its process is, starts another one, and goes on for ever. */
const endless = `
  const { spawn } = require('node:child_process')
  const { mkdirSync, writeFileSync } = require('node:fs')
  const inner = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  BEGIN
  writeFileSync('begun', String(process.pid) + ' ' + inner.pid)
  setInterval(() => {}, 1000)`

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function run(script: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: dir,
    env: { ...process.env, npm_execpath: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const running = { output: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (running.output += text))
  return { child, ended: once(child, 'close').then(([code]) => Number(code)), output: () => running.output }
}

/** Interrupts a command while its program runs. @returns its exit code, and what of the program still lives */
async function interrupted(script: string, signal: 'SIGINT' | 'SIGTERM', env: Record<string, string> = {}) {
  const { child, ended } = run(script, env)
  const begun = path.join(dir, 'begun')
  await vi.waitUntil(() => fs.existsSync(begun) && fs.readFileSync(begun, 'utf8').includes(' '), pollOptions)
  const pids = fs.readFileSync(begun, 'utf8').split(' ').map(Number)
  fs.rmSync(begun)
  child.kill(signal)
  const code = await ended
  await vi.waitUntil(() => !pids.some(isAlive), pollOptions)
  return code
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'an installation that ends by %s leaves nothing running and no half of its packages',
  async signal => {
    const npm = path.join(dir, 'npm.js')
    const body = endless.replace('BEGIN', `mkdirSync('node_modules/half', { recursive: true })`)
    fs.writeFileSync(npm, `if (process.argv.includes('ping')) process.exit(0)\n${body}`)
    fs.writeFileSync(path.join(dir, 'package.json'), '{"type":"commonjs"}')
    const code = await interrupted(`import { install } from './bin/lib/packages.mjs'; await install()`, signal, {
      npm_execpath: npm,
    })
    expect(code).toBe(128 + os.constants.signals[signal])
    expect(fs.existsSync(path.join(dir, 'node_modules'))).toBe(false)
  },
)

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a build that ends by %s leaves nothing running and no half of itself',
  async signal => {
    for (const name of ['src', 'index.html', 'vite.config.ts', 'tsconfig.json'])
      fs.symlinkSync(path.join(project, name), path.join(dir, name))
    const node = path.join(dir, 'node_modules', 'node', 'bin')
    fs.mkdirSync(node, { recursive: true })
    fs.symlinkSync(process.execPath, path.join(node, 'node'))
    const vite = path.join(dir, 'node_modules', 'vite')
    fs.mkdirSync(vite)
    fs.writeFileSync(path.join(vite, 'package.json'), '{"bin":"vite.js","type":"commonjs"}')
    fs.writeFileSync(
      path.join(vite, 'vite.js'),
      endless.replace('BEGIN', `mkdirSync(process.argv[process.argv.indexOf('--outDir') + 1], { recursive: true })`),
    )
    // of a build that was killed: no process has this id
    fs.mkdirSync(path.join(dir, 'dist', 'web.999999999'), { recursive: true })
    const code = await interrupted(`import { buildWeb } from './bin/lib/web.mjs'; await buildWeb()`, signal)
    expect(code).toBe(128 + os.constants.signals[signal])
    expect(fs.readdirSync(path.join(dir, 'dist'))).toEqual([])
  },
)

test('without a network an installation says so within seconds, and that the cache of npm lacks packages', async () => {
  const begun = performance.now()
  const { ended, output } = run(`import { install } from './bin/lib/packages.mjs'; await install()`, {
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_cache: path.join(dir, 'cache'),
  })
  expect(await ended).toBe(1)
  expect(output()).toContain("the registry of npm can't be reached (ECONNREFUSED)")
  expect(output()).toContain('Connect this machine')
  expect(performance.now() - begun).toBeLessThan(60_000)
  expect(fs.existsSync(path.join(dir, 'node_modules'))).toBe(false)
})

test('a program that ends by itself leaves signals to those who had them', async () => {
  const script = `import { capture } from './bin/lib/processes.mjs'
    const { code, output } = await capture(process.execPath, ['-e', 'console.log(7); process.exit(3)'])
    console.log(code, output.trim(), process.listenerCount('SIGINT'), process.listenerCount('SIGTERM'))`
  const { ended, output } = run(script)
  expect(await ended).toBe(0)
  expect(output()).toBe('3 7 0 0\n')
})
