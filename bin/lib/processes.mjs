/** Runs programs: with captured output, or in the foreground. */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'

/** Runs a program to its end. @returns its exit code and its output; code 127 when it can't be run */
export function capture(command, args, options = {}) {
  return new Promise(resolve => {
    // The output is shown, if at all, where this process writes: with colours on a terminal only.
    const env = {
      ...(options.env ?? process.env),
      ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
    }
    const child = spawn(command, args, { ...options, env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', text => (output += text))
    child.stderr.setEncoding('utf8').on('data', text => (output += text))
    child.once('error', error => resolve({ code: 127, output: error.message }))
    child.once('close', code => resolve({ code: code ?? 1, output }))
  })
}

/**
 * Runs a program in the foreground. Ctrl-C and SIGTERM are forwarded to it, and this process waits until it has ended. When the
 * process that started this one is killed, the program is stopped too: a portal whose terminal or npm was killed must not keep
 * running unseen, because it would lock out the next one.
 * @returns its exit code
 */
export function runInForeground(command, args, options = {}) {
  return new Promise(resolve => {
    const child = spawn(command, args, { ...options, stdio: 'inherit' })
    const forward = signal => child.kill(signal)
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, forward)
    const startedBy = ancestors()
    const orphanCheck = setInterval(() => {
      if (ancestors() === startedBy) return
      clearInterval(orphanCheck)
      child.kill('SIGTERM')
    }, 250)
    const finish = code => {
      clearInterval(orphanCheck)
      for (const signal of signals) process.removeListener(signal, forward)
      resolve(code)
    }
    child.once('error', error => {
      console.error(`${command} can't be run: ${error.message}.`)
      finish(127)
    })
    child.once('exit', (code, signal) => finish(code ?? 128 + (os.constants.signals[signal] ?? 0)))
  })
}

/** Identifies the parent process, and npm where it is the grandparent: a shell between them outlives it. */
function ancestors() {
  const parent = process.ppid
  if (process.platform !== 'linux' || !process.env.npm_lifecycle_event) return String(parent)
  try {
    const afterName = fs.readFileSync(`/proc/${parent}/stat`, 'utf8').split(') ').at(-1)
    return `${parent} ${afterName.split(' ')[1]}`
  } catch {
    return String(parent)
  }
}
