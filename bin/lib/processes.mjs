/** Programs that the commands start: some unheard, some in the foreground until they end. */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'

/** Runs a program unheard. Answers its exit code and all that it said; 127 when it can't be run. */
export function captured(command, words, options = {}) {
  return new Promise(resolve => {
    // What it says is shown, if at all, where this process writes: with colours on a terminal only.
    const env = {
      ...(options.env ?? process.env),
      ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
    }
    const child = spawn(command, words, { ...options, env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', text => (output += text))
    child.stderr.setEncoding('utf8').on('data', text => (output += text))
    child.once('error', error => resolve({ code: 127, output: error.message }))
    child.once('close', code => resolve({ code: code ?? 1, output }))
  })
}

/**
 * Runs a program in the foreground and answers its exit code. Ctrl-C and a polite end go on to the program, and this process waits
 * until that has finished what it does. When whoever started this process is gone by force, the program is ended too: a portal
 * whose terminal or npm was killed must not go on unseen and keep the next one out.
 */
export function foreground(command, words, options = {}) {
  return new Promise(resolve => {
    const child = spawn(command, words, { ...options, stdio: 'inherit' })
    const pass = signal => child.kill(signal)
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, pass)
    const startedBy = starters()
    const orphaned = setInterval(() => {
      if (starters() === startedBy) return
      clearInterval(orphaned)
      child.kill('SIGTERM')
    }, 250)
    const done = code => {
      clearInterval(orphaned)
      for (const signal of signals) process.removeListener(signal, pass)
      resolve(code)
    }
    child.once('error', error => {
      console.error(`${command} can't be run: ${error.message}.`)
      done(127)
    })
    child.once('exit', (code, signal) => done(code ?? 128 + (os.constants.signals[signal] ?? 0)))
  })
}

/** Who started this process: its parent, and npm when that is behind a shell, which outlives it. */
function starters() {
  const parent = process.ppid
  if (process.platform !== 'linux' || !process.env.npm_lifecycle_event) return String(parent)
  try {
    const afterName = fs.readFileSync(`/proc/${parent}/stat`, 'utf8').split(') ').at(-1)
    return `${parent} ${afterName.split(' ')[1]}`
  } catch {
    return String(parent)
  }
}
